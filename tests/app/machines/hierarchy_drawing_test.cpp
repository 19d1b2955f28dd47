#include "presort/app/machines/hierarchy_drawing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "tests/sim/small_machine.h"

namespace presort::inline v0::app::hierarchy_drawing_test {
namespace {

// Checks that some words stand in a drawing in the given order.
void check_order(const std::string& drawing, const std::vector<std::string>& texts) {
  size_t at = 0;
  for (const std::string& text : texts) {
    const size_t found = drawing.find(text, at);
    CHECK_MESSAGE(found != std::string::npos, text << " missing after the one before in\n"
                                                   << drawing);
    at = found == std::string::npos ? at : found + text.size();
  }
}

Machine full_machine() {
  Machine machine = test::small_machine();
  machine.clock_hz = 2e9;
  machine.caches[2].fill = Fill::onEvict;
  machine.caches[2].share = 0.3;
  machine.caches[0].write = WriteMode::through;
  machine.caches[1].inclusion = Inclusion::inclusive;
  machine.prefetchers = {{"L2", PrefetcherKind::stream, 2, 20}};
  machine.tlb = {test::small_tlb("DTLB", {4096, 2 << 20}, 64, 4, 0)};
  machine.walk.pde_entries = 32;
  machine.walk.enters_at = "L2";
  machine.walk.nested_host_page_bytes = 4096;
  machine.memory.row_hit_ns = -25;
  machine.memory.per_core_bandwidth = 4e9;
  return machine;
}

TEST_CASE("a GPU stands beside, with every ceiling") {
  Machine machine = full_machine();
  CHECK(draw_machine(machine).find("beside it") == std::string::npos);
  machine.gpu = Gpu{.name = "A GPU", .architecture = "sm_90", .multiprocessors = 132};
  machine.gpu->read_bandwidth = 4.1e12;
  machine.gpu->atomics_in_l2 = 97e9;
  check_order(draw_machine(machine), {"beside it A GPU (sm_90)", "132 multiprocessors", "read",
                                      "4100GB/s", "atomicsL2", "97G/s", "tableQuarters"});
}

TEST_CASE("from the core down: levels, the latency of each, what waits and what prefetches") {
  check_order(draw_machine(full_machine()), {"core",
                                             "2GHz",
                                             "4 cy = 2 ns",
                                             "L1",
                                             "2 ways",
                                             "lru",
                                             "12 cy = 6 ns",
                                             "10 misses at a time",
                                             "L2",
                                             "40 cy = 20 ns",
                                             "16 misses at a time",
                                             "prefetch stream 2 lines up to 20 ahead",
                                             "L3",
                                             "victim",
                                             "30 % of it here",
                                             "200 cy = 100 ns",
                                             "75 ns in an open row",
                                             "32 misses at a time",
                                             "memory",
                                             "one core 4GB/s",
                                             "translation",
                                             "DTLB",
                                             "64 entries",
                                             "4KiB, 2MiB",
                                             "1 page walker, reading through L2, 32 PDE cache",
                                             "nested in host pages of 4KiB",
                                             "frames contiguous"});
}

TEST_CASE("what a machine does not have is not drawn") {
  const std::string drawing = draw_machine(test::small_machine());
  for (const char* absent : {"prefetch", "walker", "open row", "one core", "victim", "ssd",
                             "sectors", "inclusive", "write-"}) {
    CHECK_MESSAGE(drawing.find(absent) == std::string::npos, absent);
  }
  CHECK(drawing.find("translation is free") != std::string::npos);
  Machine machine = test::small_machine();
  machine.storage = Storage{.kind = DeviceKind::disk, .page_cache_bytes = 1 << 30};
  check_order(draw_machine(machine), {"memory", "disk", "page cache 1GiB"});
}

TEST_CASE("boxes are as wide as each other") {
  std::istringstream drawing(draw_machine(full_machine()));
  size_t width = 0;
  int boxes = 0;
  for (std::string line; std::getline(drawing, line);) {
    if (line.starts_with("  | ") || line.starts_with("  +-")) {
      width = width == 0 ? line.size() : width;
      CHECK(line.size() == width);
      ++boxes;
    }
  }
  CHECK(boxes == 3 * 5);
}

}  // namespace
}  // namespace presort::app::hierarchy_drawing_test
