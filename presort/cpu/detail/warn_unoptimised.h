// Warns, once per source file, when kernels are compiled without optimisation: they are then ten
// times slower. -Werror does not make an error of it. Define PRESORT_ALLOW_UNOPTIMISED where an
// unoptimised build is intended: to debug, or under a sanitizer.
#pragma once

#if defined(__GNUC__) && !defined(__OPTIMIZE__) && !defined(PRESORT_ALLOW_UNOPTIMISED)
#ifdef __clang__
// clang warns of nothing in system headers, such as those of an installed library. A line marker
// without flags makes this header an ordinary one.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpedantic"
# 13 "presort/cpu/warn_unoptimised.h"
#pragma clang diagnostic pop
#endif
#pragma message( \
    "presort: ten times slower without -O2 or Release; PRESORT_ALLOW_UNOPTIMISED silences")
#endif
