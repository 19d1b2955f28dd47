#include "pack.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace presort::inline v0::attack::pack_test {
namespace {

TEST_CASE("what is packed is unpacked again") {
  const std::string plain = "a line\n" + std::string(10000, 'b') + std::string(10, '\0');
  const std::pair<Pack, Pack> kAll[] = {
      {pack_gzip, unpack_gzip}, {pack_xz, unpack_xz}, {pack_zstd, unpack_zstd}};
  for (const auto& [pack, unpack] : kAll) {
    CHECK(unpack(pack(plain)) == plain);
    CHECK(pack(plain).size() < plain.size() / 10);
    CHECK(unpack(pack("")).empty());
  }
}

}  // namespace
}  // namespace presort::attack::pack_test
