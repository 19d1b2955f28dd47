// Cuts a test of many types into three parts of about as many types each, to be compiled side by
// side:
//
//   PRESORT_PART_0(check<uint32_t>();)
//   PRESORT_PART_1(check<uint64_t>();)
//   PRESORT_PART_2(check<double>();)
//
// All three parts are compiled unless the macro PRESORT_GPU_TEST_PART is 0, 1 or 2 (CMake has an
// option of that name). Then only one part is, which is enough for builds that no device runs.
#pragma once

#if !defined(PRESORT_GPU_TEST_PART) || PRESORT_GPU_TEST_PART == 0
#define PRESORT_PART_0(...) __VA_ARGS__
#else
#define PRESORT_PART_0(...)
#endif

#if !defined(PRESORT_GPU_TEST_PART) || PRESORT_GPU_TEST_PART == 1
#define PRESORT_PART_1(...) __VA_ARGS__
#else
#define PRESORT_PART_1(...)
#endif

#if !defined(PRESORT_GPU_TEST_PART) || PRESORT_GPU_TEST_PART == 2
#define PRESORT_PART_2(...) __VA_ARGS__
#else
#define PRESORT_PART_2(...)
#endif
