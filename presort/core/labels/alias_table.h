// Draws from a finite distribution in constant time by the alias method.
// Source: Vose, "A linear algorithm for generating random numbers with a given distribution",
//         IEEE Trans. Softw. Eng. 17(9), 1991.
#pragma once

#include <cstdint>
#include <vector>

namespace presort::inline v0 {

class AliasTable {
 public:
  // Makes a table from which index i is drawn with a probability in proportion to weights[i].
  // Requires: weights >= 0, their sum > 0, fewer than 2^32 of them
  explicit AliasTable(std::vector<double> weights);

  // Draws an index of the table: the one that the uniform random word `random` is sent to.
  uint32_t operator()(uint64_t random) const;

 private:
  struct Slot {
    uint32_t keep = 0;  // random fractions below this, in units of 2^-32, give the slot's own index
    uint32_t alias = 0;  // index that the other random fractions of the slot give
  };
  std::vector<Slot> slots_;
};

}  // namespace presort
