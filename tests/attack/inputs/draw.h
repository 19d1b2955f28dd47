// Random choices for one attack case. They depend on the kind of input, the seed and the case's number
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace presort::inline v0::attack {

// A random number generator. Source: Steele, Lea, Flood 2014, SplitMix64
class Draw {
 public:
  Draw(std::string_view kind, uint64_t seed, uint64_t number) : state_(seed * 0x9e3779b97f4a7c15) {
    for (const char letter : kind) {
      state_ = (state_ ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    }
    state_ += number * 0xd1342543de82ef95;
    bits();
  }

  uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  // A random number below count. Requires: count >= 1
  size_t below(size_t count) { return static_cast<size_t>(bits() % count); }

  // Draws true with a probability of `percent` in a hundred.
  bool chance(unsigned percent) { return below(100) < percent; }

  // Draws one of the items. Requires: items is not empty
  template <class Items>
  decltype(auto) of(const Items& items) {
    return items[below(std::size(items))];
  }

 private:
  uint64_t state_;
};

}  // namespace presort::attack
