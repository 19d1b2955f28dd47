// A user's program: every header that docs/how-to/cpp.md lists, each operation called once and
// compared with what it must give. Prints "right", or the operation that is wrong.
#include <presort/cpu/choose.h>
#include <presort/cpu/gather.h>
#include <presort/cpu/histogram.h>
#include <presort/cpu/multireduce.h>
#include <presort/cpu/multiscan.h>
#include <presort/cpu/multitag.h>
#include <presort/cpu/pages.h>
#include <presort/cpu/partial_sort.h>
#include <presort/cpu/reduce_axes.h>
#include <presort/cpu/scatter.h>
#include <presort/cpu/segmented.h>
#include <presort/cpu/thread_team.h>
#include <presort/presort.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

namespace {

using Words = std::vector<uint32_t>;

const Words kLabels = {3, 1, 3, 0};
const Words kValues = {10, 20, 30, 40};
const presort::Tuned kByRule;

int wrong = 0;

void expect(const char* operation, const Words& found, const Words& expected) {
  if (found != expected) {
    std::printf("%s is wrong\n", operation);
    ++wrong;
  }
}

void call_with_chosen_plans() {
  Words sums(4, 0), last(4, 7), found(4), counts(4, 0);
  presort::multireduce(kLabels, kValues, sums, kByRule);
  expect("multireduce", sums, {40, 20, 0, 40});
  presort::scatter(kLabels, kValues, last, kByRule);
  expect("scatter", last, {40, 20, 7, 30});
  presort::gather(kLabels, kValues, found, kByRule);
  expect("gather", found, {40, 20, 40, 10});
  presort::histogram(kLabels, counts, kByRule);
  expect("histogram", counts, {1, 1, 0, 2});
  Words before(4, 0), results(4);
  presort::multiscan<presort::cpu::Scan::exclusive>(kLabels, kValues, before, results, kByRule);
  expect("multiscan", results, {0, 0, 10, 0});
  Words seen(4, 0);
  presort::multitag(kLabels, seen, results, kByRule);
  expect("multitag", results, {0, 0, 1, 0});
  Words labels(4), values(4);
  std::vector<size_t> starts(5);
  presort::partial_sort(kLabels, kValues, 4, labels, values, starts, 2);
  expect("partial_sort", values, {40, 20, 10, 30});
}

void call_with_a_plan() {
  const presort::CpuPlan plan = presort::parse_cpu_plan("sortBits=1,bufferBytes=64,threads=2");
  presort::cpu::ThreadTeam threads(2);
  const size_t bytes = presort::cpu::multireduce_scratch_bytes<uint32_t, uint32_t>(plan, 4, 4);
  presort::cpu::PageBuffer scratch(bytes, presort::PageSize::k4KiB);
  Words sums(4, 0);
  presort::cpu::multireduce<uint32_t, uint32_t>(kLabels, kValues, sums, presort::Sum<uint32_t>{},
                                                plan, scratch.bytes(), threads,
                                                presort::cpu::Checks::on);
  expect("multireduce with a plan", sums, {40, 20, 0, 40});
}

void call_by_arrays_alone() {
  const std::vector<int> labels = {3, 1, 3, 0};
  Words sums(4, 0), most(4, 0);
  presort::multireduce(labels, kValues, sums);
  expect("multireduce by rule", sums, {40, 20, 0, 40});
  presort::multireduce(labels, kValues, most, presort::Max<uint32_t>{});
  expect("multireduce of maxima", most, {40, 20, 0, 30});
  const presort::Status status =
      presort::status_of([&] { presort::scatter(labels, Words(3), sums); });
  expect("a status", {static_cast<uint32_t>(status.code == presort::StatusCode::input)}, {1});
}

void call_segmented() {
  const Words offsets = {0, 1, 1, 4};
  Words sums(3);
  presort::cpu::segmented_reduce(std::span(kValues), std::span(offsets), std::span(sums),
                                 presort::Sum<uint32_t>{});
  expect("segmented_reduce", sums, {10, 0, 90});
}

void call_reduce_axes() {
  const Words matrix = {1, 2, 3, 4, 5, 6};  // a matrix with 2 rows of 3 words
  Words sums(3);
  presort::cpu::reduce_axes(
      {{2, 3}, {0}}, presort::Strided<uint32_t>{sums.data(), {0, 1}}, presort::Sum<uint32_t>{},
      [](uint32_t value) { return value; },
      presort::Strided<const uint32_t>{matrix.data(), {3, 1}});
  expect("reduce_axes", sums, {5, 7, 9});
}

}  // namespace

int main() {
  call_with_chosen_plans();
  call_with_a_plan();
  call_by_arrays_alone();
  call_segmented();
  call_reduce_axes();
  if (wrong == 0) {
    std::puts("right");
  }
  return wrong;
}
