// Judges the layouts of reductions over axes (core/axes/axes_layout.h) by recorded times of all
// layouts of random tensors, without a GPU: what the layout that is chosen now loses against the
// best one.
//   gpu_axes_regret MOST_PERCENT RECORD.jsonl[.gz]
// The record is what bench/gpu/ordered/axes_draws.cu prints. Prints a row for each draw. Exit
// status 1 when the chosen layouts take more than MOST_PERCENT longer than the best ones on
// average, or one was not timed.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/axes/axes_layout.h"
#include "presort/io/json/json_lines.h"

using namespace presort;

namespace {

struct Draw {
  MergedAxes axes;
  std::vector<size_t> element_bytes;
  std::vector<std::pair<AxesLayout, double>> times;  // of each layout that was timed, µs
};

template <class Line>
Draw make_draw(const Line& line) {
  const auto numbers = [&](const char* key) {
    return line.at(key).template get<std::vector<int64_t>>();
  };
  const size_t bytes = line.at("element bytes");
  const auto extents = numbers("extents");
  const auto reduced = numbers("reduced");
  const AxesShape shape{{extents.begin(), extents.end()}, {reduced.begin(), reduced.end()}};
  // Addresses of arrays that do not overlap: only the strides matter.
  constexpr uintptr_t kApart = uintptr_t{1} << 45;
  const std::vector<int64_t> results = numbers("results");
  const std::vector<int64_t> first = numbers("first");
  const std::vector<int64_t> second = numbers("second");
  std::vector<StridedLayout> operands = {{"first", kApart, bytes, bytes, first}};
  if (!second.empty()) {
    operands.push_back({"second", 2 * kApart, bytes, bytes, second});
  }
  return {merge_axes(shape, {"results", bytes, bytes, bytes, results}, operands, true),
          std::vector<size_t>(operands.size(), bytes),
          {}};
}

std::vector<Draw> read_draws(const std::string& path) {
  std::vector<Draw> draws;
  io::for_each_json_line(
      io::read_maybe_compressed(path), path, "line of gpu_axes_draws",
      [&](const auto& line, const std::string&) {
        if (line.contains("extents")) {
          draws.push_back(make_draw(line));
        } else if (line.contains("layout")) {
          const auto at = line.at("layout").template get<std::vector<int>>();
          draws.back().times.push_back({{at.at(0), at.at(1), at.at(2)}, line.at("us")});
        }
      });
  return draws;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: gpu_axes_regret MOST_PERCENT RECORD.jsonl[.gz]\n");
    return 2;
  }
  double sum = 0;
  int within = 0;
  const std::vector<Draw> draws = read_draws(argv[2]);
  fmt::print("| chosen | µs | best | µs | loss |\n| --- | --- | --- | --- | --- |\n");
  for (const Draw& draw : draws) {
    const AxesLayout layout = choose_layout(draw.axes, draw.element_bytes);
    const auto chosen = std::find_if(draw.times.begin(), draw.times.end(),
                                     [&](const auto& timed) { return timed.first == layout; });
    const auto best =
        std::min_element(draw.times.begin(), draw.times.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (chosen == draw.times.end()) {
      fmt::print("{}: was not timed\n", to_string(layout));
      return 1;
    }
    const double loss = chosen->second / best->second - 1;
    sum += loss;
    within += loss <= 0.05 ? 1 : 0;
    fmt::print("| {} | {:.1f} | {} | {:.1f} | {:.1f} % |\n", to_string(layout), chosen->second,
               to_string(best->first), best->second, 100 * loss);
  }
  const double mean = 100 * sum / static_cast<double>(draws.size());
  fmt::print("\n{} draws: {} within 5 %, {:.1f} % on average\n", draws.size(), within, mean);
  return mean <= std::atof(argv[1]) ? 0 : 1;
}
