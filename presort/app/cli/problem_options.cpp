#include "presort/app/cli/problem_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/problem_sizes.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/io/labels/label_file.h"

namespace presort::inline v0::app {

std::vector<Option> operator+(std::vector<Option> options, const std::vector<Option>& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::string operation_names() {
  std::string text;
  for (const std::string& name : accepted_names(kOperations)) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

Option dist_option(Arity arity) {
  return {
      "dist",
      0,
      arity == Arity::repeated ? "LIST" : "NAME",
      "How labels are distributed: uniform (each equally likely), zipf:S (skewed: the k-th most "
      "frequent in proportion to 1 / k^S, 0 < S <= 8), zipf-contiguous:S (as zipf:S, frequent "
      "labels next to each other), clustered:K (runs of nearby labels, of K on average), "
      "sequential (rising evenly from 0 to m-1), sorted (uniform, then sorted), permutation (each "
      "once, in random order), degenerate (all equal), rmat:A:B:C (destinations of the edges of an "
      "R-MAT graph with these quadrants), words:S:Q (words of a text: the k-th most frequent in "
      "proportion to 1 / (k + Q)^S), cells:K (particles sorted by cell of a 3-D grid that have "
      "moved up "
      "to K cells along each axis since), sessions:L:A (a log: bursts of one key, of L on average, "
      "keys "
      "of mean age A m behind the newest), strays:P (in order, but for a share P with any label), "
      "file:FILE",
      "uniform",
      arity};
}

Option labels_option() {
  return {
      "labels", 0, "FILE",
      "Take the labels from a file, as --dist file:FILE does (presort help file-formats). n and m "
      "are those of the file unless -n or -b is given. For a larger n its labels are repeated, "
      "with a warning"};
}

std::vector<Option> problem_options() {
  return std::vector<Option>{
             {"op", 0, "NAME", "Operation to compute: " + operation_names(), "multireduce"},
             {"n", 'n', "COUNT", "Number of inputs n", "2^24"},
             {"buckets", 'b', "COUNT",
              "Number of buckets m (partialSort: of parts; segmentedReduce, segmentedScan: of "
              "segments; "
              "compact: of values of its flags, 2 without -b)",
              "2^20"},
             dist_option(Arity::once),
             labels_option(),
             type_option(Arity::once),
             {"seed", 0, "COUNT", "Seed of the random labels: with the same seed they are the same",
              "1"},
         } +
         shape_options();
}

Option type_option(Arity arity) {
  return {
      "type",
      0,
      arity == Arity::repeated ? "LIST" : "L+V",
      "Types of label and value, such as u64+f64. Label: u32 or u64, of a histogram on a GPU also "
      "u8 or u16, of a compact u8. Value: u32, u64, i32, i64, f32 or f64",
      "u32+u32",
      arity};
}

Option several_plans_option() {
  Option option = plan_option();
  option.help += ". Several times: plans side by side, in turn (gpu: one after the other)";
  option.arity = Arity::repeated;
  return option;
}

Option plan_option() {
  return {
      "plan", 0, "KEY=VALUE,…",
      "Plan to use: sortBits=9,pageSize=2MiB (presort help plan-keys lists all keys). sortBits=0 "
      "is the plain loop",
      "sortBits=0"};
}

Types read_types(std::string_view text) {
  if (text.find('+') == std::string_view::npos) {
    throw InputError(fmt::format(
        "--type: found '{}', accepted: types of label and value, such as u32+f64", text));
  }
  return parse_types("--type", text);
}

Problem read_problem(const Arguments& arguments, LabelFiles& files) {
  Problem problem;
  problem.operation = from_name(kOperations, "--op", arguments.text("op"));
  const auto types = implied_types(arguments, problem.operation);
  problem.types = read_types(types ? *types : arguments.text("type"));
  problem.seed = parse_count("--seed", arguments.text("seed"));
  problem.distribution = parse_distribution("--dist", given_distribution(arguments));
  const LabelFile* const file = files.of(problem.distribution);
  read_inputs(arguments, file, problem);
  const auto m = implied_buckets(arguments, file, problem);
  problem.m = m ? *m : given_m(arguments, file);
  check_problem_of(problem, file);
  if (file != nullptr) {
    write_to_stderr(displayable(file_note(arguments, *file, problem)));
  }
  return problem;
}

std::vector<uint64_t> parse_bucket_counts(const std::vector<std::string>& items) {
  std::vector<uint64_t> counts;
  for (const std::string& item : items) {
    const size_t dots = item.find("..");
    if (dots == std::string::npos) {
      counts.push_back(parse_count("-b", item));
      continue;
    }
    const uint64_t first = parse_count("-b", item.substr(0, dots));
    const uint64_t last = parse_count("-b", item.substr(dots + 2));
    if (first == 0 || last < first) {
      throw InputError(fmt::format(
          "-b: found '{}', accepted: FIRST..LAST with 0 < FIRST <= LAST, or a list", item));
    }
    for (uint64_t m = first; m <= last; m *= 4) {
      counts.push_back(m);
      if (m > std::numeric_limits<uint64_t>::max() / 4) {
        break;
      }
    }
    if (counts.back() != last) {
      counts.push_back(last);
    }
  }
  return counts;
}

std::shared_ptr<const LabelSource> problem_labels(const Problem& problem) {
  if (problem.distribution.kind != DistributionKind::file) {
    return make_labels(problem.distribution, problem.n, problem.m, problem.seed, interrupt_token());
  }
  return make_stored_labels(
      io::read_labels(problem.distribution.path, problem.m, interrupt_token()), problem.n,
      problem.m);
}

LabelFile::LabelFile(std::string path)
    : path_(std::move(path)),
      // Refuses a label of 2^64 - 1, because no m is greater.
      labels_(std::make_shared<const std::vector<uint64_t>>(
          io::read_labels(path_, std::numeric_limits<uint64_t>::max()))),
      m_(*std::max_element(labels_->begin(), labels_->end()) + 1) {}

std::shared_ptr<const LabelSource> LabelFile::labels_of(const Problem& problem) const {
  if (problem.m < m_) {
    // Throws an error that names the label that is not below m, and its line
    io::read_labels(path_, problem.m, interrupt_token());
  }
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const LabelSource>& source = sources_[{problem.n, problem.m}];
  if (source == nullptr) {
    source = make_shared_labels(labels_, problem.n, problem.m);
  }
  return source;
}

}  // namespace presort::app
