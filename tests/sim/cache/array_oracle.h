// A set-associative array of tags under each replacement policy, written as plainly as it can be: a
// vector of slots per set, searched from end to end, and one short branch per policy. For
// comparison with sim::CacheArray; shares no code with it.
// Lines hold `sectors` units each; without sectors a unit is a line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace presort::inline v0::test {

class ArrayOracle {
 public:
  using Units = std::map<uint64_t, bool>;  // unit (sector or line) -> true if the unit is dirty

  // `policy` is a name as in machine files. `set_of` maps a line number, not a unit, to a set
  // number.
  ArrayOracle(std::string policy, uint64_t sets, uint64_t ways,
              std::function<uint64_t(uint64_t)> set_of, uint64_t seed, uint64_t sectors = 1);

  bool contains(uint64_t unit);
  bool contains_line(uint64_t unit);
  bool dirty(uint64_t unit);
  void clean(uint64_t unit);
  bool access(uint64_t unit, bool write);
  // Inserts a unit; returns the units that were evicted for it.
  Units insert(uint64_t unit, bool dirty);
  // Removes a unit; returns whether it was dirty, no value if it was absent.
  std::optional<bool> remove(uint64_t unit);

 private:
  struct Slot {
    bool full = false;
    uint64_t line = 0;
    Units units;
    uint64_t used = 0;     // time of the line's last use
    uint64_t arrived = 0;  // time of the line's arrival
    int number = 0;        // the line's mark, RRPV or age, depending on the policy
  };
  struct Set {
    std::vector<Slot> slots;
    // True: tree-PLRU's next victim among ways [first, last) is in their second half
    std::map<std::pair<uint64_t, uint64_t>, bool> second_half;
  };

  bool is(const std::string& name) const { return policy_ == name; }
  // The number that follows `letter` in a QLRU policy's name
  char part(char letter, int offset) const;
  int initial_number() const;
  Set& set(uint64_t index);
  Slot* find(uint64_t unit);
  size_t way_for(Set& set, uint64_t index);
  size_t victim(Set& set, uint64_t index);
  void note_hit(Set& set, size_t way);
  void note_arrival(Set& set, uint64_t index, size_t way);
  void point_away(Set& set, size_t way);
  size_t follow_tree(Set& set);
  void mark(Set& set, size_t way);
  void age_qlru(Set& set, size_t used);
  bool leader(uint64_t index, uint64_t place) const;

  std::string policy_;
  uint64_t sets_;
  uint64_t ways_;
  std::function<uint64_t(uint64_t)> set_of_;
  uint64_t sectors_;
  std::map<uint64_t, Set> contents_;
  uint64_t random_;
  uint64_t seed_;
  uint64_t now_ = 0;
  uint64_t bimodal_fills_ = 0;
  uint64_t draws_ = 0;
  int selector_ = 511;
};

}  // namespace presort::test
