// Reads extents of a file one after the other, some ahead of the one in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "presort/cpu/pages.h"
#include "presort/external/opened.h"
#include "presort/external/transfers/transfers.h"

namespace presort::inline v0::external {

class ExtentReader {
 public:
  // Begins to read. `name`: the file's name, for messages
  // Requires: extents of a file for direct I/O begin at multiples of kDirectBytes; all have at most most_bytes bytes each;
  //           the transfers outlive this object
  // Errors:   EnvironmentError when memory is short
  ExtentReader(Transfers& transfers, int file, std::string name, std::vector<Extent> extents,
               uint64_t most_bytes, int depth);
  ~ExtentReader();
  ExtentReader(const ExtentReader&) = delete;
  ExtentReader& operator=(const ExtentReader&) = delete;

  // The bytes of the next extent, until the next call; empty after the last one.
  // Errors: InputError "NAME: …" when it cannot be read, or the file has become shorter
  std::span<const std::byte> next();

  uint64_t read_bytes() const { return read_bytes_; }

 private:
  struct Slot {
    std::byte* memory = nullptr;
    Transfers::Ticket ticket = 0;
    bool is_under_way = false;
  };
  void ask(size_t extent);

  Transfers& transfers_;
  int file_;
  std::string name_;
  std::vector<Extent> extents_;
  cpu::PageBuffer memory_;
  std::vector<Slot> slots_;  // extent i is read into slot i modulo their number
  size_t next_ = 0;          // extent that next() returns
  uint64_t read_bytes_ = 0;
};

}  // namespace presort::external
