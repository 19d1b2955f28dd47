// Fingerprints: what identifies the machine of a tuned file, and how two of them differ.
#pragma once

#include <string>

#include "presort/core/machine/fingerprint.h"
#include "presort/core/machine/machine.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {

// Fields of a fingerprint. Hard: instruction set, size, ways and line of each cache level
// ("L2.size"), version of the kernels. Soft: clock, compiler, operating system kernel. Geometry and
// clock are the machine file's, the rest is this process' own.
Fingerprint make_fingerprint(const Machine& machine, const io::Provenance& provenance);

// The fingerprint of the machine that this process runs on, without a probe. What the system does
// not tell (the clock; on some systems the ways of caches) is left out.
Fingerprint host_fingerprint(const io::Provenance& provenance);

// Warns of soft differences on stderr, and of hard ones with `force`. `path` is that of the tuned file.
// Errors: InputError naming the hard fields that differ, unless `force`
void require_fingerprint(const std::string& path, const Fingerprint& file, const Fingerprint& here,
                         bool force);

}  // namespace presort::app
