// Checks that a tuned table belongs to the machine that this process runs on. For programs that
// link the kernels and read a tuned file themselves.
#pragma once

#include <string>
#include <vector>

#include "presort/core/machine/fingerprint.h"
#include "presort/core/plan/tuned.h"

namespace presort::inline v0::io {

// The fingerprint of this process: isa, kernels, compiler and kernel, and the caches of processor 0
// as Linux announces them in /sys. Fields that Linux does not tell, such as the clock, are left
// out.
Fingerprint host_fingerprint();

// Compares a tuned table's fingerprint with this process'. Returns sentences of the soft fields that differ,
// for a warning.
// Errors: InputError naming the file and all hard fields that differ, with both values
std::vector<std::string> require_this_machine(const Tuned& tuned, const std::string& file);

// Adds to the fingerprint the caches that a folder like /sys/devices/system/cpu/cpu0/cache
// announces.
void add_announced_caches(const std::string& folder, Fingerprint& print);

}  // namespace presort::io
