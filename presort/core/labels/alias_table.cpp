#include "presort/core/labels/alias_table.h"

#include "presort/core/base/wide.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace presort::inline v0 {

AliasTable::AliasTable(std::vector<double> weights) : slots_(weights.size()) {
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  std::vector<uint32_t> small;
  std::vector<uint32_t> large;
  for (uint32_t i = 0; i < weights.size(); ++i) {
    weights[i] /= mean;
    slots_[i] = {~uint32_t{0}, i};
    (weights[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const uint32_t poor = small.back();
    const uint32_t rich = large.back();
    small.pop_back();
    slots_[poor] = {static_cast<uint32_t>(std::min(weights[poor] * 0x1p32, 0x1p32 - 1)), rich};
    weights[rich] -= 1 - weights[poor];
    if (weights[rich] < 1) {
      large.pop_back();
      small.push_back(rich);
    }
  }
}

uint32_t AliasTable::operator()(uint64_t random) const {
  const Wide product = static_cast<Wide>(random) * slots_.size();
  const uint32_t index = static_cast<uint32_t>(product >> 64);
  const uint32_t fraction = static_cast<uint32_t>(static_cast<uint64_t>(product) >> 32);
  return fraction < slots_[index].keep ? index : slots_[index].alias;
}

}  // namespace presort
