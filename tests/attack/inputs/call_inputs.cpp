// Random calls of the library: right calls must give right results, refused calls must write nothing.
#include <exception>
#include <optional>

#include "calls.h"
#include "input_kind.h"
#include "presort/cpu/gather.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/scatter.h"

namespace presort::inline v0::attack {
namespace {

using cpu::ThreadTeam;

template <class Label>
using Operate = void (*)(Call<Label>& call, const Compose& monoid, std::span<std::byte> scratch,
                         ThreadTeam& team);

// An operation with the scratch that it asks for and a plain loop that computes its result.
template <class Label>
struct Operated {
  const char* name;
  size_t (*scratch_bytes)(const CpuPlan& plan, size_t n, size_t m);
  Operate<Label> run;
  void (*plain)(const Call<Label>& call, std::vector<Affine>& buckets,
                std::vector<Affine>& results);
};

template <class Label>
constexpr Operated<Label> kOperated[] = {
    {"multireduce", cpu::multireduce_scratch_bytes<Label, Affine>,
     [](Call<Label>& call, const Compose& monoid, std::span<std::byte> scratch, ThreadTeam& team) {
       cpu::multireduce(std::span<const Label>(call.labels), std::span<const Affine>(call.values),
                        std::span(call.buckets), monoid, call.plan, scratch, team, call.checks);
     },
     [](const Call<Label>& call, std::vector<Affine>& buckets, std::vector<Affine>&) {
       for (size_t i = 0; i < call.labels.size(); ++i) {
         buckets[call.labels[i]] = Compose{}(buckets[call.labels[i]], call.values[i]);
       }
     }},
    {"scatter", cpu::scatter_scratch_bytes<Label, Affine>,
     [](Call<Label>& call, const Compose&, std::span<std::byte> scratch, ThreadTeam& team) {
       cpu::scatter(std::span<const Label>(call.labels), std::span<const Affine>(call.values),
                    std::span(call.buckets), call.plan, scratch, team, call.checks);
     },
     [](const Call<Label>& call, std::vector<Affine>& buckets, std::vector<Affine>&) {
       for (size_t i = 0; i < call.labels.size(); ++i) {
         buckets[call.labels[i]] = call.values[i];
       }
     }},
    {"gather", cpu::gather_scratch_bytes<Label, Affine>,
     [](Call<Label>& call, const Compose&, std::span<std::byte> scratch, ThreadTeam& team) {
       cpu::gather(std::span<const Label>(call.labels), std::span<const Affine>(call.buckets),
                   std::span(call.results), call.plan, scratch, team, call.checks);
     },
     [](const Call<Label>& call, std::vector<Affine>& buckets, std::vector<Affine>& results) {
       for (size_t i = 0; i < call.labels.size(); ++i) {
         results[i] = buckets[call.labels[i]];
       }
     }},
    {"multiscan", cpu::multiscan_scratch_bytes<Label, Affine>,
     [](Call<Label>& call, const Compose& monoid, std::span<std::byte> scratch, ThreadTeam& team) {
       cpu::multiscan<cpu::Scan::exclusive>(std::span<const Label>(call.labels),
                                            std::span<const Affine>(call.values),
                                            std::span(call.buckets), std::span(call.results),
                                            monoid, call.plan, scratch, team, call.checks);
     },
     [](const Call<Label>& call, std::vector<Affine>& buckets, std::vector<Affine>& results) {
       for (size_t i = 0; i < call.labels.size(); ++i) {
         results[i] = buckets[call.labels[i]];
         buckets[call.labels[i]] = Compose{}(buckets[call.labels[i]], call.values[i]);
       }
     }},
};

// How a call ended: it returned, the operator threw, or the library refused.
enum class End { done, failed, refused };

template <class Label>
End end_of(const Operated<Label>& operated, Call<Label>& call, const Compose& monoid,
           GuardedScratch& scratch, ThreadTeam& team) {
  try {
    operated.run(call, monoid, scratch.span(), team);
    return End::done;
  } catch (const OperatorFailure&) {
    return End::failed;
  } catch (const Error&) {
    return End::refused;
  }
}

// Makes one call. After a call that failed, the same threads must still give right results.
template <class Label>
void attack(Draw& draw, const Operated<Label>& operated, const CpuPlan& plan, size_t m) {
  Call<Label> call = draw_call<Label>(draw, plan, m);
  const Call<Label> before = call;
  const size_t bytes = operated.scratch_bytes(plan, call.labels.size(), m);
  GuardedScratch scratch(bytes, call.flaw);
  const auto threads = static_cast<size_t>(plan.resources.threads);
  ThreadTeam team(threads);
  std::array<uint64_t, 1> fuse{draw.below(call.labels.size() + 1)};
  const bool throws = call.flaw == Flaw::throwingOperator;
  const std::string name = operated.name;
  const End end = end_of(operated, call, {throws ? &fuse : nullptr}, scratch, team);
  fuzz::require(scratch.intact(), name + " wrote outside its scratch");
  if (end == End::refused) {
    fuzz::require(call.buckets == before.buckets && call.results == before.results,
                  name + " wrote before it refused");
    return;
  }
  const bool bad_scratch = call.flaw == Flaw::shortScratch || call.flaw == Flaw::misalignedScratch;
  fuzz::require(!bad_scratch || bytes == 0,
                name + " took a scratch that is too small or not aligned");
  fuzz::require(call.flaw != Flaw::badLabel, name + " took a label that is not below m");
  if (end == End::failed) {
    call = before;
    fuzz::require(end_of(operated, call, {}, scratch, team) == End::done,
                  name + " fails again after an operator threw");
  }
  Call<Label> expected = before;
  operated.plain(before, expected.buckets, expected.results);
  fuzz::require(call.buckets == expected.buckets, name + " gives wrong buckets");
  fuzz::require(call.results == expected.results, name + " gives wrong results");
}

template <class Label>
void attack_any(Draw& draw, const CpuPlan& plan, size_t m) {
  attack<Label>(draw, draw.of(kOperated<Label>), plan, m);
}

}  // namespace

void run_calls(Draw& draw, Case& input) {
  const size_t width = draw.below(3);
  const size_t most = width == 0 ? 256 : 5000;
  const size_t m = 1 + draw.below(draw.chance(25) ? 4 : most);
  const CpuPlan plan = draw_plan(draw, m, input.input);
  switch (width) {
    case 0:
      return attack_any<uint8_t>(draw, plan, m);
    case 1:
      return attack_any<uint32_t>(draw, plan, m);
    default:
      return attack_any<uint64_t>(draw, plan, m);
  }
}

}  // namespace presort::attack
