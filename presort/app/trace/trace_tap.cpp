#include "presort/app/trace/trace_tap.h"

#include "presort/app/cli/interrupt.h"
#include "presort/app/trace/recorder.h"
#include "presort/core/error.h"

namespace presort::inline v0::app {

Prefix prefix_of(std::span<const sim::Access> records, uint64_t most) {
  Prefix result{0, 0};
  for (; result.records < records.size(); ++result.records) {
    const bool access = records[result.records].kind != sim::AccessKind::branch;
    if (access && result.accesses == most) {
      break;
    }
    result.accesses += access;
  }
  return result;
}

std::span<const sim::Access> TraceTap::next() {
  if (left_ == 0 || interrupted_) {
    return {};
  }
  const std::span<const sim::Access> records = next_of_source();
  const Prefix part = prefix_of(records, left_);
  left_ -= part.accesses;
  const auto first = records.first(part.records);
  try {
    if (sink_ != nullptr && !first.empty()) {
      sink_->write(first);
    }
  } catch (const Stopped&) {
    interrupted_ = true;
  }
  interrupted_ = interrupted_ || interrupted();
  return first;
}

std::span<const sim::Access> TraceTap::next_of_source() {
  try {
    const auto records = source_.next();
    begun_ = true;
    return records;
  } catch (const InputError& error) {
    if (!begun_) {
      throw;
    }
    error_ = error.what();
    return {};
  }
}

}  // namespace presort::app
