// Times reductions over axes of tensors drawn anew, in every layout (core/axes/axes_layout.h): how
// near the layout that is chosen is to the best one.
//   gpu_axes_draws SEED DRAWS ROUNDS
// A draw has two to five axes, a random subset of them reduced, and one or two operands of floats
// or doubles, whose axes lie in random orders and of which the second lacks some. Prints a line of
// JSON for each draw and layout: median time, cycles that are counted; in the end how many times as
// long as the best layout the chosen one takes. Layouts that take more than ten times the best one
// so far are timed once.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda/std/functional>
#include <random>
#include <string>
#include <vector>

#include "bench/gpu/timing.cuh"
#include "bench/gpu/values.cuh"
#include "presort/gpu/reduce_axes.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 30;  // of an operand, and of the results

struct Draw {
  AxesShape shape;
  std::vector<int64_t> results;
  std::vector<std::vector<int64_t>> operands;
};

class Draws {
 public:
  Draws(uint64_t seed, int rounds)
      : random_(seed),
        rounds_(rounds),
        first_(kMostBytes),
        second_(kMostBytes),
        results_(kMostBytes),
        scratch_(kMostBytes) {}

  void run(int draws) {
    for (int i = 0; i < draws; ++i) {
      const int operands = 1 + static_cast<int>(random_() % 2);
      const bool is_double = random_() % 2 == 0;
      const Draw draw = any(operands, is_double ? 8 : 4);
      if (is_double) {
        time_all<double>(i, draw);
      } else {
        time_all<float>(i, draw);
      }
    }
    std::sort(losses_.begin(), losses_.end());
    const auto within =
        std::count_if(losses_.begin(), losses_.end(), [](double r) { return r <= 1.05; });
    std::printf("{\"draws\": %zu, \"within 5 %%\": %zu, \"median\": %.3f, \"worst\": %.3f}\n",
                losses_.size(), static_cast<size_t>(within), losses_[losses_.size() / 2],
                losses_.back());
  }

 private:
  // Strides of a dense tensor of some axes, which lie in a random order; 0 along the others.
  std::vector<int64_t> any_strides(const AxesShape& shape, const std::vector<int>& axes) {
    std::vector<int> order = axes;
    std::shuffle(order.begin(), order.end(), random_);
    std::vector<int64_t> strides(shape.extents.size(), 0);
    int64_t stride = 1;
    for (const int axis : order) {
      strides[static_cast<size_t>(axis)] = stride;
      stride *= static_cast<int64_t>(shape.extents[static_cast<size_t>(axis)]);
    }
    return strides;
  }
  static uint64_t count(const AxesShape& shape, const std::vector<int>& axes) {
    uint64_t all = 1;
    for (const int axis : axes) {
      all *= shape.extents[static_cast<size_t>(axis)];
    }
    return all;
  }

  // A draw with 2^24 to 2^28 indices of which each array has at most kMostBytes ÷ 2.
  Draw any(int operands, uint64_t bytes) {
    while (true) {
      Draw draw;
      const int axes = 2 + static_cast<int>(random_() % 4);
      const double bits = std::uniform_real_distribution<double>(24, 28)(random_);
      std::vector<double> parts;
      double all = 0;
      for (int a = 0; a < axes; ++a) {
        parts.push_back(std::uniform_real_distribution<double>(0.15, 1)(random_));
        all += parts.back();
      }
      std::vector<int> whole;
      std::vector<int> kept;
      for (int a = 0; a < axes; ++a) {
        const double extent = std::exp2(bits * parts[static_cast<size_t>(a)] / all);
        draw.shape.extents.push_back(std::max<uint64_t>(2, static_cast<uint64_t>(extent)));
        whole.push_back(a);
        if (random_() % 2 == 0) {
          draw.shape.reduced.push_back(a);
        } else {
          kept.push_back(a);
        }
      }
      if (kept.empty() || draw.shape.reduced.empty()) {
        continue;
      }
      draw.results = any_strides(draw.shape, kept);
      bool fits = count(draw.shape, kept) * bytes <= kMostBytes / 2;
      for (int i = 0; i < operands; ++i) {
        std::vector<int> own;
        for (const int axis : whole) {
          if (operands == 1 || random_() % 3 != 0) {
            own.push_back(axis);
          }
        }
        fits = fits && count(draw.shape, own) * bytes <= kMostBytes / 2;
        draw.operands.push_back(any_strides(draw.shape, own));
      }
      if (fits) {
        return draw;
      }
    }
  }

  template <class T>
  void time_all(int number, const Draw& draw) {
    for (const auto* operand : {&first_, &second_}) {
      bench::fill(std::span(reinterpret_cast<T*>(operand->data()), kMostBytes / sizeof(T)), 16);
    }
    const T* a = reinterpret_cast<const T*>(first_.data());
    const T* b = reinterpret_cast<const T*>(second_.data());
    if (draw.operands.size() == 1) {
      time_layouts<T>(number, draw, cuda::std::identity{}, a);
    } else {
      time_layouts<T>(number, draw, cuda::std::multiplies<>{}, a, b);
    }
  }

  template <class T, class Map, class... In>
  void time_layouts(int number, const Draw& draw, const Map& map, const In*... operands) {
    auto* const results = reinterpret_cast<T*>(results_.data());
    const auto plan_with = [&]<size_t... kOperand>(std::index_sequence<kOperand...>) {
      return plan_axes<Sum<T>>(draw.shape, Strided<T>{results, draw.results},
                               Strided<const In>{operands, draw.operands[kOperand]}...);
    };
    const AxesPlan chosen = plan_with(std::index_sequence_for<In...>{});
    constexpr size_t kBytes[] = {sizeof(In)...};
    print(number, draw, sizeof(T));
    double best = 0;
    double of_chosen = 0;
    const auto time = [&](const AxesLayout& layout) {
      AxesPlan plan = chosen;
      if (!(layout == chosen.layout)) {
        plan.layout = layout;
        plan.geometry = geometry_of(plan.axes, layout, true);
      }
      const size_t bytes = axes_scratch_bytes<T>(plan);
      if (bytes > kMostBytes) {
        return;
      }
      const auto reduce = [&] {
        reduce_axes(nullptr, plan, results, Sum<T>{}, map, std::span(scratch_.data(), bytes),
                    operands...);
      };
      double ns = bench::ns_once(reduce);
      if (best == 0 || ns < 10 * best) {
        ns = bench::median_ns(rounds_, reduce);
      }
      best = best == 0 ? ns : std::min(best, ns);
      const bool is_chosen = layout == chosen.layout;
      of_chosen = is_chosen ? ns : of_chosen;
      std::printf(
          "{\"draw\": %d, \"layout\": [%d, %d, %d], \"chosen\": %s, \"us\": %.2f, \"cycles\": "
          "%.5g, \"pieces\": %zu}\n",
          number, layout.lane_axis, layout.reducing_lanes, layout.block_axis,
          is_chosen ? "true" : "false", ns / 1e3, load_cycles(plan.axes, kBytes, layout),
          static_cast<size_t>(plan.geometry.pieces));
    };
    time(chosen.layout);
    const auto kept = static_cast<int>(chosen.axes.kept.size());
    for (int axis = 0; axis < kept; ++axis) {
      for (const int reducing : {1, 2, 4, 8, 16, 32}) {
        for (int block = -1; block < kept; ++block) {
          const AxesLayout layout{axis, reducing, block};
          if (!(layout == chosen.layout)) {
            time(layout);
          }
        }
      }
    }
    std::fflush(stdout);
    losses_.push_back(of_chosen / best);
  }

  static void print(const char* name, const std::vector<int64_t>& numbers) {
    std::printf("\"%s\": [", name);
    for (size_t i = 0; i < numbers.size(); ++i) {
      std::printf("%s%lld", i == 0 ? "" : ", ", static_cast<long long>(numbers[i]));
    }
    std::printf("], ");
  }
  static void print(int number, const Draw& draw, size_t bytes) {
    std::printf("{\"draw\": %d, ", number);
    print("extents", {draw.shape.extents.begin(), draw.shape.extents.end()});
    print("reduced", {draw.shape.reduced.begin(), draw.shape.reduced.end()});
    print("results", draw.results);
    print("first", draw.operands[0]);
    print("second", draw.operands.size() > 1 ? draw.operands[1] : std::vector<int64_t>{});
    std::printf("\"element bytes\": %zu}\n", bytes);
  }

  std::mt19937_64 random_;
  int rounds_;
  Array<std::byte> first_, second_, results_, scratch_;
  std::vector<double> losses_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: gpu_axes_draws SEED DRAWS ROUNDS\n");
    return 2;
  }
  Draws(std::strtoull(argv[1], nullptr, 10), std::atoi(argv[3])).run(std::atoi(argv[2]));
  return 0;
}
