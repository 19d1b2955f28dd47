// Fingerprints: what identifies the machine that a tuned file is for, and how two machines differ.
#pragma once

#include <string>

#include "presort/core/machine/fingerprint.h"
#include "presort/core/machine/machine.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {

// Makes a machine's fingerprint. Hard fields: instruction set, size, ways and line of each cache
// level ("L2.size"), version of the kernels. Soft fields: clock, compiler, operating system kernel.
// Cache geometry and clock are the machine file's, the other fields this process' own.
Fingerprint make_fingerprint(const Machine& machine, const io::Provenance& provenance);

// The fingerprint of the machine that this process runs on, without a probe. What the system does
// not tell (the clock; on some systems the ways of caches) is left out.
Fingerprint host_fingerprint(const io::Provenance& provenance);

// Warns of differing soft fields on stderr, and of hard ones with `force`. `path` is that of the
// tuned file.
// Errors: InputError naming the hard fields that differ, unless `force`
void require_fingerprint(const std::string& path, const Fingerprint& file, const Fingerprint& here,
                         bool force);

}  // namespace presort::app
