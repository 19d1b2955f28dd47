#include "presort/gpu/plan/devices/scheme_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "presort/gpu/plan/launch_shapes.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::gpu {
namespace {

class SchemeTimer {
 public:
  SchemeTimer(const Gpu& gpu, const DeviceLink& link, const DevicesProblem& shared)
      : gpu_(gpu),
        link_(link),
        shared_(shared),
        n_(static_cast<double>(shared.problem.n)),
        m_(static_cast<double>(shared.problem.m)),
        others_((shared.devices - 1.0) / shared.devices),
        label_bytes_(static_cast<double>(size_bytes(shared.problem.types.label))),
        value_bytes_(static_cast<double>(size_bytes(shared.problem.types.value))) {}

  double ns(DeviceScheme scheme) const {
    const Operation operation = shared_.problem.operation;
    if (operation == Operation::gather) {
      return scheme == DeviceScheme::tables   ? gather_copied()
             : scheme == DeviceScheme::inputs ? gather_where_it_lies()
                                              : kNever;
    }
    if (scheme == DeviceScheme::tables) {
      return operation == Operation::scatter ? scatter_tables() : tables(value_bytes_);
    }
    if (scheme == DeviceScheme::rounds) {
      return shared_.fits_rounds ? rounds() : kNever;
    }
    return inputs();
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kSector = 32;

  double over_link(double bytes) const { return bytes / link_.bandwidth * 1e9; }
  double copied(double bytes) const { return bytes / gpu_.copy_bandwidth * 1e9; }
  double step() const { return gpu_.launch_ns + gpu_.step_ns; }

  PlanTime time_of(uint64_t m, const GpuPlan& plan) const {
    Problem problem = shared_.problem;
    problem.m = std::max<uint64_t>(m, 1);
    return problem.operation == Operation::multireduceInOrder
               ? ordered_plan_time(gpu_, problem, plan)
               : plan_time(gpu_, problem, plan);
  }
  double local_ns(uint64_t m, const GpuPlan& plan) const {
    return time_of(m, plan).ns_per_input * n_;
  }
  // Time, ns, of an owner's plan for one of the chunks.
  double chunk_ns(uint64_t m, const GpuPlan& plan) const {
    Problem problem = shared_.problem;
    problem.m = std::max<uint64_t>(m, 1);
    problem.n = std::max<uint64_t>(problem.n / static_cast<uint64_t>(shared_.chunks), 1);
    return plan_time(gpu_, problem, plan).ns_per_input * static_cast<double>(problem.n);
  }
  uint64_t owned() const { return shared_.problem.m / static_cast<uint64_t>(shared_.devices); }

  // Fills the tables and combines them: an owner's range of each table crosses the link, but for
  // its own; memory meanwhile serves this device's reads and writes, and the reads of the others.
  double tables(double bytes) const {
    const double own = m_ / shared_.devices * bytes;
    const double memory = copied(3 * own + others_ * m_ * bytes);
    return local_ns(shared_.problem.m, shared_.plan) + copied(m_ * bytes) + step() +
           std::max(over_link(others_ * m_ * bytes), memory) + step() + link_.latency_ns;
  }

  // Each device's own plan, which ends in a table of values; owners read these, with a bit for
  // each.
  double scatter_tables() const {
    const double own = m_ / shared_.devices * value_bytes_;
    const double bytes = others_ * m_ * (value_bytes_ + 1.0 / 8);
    return local_ns(shared_.problem.m, shared_.plan) +
           std::max(over_link(bytes), copied(2 * own + bytes)) + step() + link_.latency_ns;
  }

  // Bytes of tables that a device combines with the buckets of all owners in all rounds: every
  // bucket once, and once more where a slice of the pairs ends inside a part
  // (gpu/device/update_parts.cuh).
  double combined_bytes() const {
    const DeviceLimits device = limits_of(gpu_);
    const uint64_t m = shared_.problem.m;
    const int ranges = ranges_of_part(shared_.plan, m, static_cast<size_t>(value_bytes_), device);
    const double part_buckets =
        std::exp2(label_bits(m) - shared_.plan.presort.value_or(GpuPresort{}).sort_bits);
    const double part_bytes = value_bytes_ * part_buckets;
    const auto table_bytes = static_cast<size_t>(part_bytes / ranges) + kSpareBytes;
    const double pairs = n_ / shared_.devices;  // of a round
    const auto slices = static_cast<double>(
        parts_launch(device, static_cast<uint64_t>(pairs), table_bytes, ranges, {}).slices);
    const double rounds = shared_.devices;
    return pairs / slices < part_buckets
               ? std::max(m_ * value_bytes_, rounds * slices / 2 * part_bytes)
               : m_ * value_bytes_ + rounds * slices * part_bytes;
  }

  // All phases of the plan but "tables", then these in one round for each device, each with its
  // share of the bytes that cross the link.
  double rounds() const {
    double before = 0;
    double in_rounds = 0;
    for (const GpuPhase& phase : time_of(shared_.problem.m, shared_.plan).phases) {
      (phase.name == "tables" ? in_rounds : before) += phase.ns_per_input * n_;
    }
    return before + std::max(in_rounds, over_link(others_ * combined_bytes())) +
           (shared_.devices - 1) * (step() + link_.latency_ns);
  }

  // Counts labels, waits for the host, sends, and works on the own buckets. In chunks: the host
  // waits for each chunk's counts, then the slower of sending and reducing counts for every chunk
  // but the first that is sent and the last that is reduced.
  double inputs() const {
    const bool has_values = shared_.problem.operation != Operation::histogram;
    const double bytes = n_ * (label_bytes_ + (has_values ? value_bytes_ : 0));
    const double chunks = shared_.chunks;
    const double count = n_ * label_bytes_ / gpu_.read_bandwidth * 1e9 + chunks * 2 * step();
    if (shared_.chunks > 1) {
      const double sent = std::max(over_link(others_ * bytes), copied(2 * bytes)) / chunks +
                          step() + link_.latency_ns;
      const double reduced = chunk_ns(owned(), shared_.plan_of_owner);
      return count + (1 + chunks) * link_.latency_ns + sent +
             (chunks - 1) * std::max(sent, reduced) + reduced;
    }
    const double crossed = over_link(others_ * bytes);
    const double sent =
        shared_.packs ? copied(2 * bytes) + crossed + step() : std::max(crossed, copied(2 * bytes));
    return count + 2 * link_.latency_ns + sent + step() + link_.latency_ns +
           local_ns(owned(), shared_.plan_of_owner);
  }

  double gather_copied() const {
    return std::max(over_link(others_ * m_ * value_bytes_), copied(2 * m_ * value_bytes_)) +
           step() + link_.latency_ns + local_ns(shared_.problem.m, shared_.plan);
  }

  // Each read of another device's bucket is a sector that crosses the link.
  double gather_where_it_lies() const {
    const double sector = std::max(kSector, value_bytes_);
    return std::max(over_link(others_ * n_ * sector), local_ns(owned(), shared_.plan_of_owner)) +
           link_.latency_ns;
  }

  const Gpu& gpu_;
  const DeviceLink& link_;
  const DevicesProblem& shared_;
  double n_;
  double m_;
  double others_;  // share of buckets that other devices own
  double label_bytes_;
  double value_bytes_;
};

}  // namespace

double scheme_ns(const Gpu& gpu, const DeviceLink& link, const DevicesProblem& shared,
                 DeviceScheme scheme) {
  return SchemeTimer(gpu, link, shared).ns(scheme);
}

DeviceScheme choose_scheme(const Gpu& gpu, const DeviceLink& link, const DevicesProblem& shared) {
  const SchemeTimer timer(gpu, link, shared);
  DeviceScheme best = DeviceScheme::tables;
  double least = timer.ns(best);
  for (const DeviceScheme scheme : {DeviceScheme::inputs, DeviceScheme::rounds}) {
    // Rounds launch most kernels: a gain that is no clear one does not decide for them.
    const double ns = timer.ns(scheme);
    const double clear = scheme == DeviceScheme::rounds ? kClearGain : 1;
    if (ns * clear < least) {
      best = scheme;
      least = ns;
    }
  }
  return best;
}

DeviceScheme remembered_scheme(const Gpu& gpu, const DeviceLink& link,
                               const DevicesProblem& shared) {
  struct Known {
    const Gpu* gpu = nullptr;
    DeviceLink link;
    DevicesProblem shared;
    DeviceScheme scheme{};
  };
  thread_local Known known;
  if (known.gpu != &gpu || !(known.link == link) || !(known.shared == shared)) {
    known = {&gpu, link, shared, choose_scheme(gpu, link, shared)};
  }
  return known.scheme;
}

}  // namespace presort::gpu
