// Files of a run on a block device: open for direct I/O where the file system has it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/types.h"
#include "presort/io/files/descriptor.h"

namespace presort::inline v0::external {

// A file that is read: where its elements lay when it was opened, and its name for messages.
struct SourceFile {
  io::Descriptor file;
  std::string name;
  uint64_t first = 0;      // byte of the file where the elements begin
  uint64_t bytes = 0;      // bytes of all elements
  bool is_direct = false;  // true: past the page cache
};

// Opens a regular file of raw elements, or of NumPy (a name that ends in .npy), whose elements begin
// behind its header, where no direct I/O can begin: it is read through the page cache.
// Errors: InputError "PATH: …" when it cannot be opened, is not a regular file, its size is not that
//         of whole elements, or a header says other elements or another number of them
SourceFile open_source(const std::string& path, ScalarType type);

// Turns a descriptor to direct I/O. False where the file system has none.
bool turn_to_direct(int file);

// Takes room for a file on its device, so that a full one is found before the work.
// Errors: InputError "NAME: cannot be written: No space left on device"
void reserve(int file, const std::string& name, uint64_t bytes);

// A range of a file, bytes.
struct Extent {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// Cuts [first, first + bytes) into extents of at most `block` bytes.
std::vector<Extent> cut(uint64_t first, uint64_t bytes, uint64_t block);

}  // namespace presort::external
