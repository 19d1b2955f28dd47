// Tests that a journal that is cut at any byte, or changed at any byte, loses its last block at
// most, or is refused.
#include "presort/io/campaign/journal.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "presort/core/error.h"
#include "tests/property_seed.h"

namespace presort::io::journal_test {

namespace {

using Rows = std::vector<CampaignRow>;

const Identity kIdentity = {{"presort", "1"}, {"m", "1, 2, 3"}};

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "journalXXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

Rows rows_in(const std::string& path, JournalEnd* end = nullptr) {
  Rows rows;
  const JournalEnd found =
      read_journal(path, kIdentity, [&](CampaignRow&& row) { rows.push_back(std::move(row)); });
  if (end != nullptr) {
    *end = found;
  }
  return rows;
}

CampaignRow row(uint64_t point) {
  return {point, 1.0 / (1 + static_cast<double>(point)), {}, "sortBits=9", "a\treason"};
}

// A row as it is read back: without tabs in its texts.
Rows expected(uint64_t first, uint64_t end) {
  Rows rows;
  for (uint64_t i = first; i < end; ++i) {
    rows.push_back(row(i));
    rows.back().why_not = "a reason";
  }
  return rows;
}

// Appends rows [first, end) as one block.
void append(const std::string& path, uint64_t first, uint64_t end) {
  Rows rows;
  for (uint64_t i = first; i < end; ++i) {
    rows.push_back(row(i));
  }
  JournalWriter(path, kIdentity).append(rows);
}

}  // namespace

TEST_CASE("a row is read back from its line, whatever its numbers") {
  std::mt19937_64 random(presort::test::property_seed());
  for (int i = 0; i < 1000; ++i) {
    CampaignRow one = {random(), {}, {}, i % 3 == 0 ? "" : "a=b,c", i % 5 == 0 ? "why" : ""};
    if (i % 2 == 0) {
      one.direct_ns =
          std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 200) - 100);
    }
    if (i % 4 == 0) {
      one.presorted_ns = static_cast<double>(random());
    }
    if (i % 7 == 0) {
      one.measured_ns = 1 / static_cast<double>(1 + random() % 1000);
    }
    const std::string line = row_line(one);
    CHECK(line.back() == '\n');
    CHECK(parse_row(line.substr(0, line.size() - 1)) == one);
  }
  for (const char* bad : {"", "1", "1\t2\t3\t4", "1\t2\t3\t4\t5\tx", "1\t2\t3\t4\t5\t",
                          "1\t2\t3\t4\t5\t6\t7", "x\t\t\t\t", "-1\t\t\t\t", "1\tx\t\t\t"}) {
    CHECK_MESSAGE(!parse_row(bad), bad);
  }
}

TEST_CASE("a journal that is cut at any byte keeps its whole blocks, and is gone on with") {
  const Folder folder;
  const std::string path = folder.file("a.journal");
  std::vector<std::pair<size_t, uint64_t>> ends = {{0, 0}};  // bytes, and rows up to there
  append(path, 0, 0);
  ends.emplace_back(text_of(path).size(), 0);
  for (uint64_t rows = 0; rows < 9; rows += 3) {
    append(path, rows, rows + 3);
    ends.emplace_back(text_of(path).size(), rows + 3);
  }
  const std::string whole = text_of(path);
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    write(path, whole.substr(0, cut));
    uint64_t kept = 0;
    size_t bytes = 0;
    for (const auto& [end, rows] : ends) {
      if (end <= cut) {
        kept = rows;
        bytes = end;
      }
    }
    JournalEnd end;
    CHECK(rows_in(path, &end) == expected(0, kept));
    CHECK(end.whole_bytes == bytes);
    CHECK(end.is_cut == (cut > bytes));
    append(path, kept, 9);
    CHECK(rows_in(path) == expected(0, 9));
  }
}

TEST_CASE("a journal with a changed byte loses its last block at most, or is refused") {
  const Folder folder;
  const std::string path = folder.file("a.journal");
  append(path, 0, 3);
  append(path, 3, 6);
  const size_t last = text_of(path).size();
  append(path, 6, 9);
  const std::string whole = text_of(path);
  std::mt19937_64 random(presort::test::property_seed());
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1 + random() % 255));
    write(path, changed);
    if (at >= last) {
      CHECK(rows_in(path) == expected(0, 6));
    } else {
      CHECK_THROWS_WITH_AS(rows_in(path), doctest::Contains("a.journal: "), InputError);
      CHECK_THROWS_AS(JournalWriter(path, kIdentity), InputError);
      CHECK(text_of(path) == changed);
    }
  }
}

TEST_CASE("a journal of another campaign is refused, and the message names the key") {
  const Folder folder;
  const std::string path = folder.file("a.journal");
  append(path, 0, 3);
  const Identity other = {{"presort", "1"}, {"m", "1, 2"}};
  CHECK_THROWS_WITH_AS(JournalWriter(path, other),
                       doctest::Contains("m: found '1, 2, 3', accepted: '1, 2'"), InputError);
  CHECK(identity_difference(kIdentity, kIdentity).empty());
  CHECK(identity_difference({{"presort", "1"}}, kIdentity).starts_with("m: "));
  CHECK(parse_identity(identity_text(kIdentity)) == kIdentity);
}

TEST_CASE("a journal has one writer, and a folder lists its journals by name") {
  const Folder folder;
  const std::string path = folder.file("b.journal");
  const JournalWriter writer(path, kIdentity);
  CHECK_THROWS_WITH_AS(JournalWriter(path, kIdentity), doctest::Contains("another process"),
                       InputError);
  append(folder.file("a.journal"), 0, 1);
  write(folder.file("c.txt"), "");
  CHECK(journal_paths(folder.path()) ==
        std::vector{folder.file("a.journal"), folder.file("b.journal")});
  CHECK(journal_paths(folder.file("none")).empty());
}

TEST_CASE("a journal on a full disk says so") {
  CHECK_THROWS_WITH_AS(JournalWriter("/dev/full", kIdentity), doctest::Contains("/dev/full: "),
                       InputError);
}

}  // namespace presort::io::journal_test
