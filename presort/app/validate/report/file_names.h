// Names of the files that a validation writes to its folder, of a CPU or of a GPU, beside the plots.
#pragma once

namespace presort::inline v0::app {

inline constexpr char kResultFile[] = "result.jsonl";
inline constexpr char kSummaryFile[] = "summary.txt";
inline constexpr char kJsonFile[] = "validate.json";
inline constexpr char kReportFile[] = "report.html";

}  // namespace presort::app
