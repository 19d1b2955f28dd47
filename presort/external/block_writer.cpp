#include "presort/external/block_writer.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/plan/external_plan.h"

namespace presort::inline v0::external {

BlockWriter::BlockWriter(Transfers& transfers, int file, std::string name, uint64_t block_bytes,
                         size_t buffers)
    : transfers_(transfers),
      file_(file),
      name_(std::move(name)),
      memory_(saturating_multiply(buffers, block_bytes), PageSize::k2MiB) {
  for (size_t i = buffers; i > 0; --i) {
    free_.push_back(memory_.data() + (i - 1) * block_bytes);
  }
}

BlockWriter::~BlockWriter() {
  for (const UnderWay& write : under_way_) {
    transfers_.finish(write.ticket);
  }
}

std::byte* BlockWriter::take() {
  if (free_.empty()) {
    finish_oldest();
  }
  std::byte* buffer = free_.back();
  free_.pop_back();
  return buffer;
}

void BlockWriter::write(std::byte* buffer, uint64_t offset, uint64_t bytes) {
  const uint64_t rounded = saturating_round_up(bytes, kDirectBytes);
  const Transfers::Ticket ticket =
      transfers_.start({Transfer::Kind::write, file_, offset, buffer, rounded});
  under_way_.push_back({ticket, buffer, rounded});
  written_bytes_ += rounded;
}

void BlockWriter::finish() {
  while (!under_way_.empty()) {
    finish_oldest();
  }
}

void BlockWriter::finish_oldest() {
  const UnderWay oldest = under_way_.front();
  under_way_.pop_front();
  const Outcome outcome = transfers_.finish(oldest.ticket);
  free_.push_back(oldest.buffer);
  check_written(name_, outcome);
}

void check_written(const std::string& name, const Outcome& outcome) {
  if (outcome.error != 0) {
    throw InputError(name + ": cannot be written: " + std::strerror(outcome.error));
  }
}

}  // namespace presort::external
