// libFuzzer target of a reader of files other than YAML, PRESORT_FUZZ_FILE: bytes are refused with an
// InputError, or what was read keeps the reader's promises.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "presort/core/error.h"
#include "presort/core/text/range.h"
#include "presort/io/files/compressed_text.h"
#include "presort/io/json/loop_lines.h"
#include "presort/io/json/report_lines.h"
#include "presort/io/json/result_lines.h"
#include "presort/io/labels/npy_header.h"
#include "presort/io/machine/latency_matrix_file.h"

namespace {

using namespace presort;

void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

void require_times(const std::vector<double>& times) {
  require(!times.empty());
  for (const double ns : times) {
    require(contains(kTimeOfInput, ns));
  }
}

[[maybe_unused]] void read_results(const std::string& text) {
  for (const io::RecordedPoint& point : io::parse_result_lines(text, "fuzz")) {
    require_times(point.ns);
    require_times(point.raw_ns);
    require(point.quiet <= point.ns.size() && can_run(point.plan, point.problem));
  }
}

[[maybe_unused]] void read_reports(const std::string& text) {
  const io::ReportLines lines = io::parse_report_lines(text, "fuzz");
  require(!lines.results.empty() || !lines.gpu.empty());
  for (const io::ReportLine& line : lines.results) {
    require_times(line.point.ns);
    require(!line.forecast || (contains(kTimeOfInput, line.forecast->ns) &&
                               line.forecast->low <= line.forecast->high));
  }
  for (const io::GpuReportLine& line : lines.gpu) {
    require(line.n > 0 && line.m > 0 && !line.plans.empty());
  }
}

[[maybe_unused]] void read_loops(const std::string& text) {
  for (const io::RecordedLoop& recorded : io::parse_loop_lines(text, "fuzz")) {
    require_times(recorded.ns);
    require(recorded.quiet <= recorded.ns.size());
    check_loop(recorded.loop);
  }
}

[[maybe_unused]] void read_matrix(const std::string& text) {
  const LatencyMatrix matrix = io::parse_latency_matrix(text, "fuzz");
  require(matrix.clock_hz >= 1e6 && matrix.clock_hz <= 1e12);
  for (const LatencyTable& table : matrix.tables) {
    for (const LatencyCell& cell : table.cells) {
      require(cell.cycles > 0 && cell.stride_bytes > 0);
      require(cell.footprint_bytes >= cell.stride_bytes);
    }
  }
}

[[maybe_unused]] void read_npy(const std::string& bytes) {
  std::istringstream stream(bytes);
  const io::NpyHeader header = io::read_npy_header(stream, "fuzz");
  require(header.element_bytes >= 1 && header.element_bytes <= 8);
  require(header.data_offset <= bytes.size());
}

[[maybe_unused]] void read_compressed(const std::string& bytes) {
  const int file = memfd_create("fuzz", MFD_CLOEXEC);
  require(file >= 0);
  require(write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  try {
    io::read_maybe_compressed("/proc/self/fd/" + std::to_string(file));
  } catch (const InputError&) {
  }
  close(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    PRESORT_FUZZ_FILE(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const InputError&) {
  }
  return 0;
}
