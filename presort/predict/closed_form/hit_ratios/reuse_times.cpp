#include "presort/predict/closed_form/hit_ratios/reuse_times.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "presort/core/base/random.h"

namespace presort::inline v0::predict {

namespace {
constexpr uint64_t kSeed = 0x7265757365;  // random seed: "reuse" in ASCII
}  // namespace

ReuseTimes::ReuseTimes(const LabelSource& labels, uint64_t first, uint64_t n, int bits)
    : n_(n),
      bits_(bits),
      finest_part_(std::max(0, bits - kPartBits)),
      waiting_(bits),
      tables_(static_cast<size_t>(bits + 1) * (kPartBits + 1)) {
  const uint64_t count = std::min(n, kWatched);
  std::vector<uint64_t> block(kNear + 1);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t begin = n / count * i + n % count * i / count;
    const uint64_t end = n / count * (i + 1) + n % count * (i + 1) / count;
    const uint64_t at = begin + bounded(random_u64(kSeed, i), end - begin);
    block.resize(std::min(kNear, n - 1 - at) + 1);
    labels.generate(first + at, block);
    watched_.push_back({at, block.front(), block.size() - 1, {}, bits});
    look_near(std::span(block).subspan(1), watched_.back());
  }
}

// For all parts, calls add(table, inputs of the part) with the tables of units of 2^from to 2^to
// labels.
template <class Add>
void ReuseTimes::for_each_table(int from, int to, const InParts& inputs, Add add) {
  for (int part = std::max(from, finest_part_); part <= bits_; ++part) {
    const uint64_t of_part = inputs[static_cast<size_t>(part - finest_part_)];
    for (int unit = from; unit <= std::min(to, part); ++unit) {
      add(tables_[index(unit, part)], of_part);
    }
  }
}

void ReuseTimes::look_near(std::span<const uint64_t> following, Watched& watched) {
  // differing[b]: number of inputs whose label differs from the watched one in bit b - 1 and in no
  // higher bit; b = 0: the labels are equal
  std::array<uint64_t, 65> differing{};
  const auto sum_parts = [&] {
    uint64_t sum = 0;
    for (int bits = 0; bits <= bits_; ++bits) {
      sum += differing[static_cast<size_t>(bits)];
      if (bits >= finest_part_) {
        watched.inputs[static_cast<size_t>(bits - finest_part_)] = sum;
      }
    }
  };
  for (const uint64_t label : following) {
    const auto bits = static_cast<int>(std::bit_width(label ^ watched.label));
    ++differing[static_cast<size_t>(bits)];
    if (bits <= watched.waits) {
      sum_parts();
      for_each_table(bits, watched.waits, watched.inputs,
                     [](LifeTable& table, uint64_t inputs) { table.add_touched(inputs); });
      watched.waits = bits - 1;
      if (bits == 0) {
        return;
      }
    }
  }
  sum_parts();
}

void ReuseTimes::add(std::span<const uint64_t> labels) {
  while (!labels.empty()) {
    // Starts the waiting of watched labels whose turn has come. Most labels are then skipped until
    // the next turn.
    for (; next_ < watched_.size() && watched_[next_].at + watched_[next_].near < added_; ++next_) {
      if (watched_[next_].waits >= 0) {
        waiting_.add(static_cast<uint32_t>(next_), watched_[next_].label, watched_[next_].waits);
      }
    }
    const uint64_t until =
        next_ < watched_.size() ? watched_[next_].at + watched_[next_].near + 1 - added_ : ~0ULL;
    const size_t passed = waiting_.first_awaited(labels.first(std::min(labels.size(), until)));
    added_ += passed;
    labels = labels.subspan(passed);
    if (passed < until && !labels.empty()) {
      meet(labels.front());
      ++added_;
      labels = labels.subspan(1);
    }
  }
}

void ReuseTimes::meet(uint64_t label) {
  waiting_.meet(label, [&](uint32_t name, uint64_t waited) {
    Watched& watched = watched_[name];
    const auto bits = static_cast<int>(std::bit_width(label ^ waited));
    events_.push_back({name, bits, watched.waits, added_ - watched.at});
    watched.waits = bits - 1;
    if (bits > 0) {
      waiting_.add(name, waited, bits - 1);
    }
  });
}

// Number of the `inputs` inputs after a watched input that lie in each of its parts.
ReuseTimes::InParts ReuseTimes::in_parts(const CellCounts& counts, const Watched& watched,
                                         uint64_t inputs) const {
  InParts result = watched.inputs;
  const auto from = static_cast<double>(watched.at + watched.near + 1);
  const auto to = static_cast<double>(watched.at + inputs + 1);
  for (int part = finest_part_; part <= bits_; ++part) {
    result[static_cast<size_t>(part - finest_part_)] +=
        static_cast<uint64_t>(std::llround(counts.between(part, watched.label, from, to)));
  }
  return result;
}

void ReuseTimes::finish(const CellCounts& counts) {
  for (const Event& event : events_) {
    const InParts inputs = in_parts(counts, watched_[event.watched], event.inputs);
    for_each_table(event.from, event.to, inputs, [](LifeTable& table, uint64_t of_part) {
      table.add_touched(std::max<uint64_t>(1, of_part));
    });
  }
  for (const Watched& watched : watched_) {
    const InParts inputs = in_parts(counts, watched, n_ - 1 - watched.at);
    for_each_table(0, watched.waits, inputs,
                   [](LifeTable& table, uint64_t of_part) { table.add_untouched(of_part); });
  }
  events_.clear();
}

}  // namespace presort::predict
