#include "presort/external/extent_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/plan/external_plan.h"

namespace presort::inline v0::external {

ExtentReader::ExtentReader(Transfers& transfers, int file, std::string name,
                           std::vector<Extent> extents, uint64_t most_bytes, int depth)
    : transfers_(transfers),
      file_(file),
      name_(std::move(name)),
      extents_(std::move(extents)),
      slots_(std::min(static_cast<size_t>(depth), extents_.size())) {
  const uint64_t bytes = saturating_round_up(most_bytes, kDirectBytes);
  memory_ = cpu::PageBuffer(slots_.size() * bytes, PageSize::k2MiB);
  for (size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].memory = memory_.data() + i * bytes;
    ask(i);
  }
}

ExtentReader::~ExtentReader() {
  for (const Slot& slot : slots_) {
    if (slot.is_under_way) {
      transfers_.finish(slot.ticket);
    }
  }
}

void ExtentReader::ask(size_t extent) {
  Slot& slot = slots_[extent % slots_.size()];
  const Extent& wanted = extents_[extent];
  slot.ticket = transfers_.start({Transfer::Kind::read, file_, wanted.offset, slot.memory,
                                  saturating_round_up(wanted.bytes, kDirectBytes)});
  slot.is_under_way = true;
}

std::span<const std::byte> ExtentReader::next() {
  // The slot of the extent before this one is free now
  if (next_ > 0 && next_ - 1 + slots_.size() < extents_.size()) {
    ask(next_ - 1 + slots_.size());
  }
  if (next_ == extents_.size()) {
    return {};
  }
  Slot& slot = slots_[next_ % slots_.size()];
  const Extent& wanted = extents_[next_];
  slot.is_under_way = false;
  const Outcome outcome = transfers_.finish(slot.ticket);
  if (outcome.error != 0) {
    throw InputError(name_ + ": cannot be read: " + std::strerror(outcome.error));
  }
  if (outcome.bytes < wanted.bytes) {
    throw InputError(name_ + ": ends at byte " + std::to_string(wanted.offset + outcome.bytes) +
                     ", where there was more when it was opened: cut short while it was read");
  }
  read_bytes_ += wanted.bytes;
  ++next_;
  return {slot.memory, wanted.bytes};
}

}  // namespace presort::external
