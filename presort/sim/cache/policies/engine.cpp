#include "presort/sim/cache/policies/engine.h"

#include <iterator>

#include "presort/core/error.h"
#include "presort/sim/cache/policies/bit_plru.h"
#include "presort/sim/cache/policies/brrip.h"
#include "presort/sim/cache/policies/drrip.h"
#include "presort/sim/cache/policies/fifo.h"
#include "presort/sim/cache/policies/lru.h"
#include "presort/sim/cache/policies/nru.h"
#include "presort/sim/cache/policies/qlru.h"
#include "presort/sim/cache/policies/random.h"
#include "presort/sim/cache/policies/srrip.h"
#include "presort/sim/cache/policies/tree_plru.h"

namespace presort::inline v0::sim {

uint64_t SetWays::last_empty() const {
  uint64_t way = ways;
  while (way > 0 && short_tags[way - 1] != 0) {
    --way;
  }
  return way > 0 ? way - 1 : ways;
}

namespace {

template <class Policy>
class EngineOf final : public PolicyEngine {
 public:
  EngineOf(uint64_t sets, uint64_t ways, const Replacement& policy, uint64_t seed)
      : policy_(sets, ways, policy, seed) {}

  void hit(uint64_t set, uint64_t way) override { policy_.hit(set, way); }
  uint64_t fill(uint64_t set, const SetWays& ways) override {
    policy_.missed(set);
    const uint64_t empty = policy_.fills_last_way_first() ? ways.last_empty() : ways.first_empty();
    const uint64_t way = empty < ways.ways ? empty : policy_.victim(set);
    policy_.filled(set, way);
    return way;
  }
  void removed(uint64_t set, uint64_t way) override { policy_.removed(set, way); }

 private:
  Policy policy_;
};

template <class Policy>
std::unique_ptr<PolicyEngine> make(uint64_t sets, uint64_t ways, const Replacement& policy,
                                   uint64_t seed) {
  return std::make_unique<EngineOf<Policy>>(sets, ways, policy, seed);
}

struct Row {
  ReplacementKind kind;
  std::unique_ptr<PolicyEngine> (*make)(uint64_t, uint64_t, const Replacement&, uint64_t);
};
constexpr Row kEngines[] = {
    {ReplacementKind::lru, make<Lru>},         {ReplacementKind::treePlru, make<TreePlru>},
    {ReplacementKind::bitPlru, make<BitPlru>}, {ReplacementKind::nru, make<Nru>},
    {ReplacementKind::fifo, make<Fifo>},       {ReplacementKind::random, make<Random>},
    {ReplacementKind::srrip, make<Srrip>},     {ReplacementKind::brrip, make<Brrip>},
    {ReplacementKind::drrip, make<Drrip>},     {ReplacementKind::qlru, make<Qlru>},
};
static_assert(std::size(kEngines) == std::size(kReplacements));

}  // namespace

std::unique_ptr<PolicyEngine> make_policy_engine(uint64_t sets, uint64_t ways,
                                                 const Replacement& policy, uint64_t seed) {
  for (const Row& row : kEngines) {
    if (row.kind == policy.kind) {
      return row.make(sets, ways, policy, seed);
    }
  }
  throw Error("a replacement policy without an implementation");
}

}  // namespace presort::sim
