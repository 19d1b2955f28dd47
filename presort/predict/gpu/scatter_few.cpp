#include "presort/predict/gpu/scatter_few.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "presort/predict/gpu/input_bytes.h"

namespace presort::inline v0::predict {
namespace {

using sim::gpu::GpuMemory;
using sim::gpu::WarpAccess;
using sim::gpu::WarpAccessKind;

constexpr uint64_t kIndexBytes = 4;  // bytes of a bucket's last index

WarpAccess at_labels(WarpAccessKind kind, uint64_t array, const WarpLabels& row, uint64_t bytes) {
  WarpAccess access;
  access.kind = kind;
  access.bytes = static_cast<uint32_t>(bytes);
  for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
    access.addresses[lane] = array + row[lane] * bytes;
  }
  return access;
}

void access_some(GpuMemory& memory, int multiprocessor, const WarpAccess& access) {
  if (access.lanes != 0) {
    memory.access(multiprocessor, access);
  }
}

}  // namespace

KernelSample sample_scatter_few(const GpuHardware& gpu, const ScatterFew& kernel,
                                ScatterFewStep step, const std::function<uint64_t()>& labels) {
  SampleSize size = sample_size(gpu, kernel.n, 1, 0);
  std::vector<WarpLabels> rows;
  std::unordered_map<uint64_t, uint64_t> last;  // last row of each label
  for (uint64_t i = 0; i < size.measured_warps; ++i) {
    rows.push_back(next_row(labels));
    for (const uint64_t label : rows.back()) {
      last[label] = i;
    }
  }
  // The inputs of a kernel leave their sectors to the next one, as far as the L2 has room.
  size.warm_warps = step == ScatterFewStep::clear ? 0 : rows.size();
  std::unordered_set<uint64_t> found;  // labels of which a later input was there
  const auto step_row = [&](GpuMemory& memory, int multiprocessor, uint64_t i) {
    const bool clears = step == ScatterFewStep::clear || i < size.warm_warps;
    const uint64_t number = i % rows.size();
    // The last inputs come first where the last of each label is looked for.
    const WarpLabels& row =
        rows[step == ScatterFewStep::find_last && !clears ? rows.size() - 1 - number : number];
    memory.access(multiprocessor, row_access(WarpAccessKind::load, kLabelArray,
                                             number * kLanesOfWarp, kernel.label_bytes));
    WarpAccess word = at_labels(WarpAccessKind::store, kOutputArray, row, kIndexBytes);
    if (clears) {
      return memory.access(multiprocessor, word);
    }
    word.kind = WarpAccessKind::load;
    memory.access(multiprocessor, word);
    if (step == ScatterFewStep::find_last) {
      word.kind = WarpAccessKind::atomic;
      for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
        word.lanes &= found.contains(row[lane]) ? ~(uint32_t{1} << lane) : ~uint32_t{0};
      }
      found.insert(row.begin(), row.end());
      const bool is_uniform =
          std::all_of(row.begin(), row.end(), [&](uint64_t label) { return label == row[0]; });
      word.lanes &= is_uniform ? 1 : ~uint32_t{0};
      return access_some(memory, multiprocessor, word);
    }
    WarpAccess bucket = at_labels(WarpAccessKind::store, kBucketArray, row, kernel.value_bytes);
    for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
      bool is_last = last[row[lane]] == number;
      for (size_t later = lane + 1; later < kLanesOfWarp; ++later) {
        is_last &= row[later] != row[lane];
      }
      bucket.lanes &= is_last ? ~uint32_t{0} : ~(uint32_t{1} << lane);
    }
    WarpAccess value =
        row_access(WarpAccessKind::load, kValueArray, number * kLanesOfWarp, kernel.value_bytes);
    value.lanes = bucket.lanes;
    access_some(memory, multiprocessor, value);
    access_some(memory, multiprocessor, bucket);
  };
  // Half of the lines that streams leave are taken to be written.
  return run_sample(gpu, kernel.n, size, 0.5, step_row);
}

}  // namespace presort::predict
