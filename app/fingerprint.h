// What ties a tuned file to a machine, and how two such ties differ.
#pragma once

#include <string>
#include <vector>

#include "core/machine.h"
#include "core/tuned.h"
#include "io/provenance.h"

namespace presort::app {

// Hard: instruction set, size, ways and line of each cache level ("L2.size"), version of the
// kernels. Soft: clock, compiler, operating system kernel. Geometry and clock are the machine
// file's, the rest is this process' own.
Fingerprint make_fingerprint(const Machine& machine, const io::Provenance& provenance);

// The same of the machine that this process runs on, without a probe: what the system does not tell
// (ways on some, the clock) is left out.
Fingerprint host_fingerprint(const io::Provenance& provenance);

// One sentence for each field of both that differs: "L2.size: the file has 1MiB, here it is
// 2MiB". A field that stands on one side only is not compared.
struct FingerprintDifference {
  std::vector<std::string> hard;
  std::vector<std::string> soft;
};
FingerprintDifference compare_fingerprints(const Fingerprint& file, const Fingerprint& here);

// Warns of soft differences on stderr, and of hard ones with `force`.
// Errors: InputError naming the hard fields that differ, unless `force`
void require_fingerprint(const Fingerprint& file, const Fingerprint& here, bool force);

}  // namespace presort::app
