#include "presort/io/machine/latency_matrix_file.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "presort/core/error.h"
#include "presort/io/limits.h"
#include "tests/io/fixtures.h"

namespace presort::inline v0::io::latency_matrix_file_test {
namespace {

const std::string kMemLat =
    "Some header\r\n"
    "CPU#00 Freq: 2200.04MHz Type: \"A Processor 12                 \"\r\n"
    "*** Linear Read Latency ***\r\n"
    "Stride,     8,  16,  1K,\r\n"
    "    0.25K,  -1,   3,\r\n"
    "    2.0K,   4,   4,   5,\r\n"
    "*** BlockRandom Read Latency ***\n"
    "Block,      8,  16K,\n"
    " 1024.0K,  14,  37,\n"
    "*** Random Read Latency ***\n"
    "Stride,     8,\n"
    "   64.0K,   9,\n"
    "*** CacheLine Forward Read Latency ***\n"
    "Distance,   8,  16,\n"
    "     8.0K,   4,   4,\n"
    "BenchMemLat exit code: 0x0100\n";

const std::string kNewMemLat =
    "Arch:X64 CPUCount:20 NUMA:0 Freq: 3311.94MHz Priority:080\n"
    "Memory To Test:65536KB 4K DTLB:768 2M DTLB:700 1G DTLB:  8 CLFlush:64\n"
    "CPU#000 Type: \"First\"\n"
    "CPU#001 Type: \"Second\"\n"
    "Page_Random Tests\n"
    "Stride:       8   16K \n"
    "      48 KB   8 \n"
    "   65536 KB  91   144 \n"
    "Random_Full Tests\n"
    "Stride:       8   16 \n"
    "       2 KB   4    4 \n"
    "Page_Random 2CL Tests\n"
    "Block:       4K   8K\n"
    "       4 KB   4 \n";

std::string refusal(const std::string& text) {
  try {
    parse_latency_matrix(text, "m.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

void check_cell(const LatencyCell& cell, uint64_t footprint, uint64_t stride, uint64_t block,
                double cycles) {
  CHECK(cell.footprint_bytes == footprint);
  CHECK(cell.stride_bytes == stride);
  CHECK(cell.block_bytes == block);
  CHECK(cell.cycles == cycles);
}

TEST_CASE("the older benchmark: commas, kilobytes with a K, blocks in lines") {
  const LatencyMatrix matrix = parse_latency_matrix(kMemLat, "m.txt");
  CHECK(matrix.processor == "A Processor 12");
  CHECK(matrix.clock_hz == doctest::Approx(2200.04e6));
  REQUIRE(matrix.tables.size() == 3);
  CHECK(matrix.tables[0].order == ChaseOrder::forward);
  REQUIRE(matrix.tables[0].cells.size() == 4);  // cells of -1 are left out
  check_cell(matrix.tables[0].cells[0], 256, 16, 0, 3);
  check_cell(matrix.tables[0].cells[3], 2048, 1024, 0, 5);
  CHECK(matrix.tables[1].order == ChaseOrder::blockRandom);
  check_cell(matrix.tables[1].cells[0], 1 << 20, 64, 512, 14);
  check_cell(matrix.tables[1].cells[1], 1 << 20, 64, 1 << 20, 37);
  CHECK(matrix.tables[2].order == ChaseOrder::random);
  check_cell(matrix.tables[2].cells[0], 64 << 10, 8, 0, 9);
}

TEST_CASE("the newer benchmark: blanks, KB, as many pages in turn as the header says") {
  const LatencyMatrix matrix = parse_latency_matrix(kNewMemLat, "m.txt");
  CHECK(matrix.processor == "First");
  CHECK(matrix.clock_hz == doctest::Approx(3311.94e6));
  REQUIRE(matrix.tables.size() == 2);
  REQUIRE(matrix.tables[0].cells.size() == 3);
  check_cell(matrix.tables[0].cells[0], 48 << 10, 8, 768 * 4096, 8);
  check_cell(matrix.tables[0].cells[2], 64 << 20, 16 << 10, 768 * 4096, 144);
  check_cell(matrix.tables[1].cells[1], 2048, 16, 0, 4);
}

TEST_CASE("what is wrong is named with its line") {
  CHECK(refusal(replaced(kMemLat, "Stride,     8,\n", "")) ==
        "m.txt:11: found '64.0K,   9,', accepted: the header of the table, 'Stride' and sizes");
  CHECK(refusal(replaced(kMemLat, "64.0K,   9,", "64.0K,   x,")) ==
        "m.txt:12: found 'x', accepted: 0cy to 1000000cy, or -1 for not measured");
  CHECK(refusal(replaced(kMemLat, "64.0K,   9,", "64.0K,   -9,"))
            .starts_with("m.txt:12: found '-9'"));
  CHECK(refusal(replaced(kMemLat, "64.0K,   9,", "64.0K,   nan,")).starts_with("m.txt:12: found"));
  CHECK(refusal(replaced(kMemLat, "64.0K,   9,", "64.0K,   9, 9,")) ==
        "m.txt:12: found 2 latencies, accepted: at most 1, as many as the header has columns");
  CHECK(refusal(replaced(kMemLat, "Stride,     8,\n", "Stride, 8Q,\n")) ==
        "m.txt:11: found '8Q', accepted: a size such as 64 or 1K, up to 16GiB");
  CHECK(
      refusal(replaced(kMemLat, "   64.0K,   9,\n", "")) ==
      "m.txt:11: found no rows in the table '*** Random Read Latency ***', accepted: at least one");
  CHECK(refusal(replaced(kNewMemLat, "4K DTLB:768", "")).starts_with("m.txt:5: the table"));
}

TEST_CASE("sizes, clocks, pages and names that no machine has are refused") {
  CHECK(refusal(replaced(kMemLat, "64.0K,   9,", "64.0K,   1e300,")) ==
        "m.txt:12: found '1e300', accepted: 0cy to 1000000cy, or -1 for not measured");
  CHECK(test::contains(refusal(replaced(kMemLat, "Stride,     8,\n", "Stride, 1e12,\n")),
                       "m.txt:11: found '1e12', accepted: a size such as 64 or 1K, up to 16GiB"));
  CHECK(test::contains(refusal("Freq: 99999999MHz\n"),
                       "m.txt:1: Freq: found 99999.999GHz, accepted: 1MHz to 1000GHz"));
  CHECK(test::contains(refusal("Freq: 0MHz\n"), "m.txt:1: Freq: found 0Hz, accepted: 1MHz to"));
  CHECK(test::contains(refusal(replaced(kNewMemLat, "4K DTLB:768", "4K DTLB:99999999999999999999")),
                       "4K DTLB: found 1e+20, accepted: 1 to 1048576"));
  CHECK(test::contains(refusal("Type: \"\x1b[2J\"\n"),
                       "m.txt:1: Type: found the character U+001B at byte 0, accepted: "));
  std::string columns = "Stride";
  std::string cells = "64.0K";
  for (int i = 0; i < 20000; ++i) {
    columns += ",8";
    cells += ",9";
  }
  const std::string many = "Freq: 2000MHz\n*** Random Read Latency ***\n" + columns + "\n" + cells;
  CHECK(refusal(many) == "m.txt:4: found more than 16384 latencies, accepted: at most so many");
}

TEST_CASE("files of latencies larger than any, or without end, are refused") {
  CHECK(refusal("").starts_with("m.txt: found no clock"));
  const test::TemporaryFolder folder;
  const std::string path = folder.write("m.txt", "x");
  std::filesystem::resize_file(path, limits::kMostMatrixBytes + 1);
  CHECK(test::input_error([&] { read_latency_matrix(path); }) ==
        path + ": found more than 4MiB, accepted: at most 4MiB");
  CHECK(test::input_error([] { read_latency_matrix("/dev/zero"); }) ==
        "/dev/zero: found a device, accepted: a file");
}

TEST_CASE(
    "a file without a random table or without a clock is refused, a truncated one where it ends") {
  CHECK(refusal("").starts_with("m.txt: found no clock"));
  CHECK(refusal("Freq: 2000MHz\n").starts_with("m.txt: found no table of random order"));
  CHECK(refusal(replaced(kMemLat, "Freq:", "Frog:")).starts_with("m.txt: found no clock"));
  const size_t at = kNewMemLat.find("Stride:       8   16 \n");
  CHECK(refusal(kNewMemLat.substr(0, at)).starts_with("m.txt:10: the file ends after the title"));
  CHECK_THROWS_AS(read_latency_matrix("/nowhere/m.txt"), InputError);
  CHECK_THROWS_AS(read_latency_matrix("/"), InputError);
}

// Published latency matrices are not part of the project; PRESORT_LATENCY_MATRICES names their folder.
TEST_CASE("the published files are read whole") {
  const char* folder = std::getenv("PRESORT_LATENCY_MATRICES");
  if (folder == nullptr) {
    MESSAGE("skipped: PRESORT_LATENCY_MATRICES is not set");
    return;
  }
  const struct {
    std::string name;
    size_t random_cells;
    double clock_mhz;
  } files[] = {{"GenuineIntel00006F6_Merom_MemLatX86.txt", 206, 1828.63},
               {"AuthenticAMD0600F12_Interlagos_MemLatX64.txt", 200, 2200.04},
               {"GenuineIntel0050654_SkylakeX_NewMemLat.txt", 424, 3311.94},
               {"AuthenticAMD0830F10_K17_Rome_NewMemLat.txt", 400, 2249.99}};
  for (const auto& file : files) {
    const LatencyMatrix matrix = read_latency_matrix(std::string(folder) + "/" + file.name);
    CHECK(matrix.clock_hz == doctest::Approx(file.clock_mhz * 1e6));
    CHECK(matrix.tables.size() == 4);
    for (const LatencyTable& table : matrix.tables) {
      CHECK_MESSAGE((table.order != ChaseOrder::random || table.cells.size() == file.random_cells),
                    file.name);
    }
  }
}

}  // namespace
}  // namespace presort::io::latency_matrix_file_test
