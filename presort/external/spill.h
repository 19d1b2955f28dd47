// A file without a name that holds the inputs of a partition, or results on their way back. It is
// gone when it is closed, whatever ends the process. Blocks of all parts follow each other in the
// order in which they were filled, so that the device writes in one direction; each part knows its
// blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/external/opened.h"
#include "presort/io/files/descriptor.h"

namespace presort::inline v0::external {

class Spill {
 public:
  // Makes a file in a folder, of at most `most_bytes` bytes, for which room is taken at once.
  // Errors: InputError "FOLDER: …" when no file can be made there, or its device is full
  Spill(const std::string& folder, uint64_t parts, uint64_t most_bytes);

  int file() const { return file_.get(); }
  const std::string& name() const { return name_; }  // for messages: "FOLDER (spill file)"
  bool is_direct() const { return is_direct_; }

  // Takes the next place, for a block of a part, and returns where it begins in the file.
  uint64_t append(uint64_t part, uint64_t bytes);

  // The blocks of a part in the order in which they were appended.
  const std::vector<Extent>& blocks(uint64_t part) const { return blocks_[part]; }

 private:
  io::Descriptor file_;
  std::string name_;
  bool is_direct_ = false;
  uint64_t end_ = 0;
  std::vector<std::vector<Extent>> blocks_;
};

}  // namespace presort::external
