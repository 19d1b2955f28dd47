// Records as CSV and Markdown.
#include "presort/app/printing/records.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

namespace records_test {

using namespace presort;
using namespace presort::app;

TEST_CASE("records have a line for the names and one for each row") {
  Records records({"plan", "m", "ns"});
  CHECK(records.csv() == "plan,m,ns\n");
  CHECK(records.markdown() == "| plan | m | ns |\n| --- | --- | --- |\n");
  records.begin();
  records.text("sort 8 bits, buffers \"256B\"");
  records.count(std::numeric_limits<uint64_t>::max());
  records.number(1.0 / 3);
  records.begin();
  records.text("a|b\nc");
  records.count(0);
  records.number(std::numeric_limits<double>::infinity());
  CHECK(records.csv() ==
        "plan,m,ns\n\"sort 8 bits, buffers \"\"256B\"\"\",18446744073709551615,"
        "0.3333333333333333\n\"a|b\nc\",0,\n");
  const std::string markdown = records.markdown();
  CHECK(markdown.find("| 18446744073709551615 | 0.3333 |\n") != std::string::npos);
  CHECK(markdown.find("| a\\|b") != std::string::npos);
  CHECK(std::count(markdown.begin(), markdown.end(), '\n') == 4);
}

}  // namespace records_test
