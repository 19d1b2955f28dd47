// A call of the library with random arrays, plan, scratch, operator and labels, some of them wrong,
// and the expected results by a plain loop.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "draw.h"
#include "fuzz/checks.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/detail/check_labels.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0::attack {

// x ↦ a·x + b: an operator that does not commute, and throws once when it is told to.
struct Affine {
  uint32_t a = 1;
  uint32_t b = 0;
  bool operator==(const Affine&) const = default;
};
struct OperatorFailure {};
struct Compose {
  static constexpr bool is_commutative = false;
  std::array<uint64_t, 1>* fuse =
      nullptr;  // number of calls until the operator throws; null: never
  Affine identity() const { return {}; }
  Affine operator()(Affine x, Affine y) const;
};

// Defects that a random call may have.
enum class Flaw { none, shortScratch, misalignedScratch, badLabel, throwingOperator };

// One call: arrays of n inputs and m buckets, of which the call may write the buckets and results.
template <class Label>
struct Call {
  CpuPlan plan;
  Flaw flaw = Flaw::none;
  cpu::Checks checks = cpu::Checks::on;
  std::vector<Label> labels;
  std::vector<Affine> values;
  std::vector<Affine> buckets;
  std::vector<Affine> results;
};

// Scratch memory between guard bytes that nothing may write.
class GuardedScratch {
 public:
  GuardedScratch(size_t bytes, Flaw flaw);
  std::span<std::byte> span();
  bool intact() const;

 private:
  static constexpr size_t kGuardBytes = 256;
  static constexpr std::byte kGuard{0xa5};
  std::vector<std::byte> block_;
  size_t first_;
  size_t bytes_;
};

// A plan of at most three threads; its text is what parse_cpu_plan read.
CpuPlan draw_plan(Draw& draw, size_t m, std::string& text);

template <class Label>
Call<Label> draw_call(Draw& draw, const CpuPlan& plan, size_t m) {
  Call<Label> call;
  call.plan = plan;
  const size_t n = draw.chance(15) ? draw.below(5) : draw.below(6000);
  constexpr Flaw kFlaws[] = {Flaw::shortScratch, Flaw::misalignedScratch, Flaw::badLabel,
                             Flaw::throwingOperator};
  call.flaw = draw.chance(60) ? Flaw::none : draw.of(kFlaws);
  call.checks = call.flaw == Flaw::badLabel || draw.chance(50) ? cpu::Checks::on : cpu::Checks::off;
  const size_t kind = draw.below(4);
  for (size_t i = 0; i < n; ++i) {
    const size_t label = kind == 0   ? draw.below(m)
                         : kind == 1 ? m - 1
                         : kind == 2 ? i * m / n
                                     : draw.below(1 + draw.below(m));
    call.labels.push_back(static_cast<Label>(label));
    call.values.push_back(
        {static_cast<uint32_t>(draw.bits()) | 1, static_cast<uint32_t>(draw.bits())});
  }
  const bool has_room =
      m <= static_cast<Label>(-1);  // true if the label type has a label equal to m
  if (call.flaw == Flaw::badLabel && n > 0 && has_room) {
    call.labels[draw.below(n)] = static_cast<Label>(m);
  } else if (call.flaw == Flaw::badLabel) {
    call.flaw = Flaw::none;
  }
  for (size_t k = 0; k < m; ++k) {
    call.buckets.push_back({static_cast<uint32_t>(k) * 2 + 1, static_cast<uint32_t>(k)});
  }
  call.results.resize(n);
  return call;
}

}  // namespace presort::attack
