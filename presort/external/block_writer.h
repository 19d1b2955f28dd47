// Writes blocks to a file from a pool of buffers, while the caller fills others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "presort/cpu/pages.h"
#include "presort/external/transfers/transfers.h"

namespace presort::inline v0::external {

class BlockWriter {
 public:
  // Makes `buffers` buffers of `block_bytes` bytes. `name`: the file's name, for messages
  // Requires: block_bytes is a multiple of kDirectBytes; buffers is more than the caller holds at a
  //           time; the transfers outlive this object
  BlockWriter(Transfers& transfers, int file, std::string name, uint64_t block_bytes,
              size_t buffers);
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  // A buffer that nobody uses; waits for the oldest write where there is none.
  // Errors: InputError "NAME: cannot be written: …" of that write
  std::byte* take();

  // Begins to write the front of a buffer, which goes back to the pool when it is written; the
  // bytes are rounded up to a multiple of kDirectBytes.
  // Requires: a buffer of take(); offset is a multiple of kDirectBytes
  void write(std::byte* buffer, uint64_t offset, uint64_t bytes);

  // Waits for all writes. Errors: as take()
  void finish();

  uint64_t written_bytes() const { return written_bytes_; }

 private:
  struct UnderWay {
    Transfers::Ticket ticket;
    std::byte* buffer;
    uint64_t bytes;
  };
  void finish_oldest();

  Transfers& transfers_;
  int file_;
  std::string name_;
  cpu::PageBuffer memory_;
  std::vector<std::byte*> free_;
  std::deque<UnderWay> under_way_;
  uint64_t written_bytes_ = 0;
};

// Throws InputError "NAME: cannot be written: …" unless all bytes of a write were moved.
void check_written(const std::string& name, const Outcome& outcome);

}  // namespace presort::external
