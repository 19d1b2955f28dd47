#include "presort/io/files/compressed_text.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>

#include "presort/io/limits.h"
#include "tests/io/fixtures.h"

namespace compressed_text_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  constexpr int kGzip = 16;
  REQUIRE(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, 9,
                       Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// Text that gzip shrinks to about a third.
std::string some_text() {
  std::string text;
  for (uint64_t i = 0, x = 1; i < 20'000; ++i) {
    x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    text += std::to_string(x >> 40) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("text is read plain or compressed, in one member or several") {
  const TemporaryFolder folder;
  const std::string text = some_text();
  CHECK(read_maybe_compressed(folder.write("a", text)) == text);
  CHECK(read_maybe_compressed(folder.write("a.gz", gzipped(text))) == text);
  CHECK(read_maybe_compressed(folder.write("b.gz", gzipped(text) + gzipped("more"))) ==
        text + "more");
  CHECK(read_maybe_compressed(folder.write("empty", "")).empty());
  CHECK(read_maybe_compressed(folder.write("empty.gz", gzipped(""))).empty());
  CHECK(read_maybe_compressed(folder.write("short", "\x1f")) == "\x1f");
}

TEST_CASE("compressed data that are cut short are an error, wherever they are cut") {
  const TemporaryFolder folder;
  const std::string packed = gzipped("one line\nand another one\n");
  for (size_t size = 2; size < packed.size(); ++size) {
    const std::string path = folder.write("cut.gz", packed.substr(0, size));
    CHECK(input_error([&] { read_maybe_compressed(path); }) ==
          path + ": the compressed data end too early: truncated after " + std::to_string(size) +
              " bytes");
  }
  const std::string second = folder.write("second.gz", packed + packed.substr(0, 12));
  CHECK(contains(input_error([&] { read_maybe_compressed(second); }), "truncated"));
}

TEST_CASE("damaged compressed data, and what follows them, are an error") {
  const TemporaryFolder folder;
  std::string packed = gzipped(some_text());
  packed[packed.size() / 2] = static_cast<char>(~packed[packed.size() / 2]);
  const std::string damaged = folder.write("damaged.gz", packed);
  CHECK(contains(input_error([&] { read_maybe_compressed(damaged); }), "damaged.gz: the comp"));
  const std::string trailed = folder.write("trailed.gz", gzipped("text") + "garbage");
  CHECK(contains(input_error([&] { read_maybe_compressed(trailed); }), "data are damaged"));
}

TEST_CASE("little that grows to much is refused, with both sizes") {
  const TemporaryFolder folder;
  const std::string bomb = folder.write("bomb.gz", gzipped(std::string(20 << 20, '\n')));
  const std::string message = input_error([&] { read_maybe_compressed(bomb); });
  CHECK(contains(message, "bomb.gz: found compressed data that grow more than 256 times, "));
  // No limit on growth for small compressed files.
  CHECK(read_maybe_compressed(folder.write("a.gz", gzipped(std::string(1 << 20, '\n')))).size() ==
        1 << 20);
}

TEST_CASE("more text than the limit is refused, compressed or not") {
  const TemporaryFolder folder;
  const std::string plain = folder.write("large", "x");
  std::filesystem::resize_file(plain, limits::kMostJsonBytes + 1);
  CHECK(input_error([&] { read_maybe_compressed(plain); }) ==
        plain + ": found more than 128MiB of text, accepted: at most 128MiB");
  std::string packed;
  const std::string member = gzipped(some_text());
  for (uint64_t bytes = 0; bytes <= limits::kMostJsonBytes; bytes += some_text().size()) {
    packed += member;
  }
  const std::string large = folder.write("large.gz", packed);
  CHECK(input_error([&] { read_maybe_compressed(large); }) ==
        large + ": found more than 128MiB of text, accepted: at most 128MiB");
}

}  // namespace compressed_text_test
