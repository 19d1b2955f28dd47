#include "presort/core/text/range.h"

#include <doctest/doctest.h>

#include <limits>

namespace range_test {

using namespace presort;

TEST_CASE("a range contains its bounds, 0 where it says so, and never NaN") {
  const Range range{RangeUnit::count, 2, 8};
  CHECK(contains(range, 2));
  CHECK(contains(range, 8));
  CHECK_FALSE(contains(range, 1));
  CHECK_FALSE(contains(range, 8.0000001));
  CHECK_FALSE(contains(range, 0));
  CHECK_FALSE(contains(range, std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(contains(range, std::numeric_limits<double>::infinity()));
  const Range or_none{RangeUnit::count, 2, 8, "none"};
  CHECK(contains(or_none, 0));
  CHECK_FALSE(contains(or_none, 1));
}

TEST_CASE("numbers are written with their unit, short even when they are absurd") {
  CHECK(number_text(4096, RangeUnit::count) == "4096");
  CHECK(number_text(2 << 20, RangeUnit::bytes) == "2MiB");
  CHECK(number_text(16, RangeUnit::cycles) == "16cy");
  CHECK(number_text(28.000000000000004, RangeUnit::nanoseconds) == "28ns");
  CHECK(number_text(1e300, RangeUnit::nanoseconds) == "1e+291s");
  CHECK(number_text(1e-6, RangeUnit::nanoseconds) == "0.000001ns");
  CHECK(number_text(1e6, RangeUnit::nanoseconds) == "1ms");
  CHECK(number_text(5e-324, RangeUnit::cycles) == "4.94065645841247e-324cy");
  CHECK(number_text(0, RangeUnit::cycles) == "0cy");
  CHECK(number_text(-0.25, RangeUnit::count) == "-0.25");
  CHECK(number_text(999999999999999, RangeUnit::count) == "999999999999999");
  CHECK(number_text(1048576.5, RangeUnit::count) == "1048576.5");
  CHECK(number_text(1e-300, RangeUnit::hertz) == "1e-300Hz");
  CHECK(number_text(2.6e9, RangeUnit::hertz) == "2.6GHz");
  CHECK(number_text(1, RangeUnit::bytesPerSecond) == "1B/s");
  CHECK(number_text(1e300, RangeUnit::bytesPerSecond) == "1e+300B/s");
  CHECK(number_text(97e9, RangeUnit::perSecond) == "97G/s");
  CHECK(number_text(0.3, RangeUnit::ratio) == "0.3");
  CHECK(number_text(1e25, RangeUnit::bytes) == "1e+25B");
  CHECK(number_text(-25, RangeUnit::nanoseconds) == "-25ns");
}

TEST_CASE("what is accepted names both bounds, and what 0 stands for") {
  CHECK(accepted_text({RangeUnit::count, 1, 4096}) == "1 to 4096");
  CHECK(accepted_text({RangeUnit::bytesPerSecond, 1e6, 1e15, "no limit"}) ==
        "0B/s (no limit) or 1MB/s to 1000000GB/s");
}

}  // namespace range_test
