#include "presort/core/text/display_text.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "presort/core/error.h"
#include "presort/core/labels/distribution.h"
#include "refusal.h"

namespace display_text_test {

using namespace presort;
using presort::test::refusal;

namespace {

std::string found_in(std::string_view text, size_t longest = kLongestText) {
  return find_undisplayable(text, longest).value_or("nothing");
}

}  // namespace

TEST_CASE("text of any script can be shown") {
  for (const char* text : {"", "L1d", "Intel(R) Xeon(R) CPU @ 2.60GHz", "größer", "机器", "máquina",
                           "می\u200cخواهم", "😀", "\u00a0", "\ue000"}) {
    CAPTURE(text);
    CHECK(found_in(text) == "nothing");
    CHECK(with_hidden_replaced(text) == text);
  }
}

TEST_CASE("what steers a terminal or hides in text is found, with its place") {
  struct Case {
    std::string_view text;
    const char* found;
  };
  const Case cases[] = {
      {"a\nb", "the character U+000A at byte 1"},
      {"\x1b[2J", "the character U+001B at byte 0"},
      {{"a\0b", 3}, "the character U+0000 at byte 1"},
      {"tab\t", "the character U+0009 at byte 3"},
      {"\x7f", "the character U+007F at byte 0"},
      {"\u0085", "the character U+0085 at byte 0"},
      {"\u009b2J", "the character U+009B at byte 0"},
      {"ü\u2028", "the character U+2028 at byte 2"},
      {"abc\u202ecba", "the character U+202E at byte 3"},
      {"\u2066", "the character U+2066 at byte 0"},
      {"L\u200b1", "the character U+200B at byte 1"},
      {"\ufeffL1", "the character U+FEFF at byte 0"},
      {"\U000e0041", "the character U+E0041 at byte 0"},
      {"\U0010ffff", "the character U+10FFFF at byte 0"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.found);
    CHECK(found_in(each.text) == each.found);
  }
}

TEST_CASE("bytes that are not UTF-8 are found, with their place") {
  struct Case {
    std::string_view text;
    const char* found;
  };
  const Case cases[] = {
      {"L\xff", "0xff at byte 1, which is not UTF-8"},
      {"\x80", "0x80 at byte 0, which is not UTF-8"},
      {"\xc3", "0xc3 at byte 0, which is not UTF-8"},  // a character of two bytes that is cut off
      // a leading byte without a continuation byte
      {"\xc3(", "0xc3 at byte 0, which is not UTF-8"},
      {"\xc0\xaf", "0xc0 at byte 0, which is not UTF-8"},  // '/' encoded in two bytes: overlong
      // a character encoded in too many bytes: overlong
      {"\xe0\x80\xaf", "0xe0 at byte 0, which is not UTF-8"},
      {"\xed\xa0\x80", "0xed at byte 0, which is not UTF-8"},      // a surrogate encoded in UTF-8
      {"\xf4\x90\x80\x80", "0xf4 at byte 0, which is not UTF-8"},  // a code point beyond U+10FFFF
      {"\xf8\x88\x80\x80\x80", "0xf8 at byte 0, which is not UTF-8"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.found);
    CHECK(found_in(each.text) == each.found);
  }
}

TEST_CASE("text is as long as asked for and no longer") {
  CHECK(found_in(std::string(256, 'a'), kLongestName) == "nothing");
  CHECK(found_in(std::string(257, 'a'), kLongestName) == "257 bytes");
  CHECK(found_in(std::string(4096, 'a')) == "nothing");
  CHECK(found_in(std::string(4097, 'a')) == "4097 bytes");
}

TEST_CASE("any bytes become text that can be shown, and such text stays") {
  CHECK(with_hidden_replaced("a\xff\n\u202ez") == "a???z");
  CHECK(with_hidden_replaced("aüü", 4) == "aü");  // the cut leaves no half character
  CHECK(rc::check("displayable", [](const std::string& bytes) {
    const std::string shown = with_hidden_replaced(bytes, 40);
    RC_ASSERT(shown.size() <= 40);
    RC_ASSERT(!find_undisplayable(shown, 40));
    RC_ASSERT(with_hidden_replaced(shown, 40) == shown);
  }));
}

TEST_CASE("a refusal names the key") {
  CHECK(
      refusal<InputError>([] { check_displayable("cpu.caches[0].name", "L\n1", kLongestName); }) ==
      "cpu.caches[0].name: found the character U+000A at byte 1, accepted: UTF-8 text without "
      "control characters, of at most 256 bytes");
  CHECK(refusal<InputError>([] { check_displayable("name", "L1"); }).empty());
}

TEST_CASE("the path of a distribution can be shown") {
  CHECK(parse_distribution("dist", "file:/tmp/größer 1.u32").path == "/tmp/größer 1.u32");
  for (const std::string path : {"a\n.u32", "\x1b[2J.u32", "\xff.u32", "\u202e.u32"}) {
    CAPTURE(path);
    CHECK(refusal<InputError>([&] {
            parse_distribution("--dist", "file:" + path);
          }).starts_with("--dist: found "));
    const Distribution built{DistributionKind::file, 0, path};
    CHECK(refusal<InputError>([&] { check_distribution("dist", built); }).starts_with("dist: "));
  }
  CHECK(refusal<InputError>([] {
          parse_distribution("--dist", "file:" + std::string(5000, 'a'));
        }).starts_with("--dist: found 5000 bytes, accepted: "));
}

}  // namespace display_text_test
