#include "presort/app/commands/tune_problems.h"

#include <string>

#include "presort/app/cli/problem_sizes.h"

namespace presort::inline v0::app {

namespace {

constexpr char kStandardDistributions[] = "uniform,zipf:1,clustered:16,sorted,permutation";
constexpr char kStandardTypes[] = "u32+u32,u32+f64";

// The lists whose product is the set of problems of `tune`.
struct ProblemLists {
  std::vector<std::string> operations, distributions, types;
  bool are_standard = false;  // true: no option names problems, so that they are the standard ones
};

ProblemLists read_lists(const Arguments& arguments) {
  const bool standard = !arguments.has("n") && !arguments.has("buckets") &&
                        !arguments.has("dist") && !arguments.has("labels");
  return {.operations = arguments.list("op"),
          .distributions =
              standard ? split(kStandardDistributions, ',') : given_distributions(arguments),
          .types = standard && !arguments.has("type") ? split(kStandardTypes, ',')
                                                      : arguments.list("type"),
          .are_standard = standard};
}

// The distributions of an operation's problems: without labels, none of the standard ones but the
// first matters.
std::vector<std::string> distributions_for(Operation operation, const ProblemLists& lists) {
  return has_labels(operation) || !lists.are_standard
             ? lists.distributions
             : std::vector<std::string>{to_string(Distribution{})};
}

// Appends copies of a problem, one for each number of buckets.
void add_problems(const Arguments& arguments, Problem problem, LabelFiles& files,
                  std::vector<Problem>& problems) {
  const LabelFile* const file = files.of(problem.distribution);
  read_inputs(arguments, file, problem);
  const auto implied = implied_buckets(arguments, file, problem);
  for (const uint64_t m : implied ? std::vector{*implied} : given_buckets(arguments, file)) {
    problem.m = m;
    check_problem_of(problem, file);
    problems.push_back(problem);
  }
}

}  // namespace

std::vector<Problem> read_tune_problems(const Arguments& arguments, LabelFiles& files) {
  const ProblemLists lists = read_lists(arguments);
  std::vector<Problem> problems;
  for (const std::string& operation : lists.operations) {
    Problem problem;
    problem.operation = from_name(kOperations, "--op", operation);
    const auto types_of_it = implied_types(arguments, problem.operation);
    for (const std::string& types : types_of_it ? std::vector{*types_of_it} : lists.types) {
      for (const std::string& distribution : distributions_for(problem.operation, lists)) {
        problem.types = read_types(types);
        problem.distribution = parse_distribution("--dist", distribution);
        add_problems(arguments, problem, files, problems);
      }
    }
  }
  say_sizes_of_files(arguments, problems, files);
  return problems;
}

}  // namespace presort::app
