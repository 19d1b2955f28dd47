#include "presort/sim/trace/readers/line_splitter.h"

#include "tests/sim/random_machine.h"
#include "tests/sim/trace/trace_rig.h"

namespace presort::inline v0::sim::line_splitter_test {
namespace {

using namespace test;

// A source that gives its records in batches of `batch` records.
class VectorSource final : public AccessSource {
 public:
  VectorSource(std::vector<Access> records, size_t batch)
      : records_(std::move(records)), batch_(batch) {}
  std::span<const Access> next() override {
    const auto rest = std::span<const Access>(records_).subspan(at_);
    const auto now = rest.first(std::min(batch_, rest.size()));
    at_ += now.size();
    return now;
  }

 private:
  std::vector<Access> records_;
  size_t batch_;
  size_t at_ = 0;
};

std::vector<Access> split(const std::vector<Access>& records, uint64_t line, size_t batch = 7) {
  VectorSource source(records, batch);
  LineSplitter splitter(source, line);
  std::vector<Access> result;
  for (auto some = splitter.next(); !some.empty(); some = splitter.next()) {
    result.insert(result.end(), some.begin(), some.end());
  }
  return result;
}

TEST_CASE("an access is cut where a line ends, and only there") {
  using Kind = AccessKind;
  const std::vector<Access> inside = {{0, Kind::load, 64}, {63, Kind::store, 1}};
  CHECK(equal(split(inside, 64), inside));
  CHECK(equal(split({{60, Kind::load, 8, 5, 3, 0, 9}}, 64),
              {{60, Kind::load, 4, 5, 0, 0, 9}, {64, Kind::load, 4, 0, 0, 0, 9}}));
  CHECK(equal(split({{60, Kind::branch, 1}}, 64), {{60, Kind::branch, 1}}));
  CHECK(split({{31, Kind::load, 64}}, 32).size() == 3);
}

TEST_CASE("dependences point to the last part of what they pointed to") {
  holds("random records against a naive renumbering", [] {
    std::vector<Access> records = random_records(200);
    for (Access& record : records) {
      if (record.kind != AccessKind::branch) {
        record.size = static_cast<uint8_t>(between(1, 64));
      }
    }
    const std::vector<Access> result = split(records, 32, between<size_t>(1, 50));
    std::vector<size_t> last_part;  // for each input record, index of its last part in the result
    size_t at = 0;
    for (size_t i = 0; i < records.size(); ++i) {
      const Access& record = records[i];
      const bool whole = record.kind == AccessKind::branch;
      const size_t parts =
          whole ? 1 : (record.address + record.size - 1) / 32 - record.address / 32 + 1;
      const auto expected = [&](uint16_t back) {
        return back == 0 || back > i ? 0 : at - last_part[i - back];
      };
      RC_ASSERT(result[at].depends_on == expected(record.depends_on));
      RC_ASSERT(result[at].data_depends_on == expected(record.data_depends_on));
      at += parts;
      last_part.push_back(at - 1);
    }
    RC_ASSERT(at == result.size());
  });
}

TEST_CASE("a dependence that becomes too long is dropped") {
  std::vector<Access> records(1024, Access{60, AccessKind::load, 8});
  records[1023].depends_on = 1023;
  CHECK(split(records, 64)[2046].depends_on == 0);
  records[1023].depends_on = 511;
  CHECK(split(records, 64)[2046].depends_on == 1021);
}

}  // namespace
}  // namespace presort::sim::line_splitter_test
