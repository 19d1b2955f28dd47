// The problem, plan and files that the passes of one run share, and the measurement of a pass.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "presort/external/external_run.h"
#include "presort/external/opened.h"
#include "presort/external/output_file.h"

namespace presort::inline v0::external {

struct PassContext {
  const Problem& problem;
  const ExternalPlan& plan;
  Transfers& transfers;
  const SourceFile& labels;
  const SourceFile& values;  // gather: the table
  OutputFile& out;
  std::string spill_folder;
  StopToken stop;
  ExternalReport& report;
};

// Time of a pass, from its constructor to done().
class PassClock {
 public:
  void done(ExternalReport& report, const char* name, uint64_t read_bytes,
            uint64_t written_bytes) const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    report.passes.push_back({name, spent.count(), read_bytes, written_bytes});
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace presort::external
