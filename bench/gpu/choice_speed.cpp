// Time of the host to choose a plan for a GPU (gpu/plan/choose_plan.h); no GPU is needed.
//   gpu_choice_speed [ROUNDS]
// Draws 256 problems: n from 2^10 to 2^30, m from 2^4 to 2^28, four types, multireduces; chooses a
// plan for each as a call does that is told nothing of the labels. Prints, for the bundled ceilings
// of each GPU, the median, 90 % and worst over the problems, µs: of their first times, and of their
// least in ROUNDS rounds; and a hash of all plans, which shows that a change of the code chooses
// the same.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/choose_plan.h"

using namespace presort;

namespace {

void print(const char* name, std::vector<double> us) {
  std::sort(us.begin(), us.end());
  std::printf("%s: median %.2f, 90 %% %.2f, worst %.2f us; ", name, us[us.size() / 2],
              us[us.size() * 9 / 10], us.back());
}

}  // namespace

int main(int argc, char** argv) {
  constexpr size_t kProblems = 256;
  constexpr std::array kTypes = {ScalarType::u32, ScalarType::f32, ScalarType::u64,
                                 ScalarType::f64};
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  for (const Gpu& gpu : gpu::bundled_gpus()) {
    std::vector<Problem> problems(kProblems);
    for (size_t i = 0; i < kProblems; ++i) {
      const auto drawn = [i](uint64_t stream, double low, double high) {
        return static_cast<uint64_t>(
            std::exp2(low + (high - low) * unit_double(random_u64(stream, i))));
      };
      problems[i].operation = Operation::multireduce;
      problems[i].n = drawn(1, 10, 30);
      problems[i].m = drawn(2, 4, 28);
      problems[i].types = {ScalarType::u32, kTypes[random_u64(3, i) % kTypes.size()]};
    }
    std::vector<double> first(kProblems);
    std::vector<double> least(kProblems, 1e9);
    std::string plans;
    for (int round = 0; round < rounds; ++round) {
      plans.clear();
      for (size_t i = 0; i < kProblems; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const GpuPlan plan = gpu::choose_safe_plan(gpu, problems[i]);
        const std::chrono::duration<double, std::micro> us =
            std::chrono::steady_clock::now() - begin;
        least[i] = std::min(least[i], us.count());
        if (round == 0) {
          first[i] = us.count();
        }
        plans += to_string(plan);
      }
    }
    std::printf("%s: ", gpu.name.c_str());
    print("first", first);
    print("least", least);
    std::printf("plans %016zx\n", std::hash<std::string>{}(plans));
  }
  return 0;
}
