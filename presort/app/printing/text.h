// Text for people: tables, time stacks, and plans in short form.
#pragma once

#include <string>
#include <vector>

#include "presort/core/device.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/prediction.h"

namespace presort::inline v0::app {

// A table whose columns are as wide as their widest cell, two spaces apart. The first column and
// the last (free text) are left-aligned, the others right-aligned.
class TextTable {
 public:
  explicit TextTable(const std::vector<std::string>& header) { add(header); }
  // A cell is shown in one line (app/printing/displayable.h). Requires: as many cells as the header
  void add(const std::vector<std::string>& cells);
  // The table as text; where its columns do not fit `columns` columns with the last one at 20, or
  // all of it if that is less, a list instead: a paragraph for each row, with a line for each cell.
  // columns: 0: no limit
  std::string text(int columns = 0) const;

 private:
  std::string list() const;

  std::vector<std::vector<std::string>> rows_;
};

// A CPU plan in short: "direct, 2MiB pages", "direct, prefetch 16", "sort 9 bits in 1 pass, buffers
// 256B"
std::string short_plan(const CpuPlan& plan);
// A GPU plan in short: "tables in shared memory, 8 sets", "sort 8 bits in 1 pass, atomics"
std::string short_plan(const GpuPlan& plan);

// A time stack as text, one line for each term: name, ns per input, a bar. Terms of less than a
// thousandth of the time are left out.
std::string draw_stack(const TimeStack& stack);

// A time as text with at least three significant digits: "6.14", "112"; "-" for infinity, the time
// of a plan that does not exist.
std::string format_ns(double ns);
// A time in ns per input as text; GPU times, which are picoseconds, get five decimals.
std::string time_text(Device device, double ns);
std::string format_percent(double part);  // a share in percent, as text: 0.034 -> "3.4 %"
// A relative change in percent, as text: 0.034 -> "+3.4 %"
std::string signed_percent(double part);

// Text for titles: "" for complete results, otherwise " (interrupted: partial results)".
const char* partial_mark(bool complete);

}  // namespace presort::app
