// The header of a NumPy .npy file.
// Source: numpy.lib.format, "NPY format" (NEP 1), versions 1.0 to 3.0.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

namespace presort::inline v0::io {

struct NpyHeader {
  uint64_t data_offset = 0;    // bytes from the start of the file to the data
  uint64_t count = 0;          // number of elements
  uint64_t element_bytes = 0;  // bytes of an element: 1, 2, 4 or 8
  bool is_signed = false;
  bool is_float = false;
};

// Types of elements that a .npy file may have: those of label files, or also f4 and f8.
enum class NpyTypes { labels, numbers };

// Reads a .npy header from the start of the stream. `file` is the name used in messages.
// Errors: InputError for anything but one dimension in C order of one of these types.
NpyHeader read_npy_header(std::istream& stream, const std::string& file,
                          NpyTypes types = NpyTypes::labels);

}  // namespace presort::io
