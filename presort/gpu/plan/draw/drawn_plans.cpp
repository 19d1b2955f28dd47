#include "presort/gpu/plan/draw/drawn_plans.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "presort/core/base/random.h"
#include "presort/gpu/plan/plan_list.h"

namespace presort::inline v0::gpu {
namespace {

constexpr Operation kSimulated[] = {Operation::multireduce, Operation::histogram,
                                    Operation::scatter, Operation::gather};
constexpr Operation kOthers[] = {Operation::multiscan,     Operation::multitag,
                                 Operation::partialSort,   Operation::segmentedReduce,
                                 Operation::segmentedScan, Operation::scan,
                                 Operation::compact,       Operation::reduceAxes};
constexpr ScalarType kValues[] = {ScalarType::u32, ScalarType::f32, ScalarType::u64,
                                  ScalarType::f64};

// Random numbers in the order in which they are asked for.
class Dice {
 public:
  explicit Dice(uint64_t seed) : seed_(seed) {}

  uint64_t below(uint64_t bound) { return bounded(random_u64(seed_, count_++), bound); }
  template <class T, size_t kCount>
  T of(const T (&items)[kCount]) {
    return items[below(kCount)];
  }
  // A size whose logarithm is even between the ends: every third a power of two, else odd.
  uint64_t size(int log2_low, int log2_high) {
    const double log2 =
        log2_low + (log2_high - log2_low) * unit_double(random_u64(seed_, count_++));
    return below(3) == 0 ? uint64_t{1} << std::lround(log2)
                         : static_cast<uint64_t>(std::exp2(log2)) | 1;
  }

 private:
  uint64_t seed_;
  uint64_t count_ = 0;
};

Distribution draw_labels(Dice& dice) {
  constexpr const char* kForms[] = {"uniform", "uniform", "zipf:0.75",    "zipf:1.25",
                                    "sorted",  "uniform", "clustered:16", "degenerate"};
  return parse_distribution("dist", dice.of(kForms));
}

Types draw_types(Dice& dice, Operation operation) {
  Types types;
  types.label = ScalarType::u32;
  types.value = counts_labels(operation) ? ScalarType::u32 : dice.of(kValues);
  if (operation == Operation::compact) {
    types.label = ScalarType::u8;
  }
  return types;
}

// Gives a reduceAxes a tensor of two or three axes, of about n elements.
void draw_tensor(Dice& dice, Problem& problem, int log2_most_n) {
  const int log2_rows = 4 + static_cast<int>(dice.below(static_cast<uint64_t>(log2_most_n) - 7));
  const uint64_t rows = dice.size(log2_rows, log2_rows + 1);
  const uint64_t columns = std::max<uint64_t>(2, (uint64_t{1} << (log2_most_n - 1)) / rows);
  const std::string shape = std::to_string(rows) + "x" + std::to_string(columns);
  problem.shape = parse_extents("shape", dice.below(2) == 0 ? shape : "3x" + shape);
  problem.axes = parse_axis_set("axes", dice.below(2) == 0 ? "0" : "1");
  problem.n = element_count(problem.shape);
  problem.m = kept_count(problem.shape, problem.axes);
}

Problem draw_problem(Dice& dice, int log2_most_n) {
  Problem problem;
  problem.operation = dice.below(3) < 2 ? dice.of(kSimulated) : dice.of(kOthers);
  problem.types = draw_types(dice, problem.operation);
  if (problem.operation == Operation::reduceAxes) {
    draw_tensor(dice, problem, log2_most_n);
    return problem;
  }
  problem.n = dice.size(12, log2_most_n);
  if (problem.operation == Operation::scan) {
    problem.m = 1;
  } else if (problem.operation == Operation::compact) {
    problem.m = 2 + dice.below(8);
  } else if (is_segmented(problem.operation)) {
    problem.m = std::max<uint64_t>(1, problem.n >> dice.below(12));
    problem.distribution = parse_distribution("dist", dice.below(2) == 0 ? "sequential" : "zipf:1");
  } else {
    problem.m = dice.size(4, 26);
    problem.distribution = draw_labels(dice);
  }
  problem.seed = 1 + dice.below(1000);
  return problem;
}

void add_plan(const GpuPlan& plan, std::vector<GpuPlan>& plans) {
  if (std::find(plans.begin(), plans.end(), plan) == plans.end()) {
    plans.push_back(plan);
  }
}

}  // namespace

std::vector<DrawnPlans> draw_plans(const PlanDraw& draw) {
  constexpr size_t kMorePlans = 5;
  Dice dice(draw.seed);
  std::vector<DrawnPlans> drawn;
  for (uint64_t points = 0; points < draw.points;) {
    DrawnPlans one = {draw_problem(dice, draw.log2_most_n), {}};
    const std::vector<GpuPlan> all = gpu_plans(one.problem, draw.device);
    if (all.empty()) {
      continue;
    }
    const GpuPlan atomics{.presort = {}, .strategy = GpuStrategy::globalSets};
    if (std::find(all.begin(), all.end(), atomics) != all.end()) {
      one.plans.push_back(atomics);
    }
    for (size_t i = 0; i < std::min(kMorePlans, all.size()); ++i) {
      add_plan(all[dice.below(all.size())], one.plans);
    }
    points += one.plans.size();
    if (draw.l2_bytes > 0) {
      for (const PlanRule& rule : plan_rules()) {
        if (const auto plan = ruled_plan(rule, one.problem, {draw.device, draw.l2_bytes})) {
          add_plan(*plan, one.plans);
        }
      }
    }
    drawn.push_back(std::move(one));
  }
  return drawn;
}

}  // namespace presort::gpu
