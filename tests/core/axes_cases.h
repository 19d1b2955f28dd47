// Random shapes and strides, and plain loops over them, for the tests of reductions over axes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "presort/core/axes/axes.h"

namespace presort::inline v0::test {

// Monoid of digit strings: a value modulo 2^64 and a number of digits. ⊙ is concatenation, so a
// result shows the order of the inputs.
struct Digits {
  uint64_t number;
  uint64_t scale;
  bool operator==(const Digits&) const = default;
};
struct Append {
  static constexpr bool is_commutative = false;
  constexpr Digits identity() const { return {0, 1}; }
  constexpr Digits operator()(Digits a, Digits b) const {
    return {a.number * b.scale + b.number, a.scale * b.scale};
  }
};

struct AxesCase {
  AxesShape shape;
  std::vector<int64_t> results;
  std::vector<int64_t> a;
  std::vector<int64_t> b;
};

// Draws tensors with axes of random extents and memory orders: some broadcast, some backwards, some
// sliced.
inline AxesCase random_axes_case(std::mt19937_64& random) {
  AxesCase made;
  const size_t axes = 1 + random() % 5;
  const auto shuffled = [&] {
    std::vector<size_t> order(axes);
    for (size_t i = 0; i < axes; ++i) {
      order[i] = i;
    }
    std::shuffle(order.begin(), order.end(), random);
    return order;
  };
  for (size_t i = 0; i < axes; ++i) {
    const uint64_t extents[] = {1, 2, 3, 5, 8, 33, 600};
    made.shape.extents.push_back(extents[random() % (axes < 3 ? 7 : axes < 4 ? 6 : 5)]);
    if (random() % 2 == 0) {
      made.shape.reduced.push_back(static_cast<int>(i));
    }
  }
  const auto strides = [&](bool of_results) {
    std::vector<int64_t> made_strides(axes, 0);
    int64_t next =
        of_results ? 1 : 1 + static_cast<int64_t>(random() % 2);  // stride 2: every other element
    for (const size_t axis : shuffled()) {
      const bool is_reduced = std::binary_search(made.shape.reduced.begin(),
                                                 made.shape.reduced.end(), static_cast<int>(axis));
      if (of_results ? is_reduced : random() % 4 == 0) {
        continue;
      }
      made_strides[axis] = random() % 4 == 0 ? -next : next;
      next *= static_cast<int64_t>(made.shape.extents[axis]) + (random() % 4 == 0 ? 1 : 0);
    }
    return made_strides;
  };
  made.results = strides(true);
  made.a = strides(false);
  made.b = strides(false);
  return made;
}

// The memory that a tensor needs: offset of the element at index 0, and number of elements.
struct Room {
  size_t origin = 0;
  size_t size = 1;
};
inline Room room_of(const AxesShape& shape, const std::vector<int64_t>& strides) {
  Room room;
  for (size_t axis = 0; axis < strides.size(); ++axis) {
    const int64_t reach = static_cast<int64_t>(shape.extents[axis] - 1) * strides[axis];
    room.origin += reach < 0 ? static_cast<size_t>(-reach) : 0;
    room.size += static_cast<size_t>(std::abs(reach));
  }
  return room;
}

// Oracle: reduces by plain loops over all indices, row-major.
template <class Value, class M, class Map>
std::vector<Value> plain_reduce_axes(const AxesCase& of, const M& monoid, const Map& map,
                                     const std::vector<uint32_t>& a, const std::vector<uint32_t>& b,
                                     std::vector<Value> results) {
  const Room at_result = room_of(of.shape, of.results);
  const Room at_a = room_of(of.shape, of.a);
  const Room at_b = room_of(of.shape, of.b);
  std::vector<char> is_new(results.size(), 1);
  std::vector<uint64_t> index(of.shape.extents.size(), 0);
  while (true) {
    const auto place = [&](const std::vector<int64_t>& strides, const Room& room) {
      int64_t at = static_cast<int64_t>(room.origin);
      for (size_t axis = 0; axis < index.size(); ++axis) {
        at += static_cast<int64_t>(index[axis]) * strides[axis];
      }
      return static_cast<size_t>(at);
    };
    const size_t to = place(of.results, at_result);
    const Value before = is_new[to] ? monoid.identity() : results[to];
    results[to] = monoid(before, map(a[place(of.a, at_a)], b[place(of.b, at_b)]));
    is_new[to] = 0;
    size_t axis = index.size();
    while (axis > 0 && ++index[axis - 1] == of.shape.extents[axis - 1]) {
      index[--axis] = 0;
    }
    if (axis == 0) {
      return results;
    }
  }
}

}  // namespace presort::test
