// Identifies the machine that a tuned table belongs to, and tells how two such identities differ.
// Pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace presort::inline v0 {

// Names and values of a fingerprint's fields, such as "L2.size" and "2MiB".
using FingerprintFields = std::vector<std::pair<std::string, std::string>>;

// Differences of two fingerprints. Hard ones refuse a tuned table, soft ones warn.
struct Fingerprint {
  // Fields that must agree: cache geometry, instruction set, version of the kernels
  FingerprintFields hard;
  FingerprintFields soft;  // fields whose difference only warns: clock, compiler, system kernel
};

// One sentence for each field that both fingerprints have and that differs: "L2.size: the file has
// 1MiB, here it is 2MiB". A field that only one fingerprint has is not compared. Clocks that differ
// by less than a tenth count as the same: two probes of a virtual machine are as far apart.
struct FingerprintDifference {
  std::vector<std::string> hard;
  std::vector<std::string> soft;
};
FingerprintDifference compare_fingerprints(const Fingerprint& file, const Fingerprint& here);

// The message that refuses a table: "tuned.yaml is of another machine: L2.size: the file has 1MiB,
// here it is 2MiB; …"
// Requires: a hard difference
std::string other_machine_message(const std::string& file, const FingerprintDifference& difference);

}  // namespace presort
