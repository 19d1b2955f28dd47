// Memory for labels, 8 bytes each, whose availability is checked first: a kernel that overcommits
// gives what it does not have, and ends the process that uses it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presort::inline v0::io {

// Bytes available on this machine: MemAvailable of /proc/meminfo; the largest number if it says
// nothing.
uint64_t memory_left_bytes();

// Makes room for `count` labels in all. `path` is the file that they come from.
// Errors: EnvironmentError naming both sizes when that is more than `left_bytes`, or refused
void make_room(std::vector<uint64_t>& labels, uint64_t count, const std::string& path,
               uint64_t left_bytes = memory_left_bytes());

// Appends one label, after making twice the room where there is none left.
void append_label(std::vector<uint64_t>& labels, uint64_t label, const std::string& path);

}  // namespace presort::io
