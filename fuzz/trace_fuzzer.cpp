// libFuzzer target of one trace format: PRESORT_FUZZ_FORMAT, or "" for what open_trace guesses.
// Any bytes are read to their end or to an InputError; nothing else may come of them.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.h"
#include "sim/trace/line_splitter.h"
#include "sim/trace/trace_formats.h"

namespace {

using namespace presort;

constexpr std::string_view kFormat = PRESORT_FUZZ_FORMAT;

// What every reader promises of a record.
void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

void check(const sim::Access& record) {
  const bool is_branch = record.kind == sim::AccessKind::branch;
  require(is_branch ? record.size <= 1 : record.size >= 1 && record.size <= 64);
  require(record.address >> 57 == 0);
  require(record.depends_on <= sim::kLongestDependence);
  require(record.data_depends_on <= sim::kLongestDependence);
}

// Decompressed bytes have no end that their number limits: so many records are enough.
constexpr uint64_t kMostRecords = 1 << 18;

void read(const std::string& bytes, bool instructions) {
  const std::optional<std::string> format =
      kFormat.empty() ? std::nullopt : std::optional<std::string>(kFormat);
  sim::OpenedTrace trace = sim::open_trace(sim::TraceInput("fuzz", sim::bytes_of("fuzz", bytes)),
                                           format, {instructions});
  sim::LineSplitter splitter(*trace.reader, 32);
  uint64_t records = 0;
  for (auto batch = splitter.next(); !batch.empty() && records < kMostRecords;
       batch = splitter.next()) {
    records += batch.size();
    for (const sim::Access& record : batch) {
      check(record);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) {
    return 0;
  }
  try {  // the first byte chooses the options
    read(std::string(reinterpret_cast<const char*>(data) + 1, size - 1), (data[0] & 1) != 0);
  } catch (const InputError&) {
  }
  return 0;
}
