#include "presort/app/printing/text.h"

#include <doctest/doctest.h>

#include <limits>

namespace presort::inline v0::app::text_test {
namespace {

TEST_CASE("times have three significant digits, and one that no plan has is a dash") {
  CHECK(format_ns(0) == "0.00");
  CHECK(format_ns(6.138) == "6.14");
  CHECK(format_ns(61.38) == "61.4");
  CHECK(format_ns(613.8) == "614");
  const double none = std::numeric_limits<double>::infinity();
  CHECK(format_ns(none) == "-");
  CHECK(time_text(Device::cpu, none) == "-");
  CHECK(time_text(Device::gpu, none) == "-");
  CHECK(time_text(Device::gpu, 0.0085) == "0.00850");
}

TEST_CASE("a plan in short says what it is told apart by") {
  CHECK(short_plan(parse_cpu_plan("sortBits=8")) ==
        "sort 8 bits in 1 pass, buffers 256B, 2MiB pages");
  CHECK(short_plan(parse_cpu_plan("sortBits=8,chunkBytes=64KiB,threads=2")) ==
        "sort 8 bits in 1 pass, buffers 256B, chunks 64KiB, 2 threads, 2MiB pages");
  CHECK(short_plan(parse_cpu_plan("threads=2,pageSize=4KiB,placement=byShare")) ==
        "direct, 2 threads, 4KiB pages on their threads' nodes");
  CHECK(short_plan(parse_cpu_plan("threads=2,placement=interleaved")) ==
        "direct, 2 threads, 2MiB pages on all nodes in turn");
}

}  // namespace
}  // namespace presort::app::text_test
