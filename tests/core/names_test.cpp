#include "presort/core/text/names.h"

#include <doctest/doctest.h>

#include "presort/core/types.h"

namespace names_test {

using namespace presort;

TEST_CASE("the nearest spelling is found within two edits, whatever the case") {
  const std::vector<std::string> accepted = {"uniform", "zipf", "sorted"};
  CHECK(nearest_spelling("unifrom", accepted) == "uniform");
  CHECK(nearest_spelling("ZIPF", accepted) == "zipf");
  CHECK(nearest_spelling("sort", accepted) == "sorted");
  CHECK(nearest_spelling("degenerate", accepted) == "");
}

TEST_CASE("long words may differ in a third of their letters") {
  const std::vector<std::string> accepted = {"prefetchDistance"};
  CHECK(nearest_spelling("prefetchDist", accepted) == "prefetchDistance");
  CHECK(nearest_spelling("fetchDist", accepted) == "");
}

TEST_CASE("nothing is suggested when no letter of it was written") {
  const std::vector<std::string> accepted = {"ab"};
  CHECK(nearest_spelling("xy", accepted) == "");
  CHECK(nearest_spelling("", accepted) == "");
}

TEST_CASE("of equally near names the first is suggested") {
  const std::vector<std::string> accepted = {"u32", "i32"};
  CHECK(nearest_spelling("x32", accepted) == "u32");
}

TEST_CASE("an unknown name is reported with its key, what is accepted and the nearest spelling") {
  const std::vector<std::string> accepted = {"pairs", "separate"};
  CHECK(unknown_name_message("layout", "pair", accepted) ==
        "layout: found 'pair', accepted: pairs, separate (did you mean 'pairs'?)");
  CHECK(unknown_name_message("layout", "columns", accepted) ==
        "layout: found 'columns', accepted: pairs, separate");
}

TEST_CASE("a table reads back every name that it writes") {
  for (const Named<ScalarType>& row : kScalarTypes) {
    CHECK(from_name(kScalarTypes, "type", to_name(kScalarTypes, row.value)) == row.value);
  }
  CHECK_THROWS_AS(from_name(kScalarTypes, "type", "u33"), InputError);
}

TEST_CASE("of long text a message shows the beginning, in whole characters") {
  CHECK(quoted_text("") == "''");
  CHECK(quoted_text(std::string(120, 'a')) == "'" + std::string(120, 'a') + "'");
  CHECK(quoted_text(std::string(121, 'a')) == "'" + std::string(120, 'a') + "…'");
  CHECK(quoted_text(std::string(119, 'a') + "üü") == "'" + std::string(119, 'a') + "…'");
  const std::vector<std::string> accepted = {"uniform"};
  const std::string message = unknown_name_message("dist", std::string(1 << 20, 'u'), accepted);
  CHECK(message == "dist: found '" + std::string(120, 'u') + "…', accepted: uniform");
}

}  // namespace names_test
