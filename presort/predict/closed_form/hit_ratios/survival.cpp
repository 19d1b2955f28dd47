#include "presort/predict/closed_form/hit_ratios/survival.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace presort::inline v0::predict {

size_t LifeTable::bin(uint64_t inputs) {
  if (inputs < 4) {
    return static_cast<size_t>(inputs);
  }
  const auto octave = static_cast<size_t>(std::bit_width(inputs)) - 1;
  return 4 * (octave - 1) + ((inputs >> (octave - 2)) & 3);
}

uint64_t LifeTable::first(size_t bin) {
  if (bin < 4) {
    return bin;
  }
  return uint64_t{4 + bin % 4} << (bin / 4 - 1);
}

Survival::Survival(const LifeTable& table, double units) : knots_{{0, 1, 0}} {
  size_t last = 0;
  double at_risk = 0;
  for (size_t bin = 0; bin < LifeTable::kBins; ++bin) {
    const uint64_t known = table.touched(bin) + table.untouched(bin);
    at_risk += static_cast<double>(known);
    last = known > 0 ? bin : last;
  }
  for (size_t bin = 0; bin <= last; ++bin) {
    const auto touched = static_cast<double>(table.touched(bin));
    const auto untouched = static_cast<double>(table.untouched(bin));
    const double looked_at = at_risk - untouched / 2;
    const double part = looked_at > 0 ? std::min(1.0, touched / looked_at) : 0;
    at_risk -= touched + untouched;
    const Knot& before = knots_.back();
    const auto end = static_cast<double>(LifeTable::first(bin + 1)) - 1;
    if (end > before.inputs) {
      const double longer = before.longer * (1 - part);
      knots_.push_back(
          {end, longer, before.units + (end - before.inputs) * (before.longer + longer) / 2});
    }
  }
  // Beyond the last knot, the survival S(t) falls to 0 on a straight line, which is twice as long
  // as the mean time beyond the knot.
  const Knot& seen = knots_.back();
  if (seen.longer > 0) {
    const double left = std::max(0.0, units - seen.units);
    knots_.push_back({seen.inputs + std::max(1.0, 2 * left / seen.longer), 0, seen.units + left});
  }
}

// Index of the last knot of the survival S(t) at or before t = `inputs`.
size_t Survival::piece_of(double inputs) const {
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), inputs,
                                      [](double t, const Knot& knot) { return t < knot.inputs; });
  return static_cast<size_t>(after - knots_.begin()) - 1;
}

double Survival::longer(double inputs) const {
  const size_t i = piece_of(inputs);
  if (i + 1 == knots_.size()) {
    return knots_[i].longer;
  }
  const Knot& a = knots_[i];
  const Knot& b = knots_[i + 1];
  return a.longer + (b.longer - a.longer) * (inputs - a.inputs) / (b.inputs - a.inputs);
}

double Survival::units_in(double inputs) const {
  const Knot& before = knots_[piece_of(inputs)];
  return before.longer == 0
             ? before.units
             : before.units + (inputs - before.inputs) * (before.longer + longer(inputs)) / 2;
}

double Survival::kept(double above, double window, double horizon) const {
  double sum = 0;
  for (size_t i = 0; i + 1 < knots_.size(); ++i) {
    const Knot& a = knots_[i];
    const Knot& b = knots_[i + 1];
    if (a.inputs >= horizon) {
      break;
    }
    const double end = std::min(b.inputs, horizon);
    const double density = (a.longer - b.longer) / (b.inputs - a.inputs);
    const double young = std::clamp(above, a.inputs, end);
    sum += density * (young - a.inputs);
    // Integral of exp(-(t - above) / window) from `young` to `end`
    sum += density * window * std::exp(-(young - std::min(above, young)) / window) *
           -std::expm1(-(end - young) / window);
  }
  return sum;
}

}  // namespace presort::predict
