#include "presort/predict/trace/phase_trace.h"

#include <doctest/doctest.h>

#include "tests/predict/trace_rig.h"

namespace presort::inline v0::predict::phase_trace_test {
namespace {

using namespace test;

using Input = cpu::SeparateInput<TracingMemory, uint32_t, uint32_t>;

TEST_CASE("a trace is what the phase records, whatever the batches") {
  std::vector<uint32_t> labels(1000);
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<uint32_t>(i * 7 % 256);
  }
  const cpu::Direct<TracingMemory, Input, uint32_t, cpu::AssignUpdate> phase{
      {backed<const uint32_t>(kLabels, labels), {kValues}}, {kBuckets}, {}};
  for (const auto& [first, last] : {std::pair{0, 1000}, {17, 17 + 256}, {17, 17 + 257}, {5, 5}}) {
    TracingMemory whole;
    phase.step(first, last, whole);
    TracingMemory memory;
    PhaseTrace trace(phase, first, last, memory);
    std::vector<Access> records;
    for (auto batch = trace.next(); !batch.empty(); batch = trace.next()) {
      records.insert(records.end(), batch.begin(), batch.end());
    }
    check_records(records, whole.records());
    CHECK(trace.next().empty());
  }
}

}  // namespace
}  // namespace presort::predict::phase_trace_test
