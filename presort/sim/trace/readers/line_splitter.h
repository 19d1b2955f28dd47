// Cuts accesses that straddle lines into one record per line, as the caches see them.
#pragma once

#include <vector>

#include "presort/sim/trace/access.h"
#include "presort/sim/trace/renumbering.h"

namespace presort::inline v0::sim {

class LineSplitter final : public AccessSource {
 public:
  // Cuts the accesses of `source`.
  // Requires: source outlives the splitter; line_bytes is a power of two
  LineSplitter(AccessSource& source, uint64_t line_bytes)
      : source_(source), line_bytes_(line_bytes) {}

  // The next records of the trace, cut at line ends. Dependences are renumbered: a record that
  // depended on an access waits for its last part.
  std::span<const Access> next() override;

  // Number of accesses that crossed a line's end and were cut
  uint64_t straddling() const { return straddling_; }

 private:
  void split(Access record);

  AccessSource& source_;
  uint64_t line_bytes_;
  Renumbering numbers_;
  std::vector<Access> records_;
  uint64_t straddling_ = 0;
};

}  // namespace presort::sim
