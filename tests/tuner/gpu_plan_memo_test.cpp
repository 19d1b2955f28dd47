#include "presort/gpu/plan/plan_memo.h"

#include <doctest/doctest.h>

#include <vector>

namespace presort::inline v0::gpu::gpu_plan_memo_test {
namespace {

PlanQuestion question_of(uint64_t n, uint64_t m) {
  PlanQuestion question;
  question.n = n;
  question.m = m;
  return question;
}

// Questions to the plan memo that differ from the first in one field each.
std::vector<PlanQuestion> neighbours_of(const PlanQuestion& first) {
  std::vector<PlanQuestion> questions(7, first);
  questions[0].knows_labels = !first.knows_labels;
  questions[1].kind = DistributionKind::zipf;
  questions[2].parameter = 1.25;
  questions[3].types.value = ScalarType::f64;
  questions[4].operation = Operation::scatter;
  questions[5].n = first.n + 1;
  questions[6].m = first.m + 1;
  return questions;
}

}  // namespace

TEST_CASE("a plan is chosen once for a question, and anew for another") {
  int chosen = 0;
  const auto choose = [&chosen] {
    ++chosen;
    GpuPlan plan;
    plan.n_sets = chosen;
    return plan;
  };
  const PlanQuestion question = question_of(1000, 77);
  CHECK(remembered_plan(question, choose).n_sets == 1);
  CHECK(remembered_plan(question, choose).n_sets == 1);
  CHECK(remembered_plan(question_of(1001, 77), choose).n_sets == 2);
}

TEST_CASE("questions asked by turns that differ in one field do not take each other's place") {
  int pairs = 0;
  int chosen_again = 0;
  for (uint64_t n = 1024; n < 1024 + 50; ++n) {
    const PlanQuestion first = question_of(n, 4 * n);
    for (const PlanQuestion& other : neighbours_of(first)) {
      const auto ask = [](const PlanQuestion& question) {
        bool chosen = false;
        remembered_plan(question, [&chosen] {
          chosen = true;
          return GpuPlan{};
        });
        return chosen;
      };
      ask(first);
      ask(other);
      chosen_again += ask(first) ? 1 : 0;
      ++pairs;
    }
  }
  CHECK(pairs == 350);
  CHECK(chosen_again == 0);
}

TEST_CASE("two questions whose hashes end alike are each chosen for once, when asked by turns") {
  constexpr uint64_t kEnd = 1024;  // more than there are places for plans
  const PlanQuestion first = question_of(5000, 60);
  PlanQuestion other = first;
  do {
    ++other.m;
  } while (question_hash(other) % kEnd != question_hash(first) % kEnd);
  int chosen = 0;
  for (int turn = 0; turn < 10; ++turn) {
    for (const PlanQuestion& question : {first, other}) {
      remembered_plan(question, [&chosen] {
        ++chosen;
        return GpuPlan{};
      });
    }
  }
  CHECK(chosen == 2);
}

}  // namespace presort::gpu::gpu_plan_memo_test
