// Attacks readers with mutated recordings (JSON lines, plain and in gzip), latency matrices and label
// files.
#include <cmath>
#include <fstream>
#include <limits>

#include "fuzz/checks.h"
#include "input_kind.h"
#include "mutate.h"
#include "pack.h"
#include "presort/io/json/loop_lines.h"
#include "presort/io/json/result_lines.h"
#include "presort/io/labels/label_file.h"
#include "presort/io/machine/latency_matrix_file.h"

namespace presort::inline v0::attack {
namespace {

constexpr double kLongestNs = 1e12;  // longest plausible time per input: 1000 s, in ns

void require_times(const std::vector<double>& all) {
  for (const double ns : all) {
    fuzz::require(std::isfinite(ns) && ns > 0 && ns < kLongestNs,
                  "a measured time of " + std::to_string(ns) + " ns");
  }
}

// Writes a changed input to a file that has the name of its seed, and returns the path.
std::string file_of(const Case& input, const std::string& name) {
  const std::string path = input.scratch + "/" + name;
  std::ofstream(path, std::ios::binary)
      .write(input.input.data(), static_cast<std::streamsize>(input.input.size()));
  return path;
}

void change_lines_of(Draw& draw, const Seed& seed, Case& input) {
  input.name = seed.name;
  if (!seed.name.ends_with(".gz")) {
    input.input = change_text(draw, seed.content, seed.content, Syntax::json);
  } else if (draw.chance(50)) {
    input.input = change_bytes(draw, seed.content);
  } else {
    const std::string plain = unpack_gzip(seed.content);
    input.input = pack_oddly(draw, change_text(draw, plain, plain, Syntax::json), pack_gzip);
  }
}

// Returns a changed .npy file. The header of NumPy's format 1.0 has its length at byte 8, which must fit
// the change.
std::string change_npy(Draw& draw, const std::string& content) {
  constexpr size_t kText = 10;
  if (draw.chance(30) || content.size() < kText) {
    return change_bytes(draw, content);
  }
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(content[at]); };
  const size_t length = byte(8) + (size_t{byte(9)} << 8);
  const std::string header =
      change_text(draw, content.substr(kText, length), content, Syntax::yaml);
  std::string changed = content.substr(0, 8);
  changed += static_cast<char>(header.size());
  changed += static_cast<char>(header.size() >> 8);
  return changed + header + content.substr(std::min(content.size(), kText + length));
}

}  // namespace

void run_results(Draw& draw, Case& input) {
  const Seed& seed = draw.of(input.seeds);
  change_lines_of(draw, seed, input);
  for (const io::RecordedPoint& point : io::read_result_lines(file_of(input, seed.name))) {
    require_times(point.ns);
    require_times(point.raw_ns);
  }
}

void run_loops(Draw& draw, Case& input) {
  const Seed& seed = draw.of(input.seeds);
  change_lines_of(draw, seed, input);
  for (const io::RecordedLoop& loop : io::read_loop_lines(file_of(input, seed.name))) {
    require_times(loop.ns);
    require_times({loop.cycle_ns});
  }
}

void run_matrix(Draw& draw, Case& input) {
  const Seed& seed = draw.of(input.seeds);
  input.name = seed.name;
  input.input = change_text(draw, seed.content, draw.of(input.seeds).content, Syntax::yaml);
  io::parse_latency_matrix(input.input, seed.name);
}

void run_labels(Draw& draw, Case& input) {
  const Seed& seed = draw.of(input.seeds);
  input.name = seed.name;
  if (seed.name.ends_with(".npy")) {
    input.input = change_npy(draw, seed.content);
  } else if (seed.name.ends_with(".txt")) {
    input.input = change_text(draw, seed.content, seed.content, Syntax::yaml);
  } else {
    input.input = change_bytes(draw, seed.content);
  }
  constexpr uint64_t kBuckets[] = {1, 16, uint64_t{1} << 32, std::numeric_limits<uint64_t>::max()};
  const uint64_t m = draw.of(kBuckets);
  for (const uint64_t label : io::read_labels(file_of(input, seed.name), m)) {
    fuzz::require(label < m, "a label that is not below the number of buckets");
  }
}

}  // namespace presort::attack
