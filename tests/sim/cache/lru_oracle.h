// Oracle: a set-associative LRU array of tags, with one list for each set.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>

namespace presort::inline v0::test {

class LruOracle {
 public:
  struct Entry {
    uint64_t line;
    bool dirty;
    bool operator==(const Entry&) const = default;
  };

  LruOracle(uint64_t ways, std::function<uint64_t(uint64_t)> set_of)
      : ways_(ways), set_of_(std::move(set_of)) {}

  bool contains(uint64_t line) { return find(line) != set(line).end(); }

  bool access(uint64_t line, bool write) {
    const auto at = find(line);
    if (at == set(line).end()) {
      return false;
    }
    at->dirty = at->dirty || write;
    set(line).splice(set(line).begin(), set(line), at);
    return true;
  }

  std::optional<Entry> insert(uint64_t line, bool dirty) {
    set(line).push_front({line, dirty});
    if (set(line).size() <= ways_) {
      return std::nullopt;
    }
    const Entry victim = set(line).back();
    set(line).pop_back();
    return victim;
  }

  std::optional<Entry> remove(uint64_t line) {
    const auto at = find(line);
    if (at == set(line).end()) {
      return std::nullopt;
    }
    const Entry removed = *at;
    set(line).erase(at);
    return removed;
  }

 private:
  std::list<Entry>& set(uint64_t line) { return sets_[set_of_(line)]; }
  std::list<Entry>::iterator find(uint64_t line) {
    auto at = set(line).begin();
    while (at != set(line).end() && at->line != line) {
      ++at;
    }
    return at;
  }

  uint64_t ways_;
  std::function<uint64_t(uint64_t)> set_of_;
  std::map<uint64_t, std::list<Entry>> sets_;
};

}  // namespace presort::test
