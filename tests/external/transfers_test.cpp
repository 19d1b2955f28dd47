#include "presort/external/transfers/transfers.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <vector>

#include "presort/io/files/descriptor.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"
#include "tests/property_seed.h"

namespace presort::inline v0::external::transfers_test {

using presort::io::read_text_file;
using presort::io::test::TemporaryFolder;

TEST_CASE("more transfers than may be under way, finished in any order, move all bytes") {
  for (const Means means : {Means::automatic, Means::threads}) {
    const TemporaryFolder folder;
    const io::Descriptor file(open(folder.file("f").c_str(), O_RDWR | O_CREAT, 0600));
    const auto transfers = make_transfers(means);
    constexpr size_t kPieces = 2 * Transfers::kMostUnderWay + 7;
    constexpr size_t kBytes = 100;
    std::string text(kPieces * kBytes, ' ');
    std::mt19937_64 random(presort::test::property_seed());
    for (char& c : text) {
      c = static_cast<char>('a' + random() % 26);
    }
    const auto move = [&](Transfer::Kind kind, std::string& bytes) {
      std::vector<Transfers::Ticket> tickets;
      for (size_t i = 0; i < kPieces; ++i) {
        tickets.push_back(
            transfers->start({kind, file.get(), i * kBytes,
                              reinterpret_cast<std::byte*>(&bytes[i * kBytes]), kBytes}));
      }
      std::shuffle(tickets.begin(), tickets.end(), random);
      for (const Transfers::Ticket ticket : tickets) {
        const Outcome outcome = transfers->finish(ticket);
        CHECK(outcome.error == 0);
        CHECK(outcome.bytes == kBytes);
      }
    };
    move(Transfer::Kind::write, text);
    CHECK(read_text_file(folder.file("f")) == text);
    std::string again(text.size(), ' ');
    move(Transfer::Kind::read, again);
    CHECK(again == text);
  }
}

TEST_CASE("a read behind the end is short, and errors of the system come back") {
  for (const Means means : {Means::automatic, Means::threads}) {
    const TemporaryFolder folder;
    folder.write("f", "12345");
    const io::Descriptor file(open(folder.file("f").c_str(), O_RDONLY));
    const auto transfers = make_transfers(means);
    std::byte data[16];
    const auto read = transfers->start({Transfer::Kind::read, file.get(), 2, data, 16});
    const auto write = transfers->start({Transfer::Kind::write, file.get(), 0, data, 16});
    CHECK(transfers->finish(write).error == EBADF);
    CHECK(transfers->finish(read).bytes == 3);
  }
}

TEST_CASE("the means that are asked for are those that run") {
  CHECK(make_transfers(Means::threads)->means() == "threads");
  const auto uring = make_uring_transfers();
  CHECK(make_transfers()->means() == (uring ? "io_uring" : "threads"));
}

}  // namespace presort::external::transfers_test
