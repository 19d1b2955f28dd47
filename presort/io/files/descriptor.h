// A file descriptor that closes itself, and functions on descriptors.
#pragma once

#include <string_view>
#include <utility>

namespace presort::inline v0::io {

// An open file descriptor, closed when it goes out of scope; -1: none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() { close_now(); }
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

  // Closes the file. False when the system could not store what was written; errno says why.
  bool close_now();

 private:
  int descriptor_ = -1;
};

// Writes all of a text to a descriptor, in as many system calls as it takes. False when it fails:
// errno says why.
bool write_all(int descriptor, std::string_view text);

// Makes changes of the names in a folder durable. A file system that cannot sync folders is no
// error.
// Requires: `folder` is a folder, open for reading or as a path
void sync_folder(int folder);

}  // namespace presort::io
