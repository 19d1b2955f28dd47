// Keys of a log of sessions. Inputs come in bursts of one key; a burst starts at input i with
// probability 1/L, whatever came before, so burst lengths are geometric with mean L. New keys come in
// order: at input i the newest is ⌊i · m / n⌋, the front. A burst is of a key whose age, in keys
// behind the front, is exponential with mean A · m, and less than m; keys before the first are the
// last ones, so that every key is equally likely.
#include <algorithm>
#include <cmath>

#include "presort/core/base/random.h"
#include "presort/core/base/wide.h"
#include "presort/core/labels/kinds/kinds.h"

namespace presort::inline v0 {
namespace {

// The distribution of a burst's age: how many keys its key lies behind the front, exponential and
// below m. Keys form a circle of m.
class Ages {
 public:
  Ages(double mean, double m) : mean_(mean), m_(m), all_(1 - left_at(m)) {}

  double mean() const { return mean_; }

  // An age from `first` to `last`, drawn with the distribution of all ages; `point` is a uniform
  // number of [0, 1).
  double between(double first, double last, double point) const {
    const double part = -std::expm1(-(last - first) / mean_);
    return std::clamp(first - mean_ * std::log1p(-point * part), first, last);
  }

  // Probability of an age from `first` to `last`.
  double share(double first, double last) const { return (left_at(first) - left_at(last)) / all_; }

  // Integral of the probability that a burst's key lies in a range of `width` keys, over all
  // distances from the start of the range to the front from 0 to t keys. It is `width` at t = m.
  // Requires: 0 <= t <= m
  double bursts_until(double width, double t) const {
    const double inside = std::min(t, width);
    const double new_keys = inside - mean_ * (1 - left_at(inside));
    const double old_keys =
        mean_ * left_at(m_ - width) * (1 - left_at(inside)) - inside * left_at(m_);
    const double after =
        t <= width ? 0 : mean_ * ((1 - left_at(t - width)) - (left_at(width) - left_at(t)));
    return (new_keys + old_keys + after) / all_;
  }

 private:
  double left_at(double age) const { return std::exp(-age / mean_); }

  double mean_;
  double m_;
  double all_;
};

class SessionLabels : public RangedLabels {
 public:
  SessionLabels(const LabelSequence& sequence, LabelRange range, double burst, double age)
      : RangedLabels(sequence, range, scaled(sequence.n, range.width(), sequence.m)),
        burst_(burst),
        age_(age),
        ages_(std::max(1.0, age * static_cast<double>(sequence.m)),
              static_cast<double>(sequence.m)),
        start_seed_(random_u64(seed_of_range(sequence, range), 0)),
        key_seed_(random_u64(seed_of_range(sequence, range), 1)),
        start_bound_(burst <= 1 ? ~uint64_t{0} : static_cast<uint64_t>(0x1p64 / burst)) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    if (out.empty()) {
      return;
    }
    uint64_t key = key_of_burst(burst_of(first));
    for (size_t i = 0; i < out.size(); ++i) {
      const uint64_t index = first + i;
      key = starts_burst(index) ? key_of_burst(index) : key;
      out[i] = key;
    }
  }

  // Inputs after which a key is forgotten: eight mean ages, as one burst in 3000 is of an older
  // key.
  uint64_t reach() const override {
    const double inputs =
        8 * ages_.mean() * static_cast<double>(sequence().n) / static_cast<double>(sequence().m) +
        burst_;
    return inputs >= static_cast<double>(size()) ? size() : static_cast<uint64_t>(inputs);
  }

 private:
  bool starts_burst(uint64_t index) const {
    return index == 0 || random_u64(start_seed_, index) <= start_bound_;
  }

  // Index of the first input of the burst that the input `index` belongs to.
  uint64_t burst_of(uint64_t index) const {
    while (!starts_burst(index)) {
      --index;
    }
    return index;
  }

  uint64_t key_of_burst(uint64_t start) const {
    const double point = unit_double(random_u64(key_seed_, start));
    return range().width() == sequence().m ? key_of_whole(start, point)
                                           : key_of_range(start, point);
  }

  uint64_t key_of_whole(uint64_t start, double point) const {
    const auto front =
        static_cast<uint64_t>(static_cast<Wide>(start) * sequence().m / sequence().n);
    const auto age =
        static_cast<uint64_t>(ages_.between(0, static_cast<double>(sequence().m), point));
    return (front + sequence().m - std::min(age, sequence().m - 1)) % sequence().m;
  }

  // The key of a burst in the range, drawn anew: first the position of the front, so that bursts
  // are as dense over time as those of the whole sequence in this range, and then the key.
  uint64_t key_of_range(uint64_t start, double point) const {
    const auto m = static_cast<double>(sequence().m);
    const auto width = static_cast<double>(range().width());
    const double front = front_at(start);
    double age = 0;
    if (front >= width) {
      age = ages_.between(front - width, front, point);
    } else {
      const double young = ages_.share(0, front);
      const double old = ages_.share(m - width + front, m);
      const double cut = young / (young + old);
      age = point < cut ? ages_.between(0, front, point / cut)
                        : ages_.between(m - width + front, m, (point - cut) / (1 - cut)) - m;
    }
    const double key = std::clamp(std::floor(front - age), 0.0, width - 1);
    return range().low + static_cast<uint64_t>(key);
  }

  // Keys from the start of the range to the front, from 0 to m, at the burst that starts at input
  // `start`.
  double front_at(uint64_t start) const {
    const auto m = static_cast<double>(sequence().m);
    const auto width = static_cast<double>(range().width());
    const double at_start = range().low == 0 ? 0 : m - static_cast<double>(range().low);
    const double part = (static_cast<double>(start) + 0.5) / static_cast<double>(size());
    double wanted = ages_.bursts_until(width, at_start) + part * width;
    wanted -= wanted >= width ? width : 0;
    double low = 0;
    double high = m;
    constexpr int kHalvings = 48;
    for (int step = 0; step < kHalvings; ++step) {
      const double middle = (low + high) / 2;
      (ages_.bursts_until(width, middle) < wanted ? low : high) = middle;
    }
    return high;
  }

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return scaled(sequence().n, range.width(), sequence().m) == 0
               ? make_empty_labels(sequence().m)
               : std::make_shared<SessionLabels>(sequence(), range, burst_, age_);
  }

  double burst_;  // L
  double age_;    // A
  Ages ages_;
  uint64_t start_seed_;
  uint64_t key_seed_;
  uint64_t start_bound_;  // largest random word that starts a new burst
};

}  // namespace

std::shared_ptr<const LabelSource> make_session_labels(const LabelSequence& sequence,
                                                       const Distribution& distribution) {
  return std::make_shared<SessionLabels>(sequence, LabelRange{0, sequence.m},
                                         distribution.parameter, distribution.more[0]);
}

}  // namespace presort
