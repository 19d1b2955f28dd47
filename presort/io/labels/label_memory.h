// Allocates memory for labels, 8 bytes each, after checking that it is available: a kernel that
// overcommits grants more than it has, and later kills the process that uses it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presort::inline v0::io {

// Bytes available on this machine: MemAvailable of /proc/meminfo; the largest number if it says
// nothing.
uint64_t memory_left_bytes();

// Reserves room for `count` labels in all. `path`, the labels' file, is for messages.
// Errors: EnvironmentError naming both sizes when the room exceeds `left_bytes`, or the system
// refuses it
void make_room(std::vector<uint64_t>& labels, uint64_t count, const std::string& path,
               uint64_t left_bytes = memory_left_bytes());

// Appends one label; a full array is first given twice the room.
void append_label(std::vector<uint64_t>& labels, uint64_t label, const std::string& path);

}  // namespace presort::io
