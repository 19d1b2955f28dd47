// Does the shape of a launch matter? Times the kernels of a multireduce in the shapes that they
// have, and in others: threads of a block, inputs of a thread, blocks of a multiprocessor, slices
// of a block. Problems are drawn at random; values are zeros, whose sums take as long as others.
//   gpu_launch_shapes SEED PROBLEMS MOST_LOG2_N ROUNDS
// Prints a line of JSON for each problem and kernel: ns an input of each shape, medians, by turns;
// the first is the shape that a call takes. bench/gpu/python/shapes_table.py makes a table of them.
// Units:    a shape is "threads x inputs, blocks of a multiprocessor"; of tables of parts "threads,
//           slices of a block"
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bench/gpu/timing.cuh"
#include "presort/core/base/random.h"
#include "presort/gpu/multireduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

struct Shape {
  std::string name;
  std::function<void()> run;
};

template <class Value>
class Shapes {
 public:
  using Input = SeparateInput<uint32_t, Value>;
  using Monoid = Sum<Value>;

  Shapes(uint64_t n, uint64_t m, bench::Labels kind, int rounds)
      : n_(n), m_(m), kind_(kind), rounds_(rounds), labels_(n), values_(n), buckets_(m) {
    bench::make_labels(labels_, m, kind);
    PRESORT_CUDA(cudaMemset(values_.data(), 0, n * sizeof(Value)));
  }

  void print() {
    atomics();
    if (m_ * sizeof(Value) + kSpareBytes <= device_.shared_bytes_of_block) {
      tables();
    }
    parts();
  }

 private:
  Input input() const { return {labels_.data(), values_.data()}; }

  template <int kRows>
  Shape atomics_of(int threads, int blocks) {
    return {std::to_string(threads) + " x " + std::to_string(kRows) + ", " + std::to_string(blocks),
            [this, threads, blocks] {
              const uint64_t most = static_cast<uint64_t>(device_.multiprocessors) * blocks;
              const uint64_t needed = n_ / (static_cast<uint64_t>(threads) * kRows) + 1;
              update_global_kernel<kRows>
                  <<<static_cast<unsigned>(std::min(most, needed)), threads>>>(
                      input(), n_, buckets_.data(), Monoid{});
            }};
  }

  void atomics() {
    if (n_ < kFewestInputsOfLook) {
      return;  // kernels with an input or two for each thread
    }
    constexpr int kBlocks = kLookingBlocks<Value>;
    print("atomics",
          {atomics_of<4>(256, kBlocks), atomics_of<1>(256, kBlocks), atomics_of<2>(256, kBlocks),
           atomics_of<8>(256, kBlocks), atomics_of<4>(256, 4), atomics_of<4>(256, 2),
           atomics_of<4>(128, 16), atomics_of<2>(128, 16), atomics_of<8>(256, 4)});
  }

  template <int kPacks>
  Shape tables_of(int threads, int blocks) {
    constexpr int kPack = 4;
    return {std::to_string(threads) + " x " + std::to_string(kPack * kPacks) + ", " +
                std::to_string(blocks),
            [this, threads, blocks] {
              const SharedRanges division = divide_buckets(m_, 1, 1);
              const size_t bytes = division.shared_bytes(sizeof(Value));
              const auto kernel =
                  update_shared_kernel<kPack, kPacks, SkewedTable::plain, Input, Monoid>;
              allow_shared_bytes(kernel, bytes);
              const uint64_t most = static_cast<uint64_t>(device_.multiprocessors) * blocks;
              const uint64_t tiles = n_ / (static_cast<uint64_t>(threads) * kPack * kPacks) + 1;
              kernel<<<static_cast<unsigned>(std::min(most, tiles)), threads, bytes>>>(
                  input(), n_, buckets_.data(), m_, division,
                  whole_packs(static_cast<uint32_t>(bytes)), Monoid{});
            }};
  }

  void tables() {
    const size_t bytes = divide_buckets(m_, 1, 1).shared_bytes(sizeof(Value));
    const int of_each = resident_blocks(device_, 1024, bytes) / device_.multiprocessors;
    const int of_halves = resident_blocks(device_, 512, bytes) / device_.multiprocessors;
    const TableBlockShape call = table_block_shape(device_, n_, 4, 4, bytes, sizeof(Value) == 8);
    const int blocks = call.threads == 512 ? of_halves : of_each;
    std::vector<Shape> shapes{call.packs == 1   ? tables_of<1>(call.threads, blocks)
                              : call.packs == 2 ? tables_of<2>(call.threads, blocks)
                                                : tables_of<4>(call.threads, blocks)};
    for (const Shape& more :
         {tables_of<4>(1024, of_each), tables_of<2>(1024, of_each), tables_of<1>(1024, of_each),
          tables_of<2>(512, of_halves), tables_of<1>(512, of_halves), tables_of<4>(512, of_halves),
          tables_of<2>(1024, 1), tables_of<2>(512, 1), tables_of<1>(512, 1),
          tables_of<1>(256, 1)}) {
      shapes.push_back(more);
    }
    print("tables", shapes);
  }

  template <int kPacks, class Pairs>
  Shape parts_of(const Pairs& pairs, const Parts& parts, int shift, int threads, int slices) {
    constexpr int kPack = sizeof(uint32_t) + sizeof(Value) <= 12 ? 2 : 1;
    return {std::to_string(threads) + " x " + std::to_string(kPack * kPacks) + ", slices " +
                std::to_string(slices),
            [=, this] {
              const PartRanges division = divide_part(uint64_t{1} << shift, 1);
              const size_t bytes = division.buckets * sizeof(Value) + kSpareBytes;
              const auto kernel =
                  update_parts_kernel<kPack, kPacks, false, Pairs, OnePiece<Value>, Monoid>;
              allow_shared_bytes(kernel, bytes);
              const uint64_t most =
                  static_cast<uint64_t>(resident_blocks(device_, threads, bytes)) * slices;
              const uint64_t needed = n_ / threads + 1;
              kernel<<<static_cast<unsigned>(std::min(most, needed)), threads, bytes>>>(
                  pairs, {buckets_.data(), m_, parts}, shift, division,
                  whole_packs(static_cast<uint32_t>(bytes)), Monoid{});
            }};
  }

  void parts() {
    const int bits = label_bits(m_);
    GpuPlan plan;
    plan.presort = GpuPresort{.sort_bits = std::min(9, bits)};
    const int shift = bits - plan.presort->sort_bits;
    if ((sizeof(Value) << shift) + kSpareBytes > device_.shared_bytes_of_block) {
      return;
    }
    using Word = WordOf<Value>;
    using Arrays = PresortArrays<uint32_t, Word, GaplessOutput<uint32_t, Word>>;
    Carver measuring;
    Arrays::take(measuring, plan, n_, Order::any);
    const Array<std::byte> scratch(measuring.used_bytes());
    Carver carver(scratch.data());
    const auto arrays = Arrays::take(carver, plan, n_, Order::any);
    const auto pairs =
        typed_input<Value>(run_any_presort(nullptr, as_words(input()), n_, arrays, plan, bits));
    const Parts parts{arrays.begins, arrays.begins + 1, 1u << plan.presort->sort_bits};
    const size_t bytes = (sizeof(Value) << shift) + kSpareBytes;
    constexpr int kUsual = sizeof(Value) > 4 ? 2 : 4;
    const PartsShape call = parts_shape(device_, n_, m_);
    const int threads = parts_launch(device_, n_, bytes, 1, call).threads;
    std::vector<Shape> shapes{parts_of<kUsual>(pairs, parts, shift, threads, call.slices_of_block)};
    for (const int of_block : {1, 2, 4, 8, 16}) {
      shapes.push_back(parts_of<kUsual>(pairs, parts, shift, threads, of_block));
    }
    for (const int other : {256, 512, 1024}) {
      shapes.push_back(parts_of<kUsual>(pairs, parts, shift, other, 4));
      shapes.push_back(parts_of<kUsual / 2>(pairs, parts, shift, other, 4));
    }
    print("parts", shapes);
  }

  void print(const char* kernel, const std::vector<Shape>& shapes) {
    std::vector<std::vector<double>> times(shapes.size());
    const EventPair pair;
    for (const Shape& shape : shapes) {
      shape.run();
    }
    PRESORT_CUDA(cudaGetLastError());
    for (int round = 0; round < rounds_; ++round) {
      for (size_t i = 0; i < shapes.size(); ++i) {
        const size_t turn = (i + static_cast<size_t>(round)) % shapes.size();
        times[turn].push_back(pair.ns_of(shapes[turn].run));
      }
    }
    std::printf("{\"kernel\": \"%s\", \"n\": %zu, \"m\": %zu, ", kernel, static_cast<size_t>(n_),
                static_cast<size_t>(m_));
    std::printf("\"labels\": \"%s\", \"value\": \"%s%d\", \"shapes\": {",
                kind_ == bench::Labels::zipf ? "zipf:1.25" : "uniform",
                std::is_integral_v<Value> ? "u" : "f", static_cast<int>(8 * sizeof(Value)));
    for (size_t i = 0; i < shapes.size(); ++i) {
      std::nth_element(times[i].begin(), times[i].begin() + rounds_ / 2, times[i].end());
      std::printf("%s\"%s%s\": %.6g", i == 0 ? "" : ", ", i == 0 ? "call: " : "",
                  shapes[i].name.c_str(),
                  times[i][static_cast<size_t>(rounds_ / 2)] / static_cast<double>(n_));
    }
    std::printf("}}\n");
    std::fflush(stdout);
  }

  DeviceLimits device_ = current_device_limits();
  uint64_t n_;
  uint64_t m_;
  bench::Labels kind_;
  int rounds_;
  Array<uint32_t> labels_;
  Array<Value> values_;
  Array<Value> buckets_;
};

uint64_t log_uniform(uint64_t random, double least, double most) {
  return static_cast<uint64_t>(std::exp2(least + unit_double(random) * (most - least)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: gpu_launch_shapes SEED PROBLEMS MOST_LOG2_N ROUNDS\n");
    return 2;
  }
  const auto seed = static_cast<uint64_t>(std::atoll(argv[1]));
  const int rounds = std::atoi(argv[4]);
  try {
    for (uint64_t i = 0; i < static_cast<uint64_t>(std::atoll(argv[2])); ++i) {
      const auto random = [&](uint64_t which) { return random_u64(seed, 8 * i + which); };
      const uint64_t n = log_uniform(random(0), 14, std::atof(argv[3]));
      const uint64_t m = log_uniform(random(1), 4, 24);
      const auto kind = random(2) % 3 == 0 ? bench::Labels::zipf : bench::Labels::uniform;
      switch (random(3) % 3) {
        case 0:
          Shapes<uint32_t>(n, m, kind, rounds).print();
          break;
        case 1:
          Shapes<float>(n, m, kind, rounds).print();
          break;
        default:
          Shapes<uint64_t>(n, m, kind, rounds).print();
      }
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
