#include "mutate.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace presort::inline v0::attack::mutate_test {
namespace {

const std::string kText = "presort: machine/1\ncpu:\n  clock: 2.5GHz\n  caches: [{size: 32KiB}]\n";

std::string changed(uint64_t seed, uint64_t number, Syntax syntax = Syntax::yaml) {
  Draw draw("a kind", seed, number);
  return change_text(draw, kText, kText, syntax);
}

TEST_CASE("a change follows from kind, seed and number alone") {
  std::set<std::string> made;
  for (uint64_t number = 0; number < 200; ++number) {
    CHECK(changed(1, number) == changed(1, number));
    made.insert(changed(1, number));
  }
  CHECK(made.size() > 150);
  CHECK(changed(1, 0) != changed(2, 0));
}

TEST_CASE("changes of empty and of large inputs stay within the limit") {
  const std::string large(kMostBytes, 'x');
  for (uint64_t number = 0; number < 500; ++number) {
    Draw draw("sizes", 1, number);
    CHECK(change_bytes(draw, large).size() <= kMostBytes);
    change_bytes(draw, "");
    change_text(draw, "", "", Syntax::json);
  }
}

TEST_CASE("values, keys, lines and nesting are all changed") {
  bool value = false;
  bool key = false;
  bool deep = false;
  for (uint64_t number = 0; number < 1000; ++number) {
    const std::string text = changed(3, number);
    value = value || text.find("clock: 1e300GHz") != std::string::npos;
    key = key || text.find("clockx:") != std::string::npos;
    deep = deep || text.find("[[[[[[[[[[") != std::string::npos;
  }
  CHECK(value);
  CHECK(key);
  CHECK(deep);
}

}  // namespace
}  // namespace presort::attack::mutate_test
