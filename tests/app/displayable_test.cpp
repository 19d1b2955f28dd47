#include "presort/app/printing/displayable.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "presort/app/printing/text.h"
#include "presort/app/validate/report/html.h"
#include "presort/core/text/utf8.h"

namespace presort::inline v0::app::displayable_test {
namespace {

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (!character.valid) {
      return false;
    }
    text.remove_prefix(character.bytes);
  }
  return true;
}

bool has_control_byte(const std::string& text, const std::string& allowed) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 || byte == 0x7F) && allowed.find(c) == std::string::npos) {
      return true;
    }
  }
  return false;
}

std::string any_bytes() {
  return *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
}

TEST_CASE("what a terminal acts on becomes visible, everything else stays") {
  struct Row {
    std::string text;
    std::string shown;
  };
  const Row rows[] = {
      {"golden-cove-vm 2^24 'a' \"b\" \\n", "golden-cove-vm 2^24 'a' \"b\" \\n"},
      {"größer − 漢字 😀", "größer − 漢字 😀"},
      {"\x1b[2J", "\\x1b[2J"},
      {"a\tb\rc\x07\x7f", "a\\tb\\rc\\x07\\x7f"},
      {std::string("a\0b", 3), "a\\x00b"},
      {"\xff\xfe", "\\xff\\xfe"},
      {"\xc2", "\\xc2"},                             // UTF-8 character that is cut short
      {"\xc0\xaf", "\\xc0\\xaf"},                    // overlong UTF-8 encoding
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // UTF-8 encoding of a surrogate code point
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // UTF-8 encoding beyond the last code point
      {"\xc2\x9b", "\\u009b"},                       // 8-bit control character
      {"abc\xe2\x80\xae"
       "cba",
       "abc\\u202ecba"},  // right-to-left override
      {"a\xe2\x80\x8b"
       "b\xef\xbb\xbf",
       // Invisible characters: zero-width space, byte-order mark
       "a\\u200bb\\ufeff"},
      {"\xf3\xa0\x81\x81", "\\U000e0041"},  // invisible tag character
  };
  for (const Row& row : rows) {
    CHECK(displayable(row.text) == row.shown);
    CHECK(displayable_line(row.text) == row.shown);
  }
  CHECK(displayable("a\nb\n") == "a\nb\n");
  CHECK(displayable_line("a\nb\n") == "a\\nb\\n");
}

TEST_CASE("any bytes become valid UTF-8 without control characters") {
  CHECK(rc::check([] {
    const std::string text = any_bytes();
    const std::string shown = displayable(text);
    RC_ASSERT(is_valid_utf8(shown));
    RC_ASSERT(!has_control_byte(shown, "\n"));
    RC_ASSERT(!has_control_byte(displayable_line(text), ""));
    RC_ASSERT(displayable(shown) == shown);
    RC_ASSERT(is_valid_utf8(escape_html(text)));
    RC_ASSERT(escape_html(text).find_first_of("<>\"'") == std::string::npos);
  }));
}

TEST_CASE("a text is shortened between characters, and says by how much") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcdef", 3) == "abc… (3 bytes more)");
  CHECK(shortened("a漢字", 3) == "a… (6 bytes more)");
  CHECK(shortened("a漢字", 4) == "a漢… (3 bytes more)");
}

TEST_CASE("a cell of a table is one line, whatever is in it") {
  TextTable table({"name", "n\nm", ""});
  table.add({"a\nb\x1b[31m", "1", "\xff"});
  CHECK(table.text() ==
        "name          n\\nm\n"
        "a\\nb\\x1b[31m     1  \\xff\n");
}

TEST_CASE("a page shows control characters and bytes that are not UTF-8 as escapes") {
  CHECK(escape_html("<a href='x' id=\"y\">&\x1b\xff\n") ==
        "&lt;a href=&#39;x&#39; id=&quot;y&quot;&gt;&amp;\\x1b\\xff\n");
}

}  // namespace
}  // namespace presort::app::displayable_test
