#include "presort/predict/phases/part_shares.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

#include "presort/cpu/plan/passes.h"
#include "presort/cpu/presort/few_inputs.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::predict {

namespace {

namespace phase = cpu::phase;

constexpr uint64_t kSortedLabels = 1 << 16;
constexpr uint64_t kSortedRun = 16;

void add(PartsOfKind& few, double inputs) {
  few.parts += 1;
  few.inputs += inputs;
}

// Ranges of a sorted sample whose labels agree from bit `shift` up, within [first, last).
template <class F>
void for_each_part(std::span<const uint64_t> sample, int shift, const F& f) {
  for (size_t first = 0; first < sample.size();) {
    const uint64_t part = sample[first] >> shift;
    size_t last = first + 1;
    while (last < sample.size() && sample[last] >> shift == part) {
      ++last;
    }
    f(sample.subspan(first, last - first));
    first = last;
  }
}

// Mean number of inputs of parts, rounded to a power of the fourth root of two: plans whose parts
// are nearly as long share an estimate.
uint64_t rounded_mean(const PartsOfKind& few) {
  const double steps = std::round(4 * std::log2(few.inputs / few.parts));
  return static_cast<uint64_t>(std::max(1.0, std::round(std::exp2(steps / 4))));
}

void add_few(std::vector<WeighedPhase>& weighed, phase::SortFew few, const PartsOfKind& parts,
             double n, int threads) {
  if (parts.parts > 0) {
    few.inputs = rounded_mean(parts);
    weighed.push_back({few, parts.inputs / static_cast<double>(few.inputs) / n, threads});
  }
}

// The number of threads that share the work of a pass, if each does as much as the busiest.
int threads_at_work(const PassShare& share) {
  return static_cast<int>(std::max(1.0, std::round(share.inputs / share.longest.inputs)));
}

// Numbers the threads that take parts of the first pass through all later passes. The parts are put
// into groups of consecutive parts, by the kernel's own rule (cpu/presort/team_partition.h); the
// threads take the groups in their order, each thread when it is free.
class ThreadsOfParts {
 public:
  // `sample`: labels, ascending; `shift`: number of label bits below the digit of the first pass
  ThreadsOfParts(std::span<const uint64_t> sample, int shift, size_t groups, size_t threads)
      : sample_(sample), ends_(groups), threads_(groups) {
    size_t before = 0;
    for_each_part(sample, shift, [&](std::span<const uint64_t> part) {
      const size_t group = cpu::owner_of_part(before, part.size(), sample.size(), groups);
      before += part.size();
      ends_[group] = before;
    });
    std::vector<size_t> busy(threads);
    for (size_t group = 0, begin = 0; group < groups; ++group) {
      ends_[group] = std::max(ends_[group], begin);
      const auto first_free = std::ranges::min_element(busy);
      *first_free += ends_[group] - begin;
      threads_[group] = static_cast<size_t>(first_free - busy.begin());
      begin = ends_[group];
    }
  }

  // Requires: `part` is a range of the sample, not empty, of one part of the first pass
  size_t thread_of(std::span<const uint64_t> part) const {
    const auto first = static_cast<size_t>(part.data() - sample_.data());
    return threads_[static_cast<size_t>(std::ranges::upper_bound(ends_, first) - ends_.begin())];
  }

 private:
  std::span<const uint64_t> sample_;
  std::vector<size_t> ends_;     // for each group: end of its labels in the sample
  std::vector<size_t> threads_;  // for each group: its thread
};

}  // namespace

std::vector<uint64_t> sorted_sample(const LabelSource& labels) {
  const uint64_t n = labels.size();
  const uint64_t size = std::min(n, kSortedLabels);
  const uint64_t runs = std::max<uint64_t>(1, (size + kSortedRun - 1) / kSortedRun);
  std::vector<uint64_t> sample(size);
  for (uint64_t run = 0; run < runs; ++run) {
    const uint64_t done = run * kSortedRun;
    const uint64_t first = n == size ? done : run * (n / runs);
    labels.generate(first, std::span(sample).subspan(done, std::min(kSortedRun, size - done)));
  }
  std::ranges::sort(sample);
  return sample;
}

std::vector<PassShare> pass_shares(const Problem& problem, const CpuPlan& plan,
                                   const std::vector<uint64_t>& sample) {
  const int bits = label_bits(problem.m);
  const cpu::Passes passes = cpu::buffered_passes(*plan.presort, problem.operation);
  const double scale =
      static_cast<double>(problem.n) / static_cast<double>(std::max<size_t>(1, sample.size()));
  std::vector<PassShare> shares(passes.size());
  shares[0].inputs = static_cast<double>(problem.n);
  shares[0].longest = {1, shares[0].inputs};
  const auto threads = static_cast<size_t>(plan.resources.threads);
  const ThreadsOfParts team(sample, bits - passes[0].bits, cpu::share_count(problem.n, threads),
                            threads);
  // Parts of the sample that reach the current pass
  std::vector<std::span<const uint64_t>> reached{sample};
  for (size_t pass = 1; pass < passes.size(); ++pass) {
    PassShare& share = shares[pass];
    share.parts = 0;
    // Parts and inputs that each thread partitions
    std::vector<PartsOfKind> of_thread(threads);
    const cpu::Digit digit = cpu::digit_of(passes[pass], bits);
    std::vector<std::span<const uint64_t>> partitioned;
    for (const auto& whole : reached) {
      for_each_part(whole, bits - passes[pass].bits_above, [&](std::span<const uint64_t> part) {
        const double inputs = scale * static_cast<double>(part.size());
        if (!cpu::is_few(static_cast<size_t>(inputs), digit, cpu::kFewInputsPerDigit)) {
          share.parts += 1;
          share.inputs += inputs;
          add(of_thread[team.thread_of(part)], inputs);
          partitioned.push_back(part);
        } else {
          add(inputs <= cpu::kMostInserted ? share.inserted : share.in_runs, inputs);
        }
      });
    }
    share.longest = std::ranges::max(of_thread, {}, &PartsOfKind::inputs);
    reached = std::move(partitioned);
  }
  return shares;
}

std::vector<WeighedPhase> weigh_phases(const std::vector<cpu::PhaseSpec>& phases,
                                       const Problem& problem, const CpuPlan& plan,
                                       const std::vector<uint64_t>& sample) {
  const auto n = static_cast<double>(problem.n);
  const std::vector<PassShare> shares = plan.presort && plan.presort->passes > 1 && !sample.empty()
                                            ? pass_shares(problem, plan, sample)
                                            : std::vector<PassShare>{};
  const int threads = plan.resources.threads;
  std::vector<WeighedPhase> weighed;
  for (const cpu::PhaseSpec& listed : phases) {
    double items = cpu::items_per_input(listed, problem);
    std::visit(
        [&](const auto& at) {
          using Phase = std::remove_cvref_t<decltype(at)>;
          if constexpr (requires { at.pass.bits; }) {
            const auto pass = static_cast<size_t>(at.pass.from.passes);
            if (shares.empty() || pass == 0 || !at.pass.from.of_part) {
              weighed.push_back({at, items, threads});
            } else if constexpr (std::is_same_v<Phase, phase::SortFew>) {
              add_few(weighed, at, shares[pass].inserted, n, threads);
              add_few(weighed, at, shares[pass].in_runs, n, threads);
            } else if (shares[pass].longest.parts > 0) {
              // The estimate of an input is that of k threads at work, the estimate of a digit that
              // of one drain of each thread
              const int at_work = threads_at_work(shares[pass]);
              if constexpr (std::is_same_v<Phase, phase::Drain>) {
                items = std::ldexp(shares[pass].longest.parts, at.pass.bits) / n;
              } else {
                items *= at_work * shares[pass].longest.inputs / n;
              }
              weighed.push_back({at, items, at_work});
            }
          } else {
            weighed.push_back({at, items, threads});
          }
        },
        listed);
  }
  return weighed;
}

}  // namespace presort::predict
