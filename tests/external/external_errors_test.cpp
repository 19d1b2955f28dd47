#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <numeric>

#include "presort/core/error.h"
#include "presort/external/block_writer.h"
#include "presort/external/extent_reader.h"
#include "presort/external/external_run.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/external/files.h"
#include "tests/io/fixtures.h"

namespace presort::inline v0::external::external_errors_test {

using namespace presort::external::test;
using presort::io::read_text_file;
using presort::io::test::contains;
using presort::io::test::input_error;
using presort::io::test::TemporaryFolder;

namespace {

constexpr ExternalPlan kPlan{3, kLeastBlockBytes, 2};

struct Fixture {
  explicit Fixture(uint64_t n = 50000) : labels(n) {
    std::iota(labels.begin(), labels.end(), 0U);
    write_elements(files.labels, labels);
    write_elements(files.values, labels);
    write_elements(files.out, std::string_view("before"));
  }
  template <class Elements>
  static void write_elements(const std::string& path, const Elements& elements) {
    test::write_elements(path, std::vector(elements.begin(), elements.end()));
  }
  bool is_untouched() const {
    int names = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("."))) {
      names += entry.exists();
    }
    return names == 3 && read_text_file(files.out) == "before";
  }

  TemporaryFolder folder;
  std::vector<uint32_t> labels;
  ExternalFiles files{folder.file("l.u32"), folder.file("v.u32"), folder.file("out.u32"), ""};
};

}  // namespace

TEST_CASE("the first label that is not below m is named, and the old result stays") {
  for (const int bits : {0, 3}) {
    Fixture f;
    f.labels[40001] = 60000;
    f.labels[40002] = 70000;
    Fixture::write_elements(f.files.labels, f.labels);
    const Problem problem = external_problem(problem_of(Operation::multireduce, 60000), f.files);
    try {
      run_external(problem, {bits, kLeastBlockBytes, 2}, f.files);
      CHECK(false);
    } catch (const LabelError& error) {
      CHECK(error.index == 40001);
      CHECK(error.label == 60000);
    }
    CHECK(f.is_untouched());
  }
}

TEST_CASE("files of wrong sizes are refused by name") {
  Fixture f;
  const auto error = [&](Problem problem) {
    return input_error([&] { external_problem(problem, f.files); });
  };
  truncate(f.files.labels.c_str(), off_t{49999} * 4);
  CHECK(contains(error(problem_of(Operation::multireduce, 60000)),
                 f.files.values + ": found 50000 values, accepted: 49999, one for each"));
  truncate(f.files.labels.c_str(), 49999 * 4 + 3);
  CHECK(contains(error(problem_of(Operation::multireduce, 60000)),
                 f.files.labels + ": found 199999 bytes, accepted: a multiple of 4"));
  truncate(f.files.labels.c_str(), 0);
  CHECK(contains(error(problem_of(Operation::multireduce, 60000)),
                 f.files.labels + ": found no labels"));
  std::filesystem::remove(f.files.labels);
  CHECK(contains(error(problem_of(Operation::multireduce, 60000)),
                 f.files.labels + ": cannot be read: No such file"));
  std::filesystem::create_directory(f.files.labels);
  CHECK(contains(error(problem_of(Operation::multireduce, 60000)),
                 f.files.labels + ": is not a regular file"));
  std::filesystem::remove(f.files.labels);
  mkfifo(f.files.labels.c_str(), 0600);
  CHECK(contains(error(problem_of(Operation::multireduce, 60000)),
                 f.files.labels + ": is not a regular file"));
}

TEST_CASE("the table of a gather says m, and must have the m that is asked for") {
  Fixture f;
  CHECK(external_problem(problem_of(Operation::gather, 0), f.files).m == 50000);
  CHECK(contains(
      input_error([&] { external_problem(problem_of(Operation::gather, 50001), f.files); }),
      "found 50000 values, accepted: 50001, the number of buckets"));
}

TEST_CASE("a file that changed its size between two looks is refused") {
  Fixture f;
  const Problem problem = external_problem(problem_of(Operation::multireduce, 60000), f.files);
  truncate(f.files.values.c_str(), off_t{49999} * 4);
  CHECK(contains(input_error([&] { run_external(problem, kPlan, f.files); }),
                 f.files.values + ": found 49999 elements, accepted: 50000"));
  CHECK(f.is_untouched());
}

TEST_CASE("a file cut short while it is read is named with the byte where it ends") {
  for (const Means means : {Means::automatic, Means::threads}) {
    const Fixture f;
    const SourceFile source = open_source(f.files.labels, ScalarType::u32);
    truncate(f.files.labels.c_str(), 70001);
    const auto transfers = make_transfers(means);
    ExtentReader reader(*transfers, source.file.get(), source.name, cut(0, source.bytes, 65536),
                        65536, 2);
    CHECK(reader.next().size() == 65536);
    CHECK(contains(input_error([&] { reader.next(); }), source.name + ": ends at byte 70001"));
  }
}

TEST_CASE("a stop is obeyed, and leaves the old result") {
  const Fixture f;
  const Problem problem = external_problem(problem_of(Operation::multireduce, 60000), f.files);
  const std::atomic<bool> asked = true;
  CHECK_THROWS_AS(run_external(problem, kPlan, f.files, {Means::automatic, StopToken(asked)}),
                  Stopped);
  CHECK(f.is_untouched());
}

TEST_CASE("a folder for spill files that is not there, and a result that is no file") {
  Fixture f;
  const Problem problem = external_problem(problem_of(Operation::multireduce, 60000), f.files);
  f.files.spill_folder = f.folder.file("none");
  CHECK(contains(input_error([&] { run_external(problem, kPlan, f.files); }),
                 f.files.spill_folder + ": no spill file can be made there: No such file"));
  CHECK(f.is_untouched());
  f.files.out = "/dev/null";
  CHECK(contains(input_error([&] { run_external(problem, kPlan, f.files); }),
                 "/dev/null: is not a regular file"));
}

TEST_CASE("a write that fails is named, on files that may not grow") {
  for (const Means means : {Means::automatic, Means::threads}) {
    const Fixture f;
    const auto transfers = make_transfers(means);
    const io::Descriptor file(open(f.files.labels.c_str(), O_RDONLY));
    BlockWriter writer(*transfers, file.get(), "NAME", kDirectBytes, 1);
    writer.write(writer.take(), 0, kDirectBytes);
    CHECK(contains(input_error([&] { writer.finish(); }), "NAME: cannot be written: Bad file"));
  }
}

}  // namespace presort::external::external_errors_test
