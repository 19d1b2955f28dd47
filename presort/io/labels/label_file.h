// Label files. The name's ending says the format:
//   .u32 .bin .raw   raw little-endian 32-bit integers, nothing else in the file
//   .u64             raw little-endian 64-bit integers
//   .npy             NumPy array, format 1 to 3, one dimension, C order,
//                    of type |u1 <u2 <u4 <u8 <i4 <i8
//   .txt             one decimal number a line; blank lines and what follows a '#' are skipped
// Errors: InputError naming the file, the line or the offset or index, what was found and what is
//         accepted: unreadable or empty files, sizes that do not fit, negative labels, and labels
//         that are not below m ("labels.u32: label 9 at index 3 is not below the number of
//         buckets, 8"). EnvironmentError naming both sizes when there is not enough memory: a label
//         takes 8 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/base/stop.h"

namespace presort::inline v0::io {

// Reads all labels of a file, in order.
// Requires: m >= 1
// Errors: those at the head of this file, and Stopped once `stop` asks for it
std::vector<uint64_t> read_labels(const std::string& path, uint64_t m, StopToken stop = {});

}  // namespace presort::io
