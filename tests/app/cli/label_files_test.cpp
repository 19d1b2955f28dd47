#include "presort/app/cli/label_files.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "presort/core/error.h"

namespace label_files_test {

using namespace presort;
using namespace presort::app;

namespace {

// A label file with three labels, the largest 6.
class ThreeLabels {
 public:
  ThreeLabels() { std::ofstream(path_) << "3\n0\n6\n"; }
  ~ThreeLabels() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "label_files_test.txt";
};

Arguments parse(const std::vector<std::string>& words) {
  return Arguments::parse({"example", "", problem_options(), {}}, words);
}

std::string note_of(const std::vector<std::string>& words) {
  const Arguments arguments = parse(words);
  LabelFiles files;
  const Problem problem = read_problem(arguments, files);
  return file_note(arguments, *files.of(problem.distribution), problem);
}

}  // namespace

TEST_CASE("n and m are those of the file unless they are given") {
  const ThreeLabels labels;
  const auto problem_of = [](const std::vector<std::string>& words) {
    LabelFiles files;
    return read_problem(parse(words), files);
  };
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--labels", labels.path()},
        std::vector<std::string>{"--dist", "file:" + labels.path()}}) {
    const Problem problem = problem_of(words);
    CHECK(problem.n == 3);
    CHECK(problem.m == 7);
    CHECK(to_string(problem.distribution) == "file:" + labels.path());
  }
  const Problem larger = problem_of({"--labels", labels.path(), "-n", "5", "-b", "2^4"});
  CHECK(larger.n == 5);
  CHECK(larger.m == 16);
  const Problem formula = problem_of({});
  CHECK(formula.n == 1 << 24);
  CHECK(formula.m == 1 << 20);
}

TEST_CASE("--labels and --dist exclude each other") {
  LabelFiles files;
  CHECK_THROWS_WITH_AS(read_problem(parse({"--labels", "x.u32", "--dist", "uniform"}), files),
                       "--labels and --dist exclude each other", InputError);
  CHECK_THROWS_AS(given_distributions(parse({"--labels", "x.u32", "--dist", "uniform"})),
                  InputError);
}

TEST_CASE("fewer buckets than the labels need are refused with the label and its place") {
  const ThreeLabels labels;
  LabelFiles files;
  const Problem problem = read_problem(parse({"--labels", labels.path(), "-b", "6"}), files);
  CHECK_THROWS_WITH_AS(files.labels_of()(problem),
                       "label_files_test.txt:3: label 6 at index 2 is not below the number of "
                       "buckets, 6",
                       InputError);
}

TEST_CASE("labels come from the file, or by the formula") {
  const ThreeLabels labels;
  LabelFiles files;
  const Problem of_file = read_problem(parse({"--labels", labels.path(), "-n", "4"}), files);
  std::array<uint64_t, 4> found{};
  files.labels_of()(of_file)->generate(0, found);
  CHECK(found == std::array<uint64_t, 4>{3, 0, 6, 3});
  const Problem sorted = read_problem(parse({"--dist", "degenerate", "-n", "4", "-b", "8"}), files);
  files.labels_of()(sorted)->generate(0, found);
  CHECK(found == std::array<uint64_t, 4>{4, 4, 4, 4});
  CHECK(files.of(sorted.distribution) == nullptr);
}

TEST_CASE("what follows from the file is said, and that labels are repeated or left out") {
  const ThreeLabels labels;
  const std::string& path = labels.path();
  CHECK(note_of({"--labels", path}) == "note: n = 3, m = 7 of label_files_test.txt\n");
  CHECK(note_of({"--labels", path, "-n", "3"}) == "note: m = 7 of label_files_test.txt\n");
  CHECK(note_of({"--labels", path, "-n", "3", "-b", "7"}).empty());
  CHECK(note_of({"--labels", path, "-n", "10", "-b", "7"}) ==
        "warning: label_files_test.txt has 3 labels: they are repeated 3.33 times to make n = 10 "
        "inputs\n");
  CHECK(note_of({"--labels", path, "-n", "2", "-b", "7"}) ==
        "note: label_files_test.txt has 3 labels, of which the first 2 are taken\n");
}

TEST_CASE("a type is that of labels and that of values, never one alone") {
  CHECK(read_types("u64+f32") == Types{ScalarType::u64, ScalarType::f32});
  CHECK_THROWS_WITH_AS(read_types("u32"),
                       "--type: found 'u32', accepted: types of label and value, such as u32+f64",
                       InputError);
}

}  // namespace label_files_test
