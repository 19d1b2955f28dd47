#include "presort/core/text/names.h"

#include <algorithm>
#include <numeric>

namespace presort::inline v0 {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Levenshtein distance that ignores case.
size_t edit_distance(std::string_view a, std::string_view b) {
  // Edit distances of a prefix of `a` to every prefix of `b`
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substituted = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

constexpr size_t kLongestShown = 120;  // most bytes of a user's text that a message shows

}  // namespace

// Appends text instead of adding it: g++ 12 warns of "'" + std::string (-Wrestrict) for no reason.
std::string quoted_text(std::string_view found) {
  std::string quoted = "'";
  if (found.size() <= kLongestShown) {
    return quoted.append(found).append("'");
  }
  size_t end = kLongestShown;
  while (end > 0 && (static_cast<unsigned char>(found[end]) & 0xc0) == 0x80) {
    --end;  // moves back to the start of a UTF-8 character
  }
  return quoted.append(found.substr(0, end)).append("…'");
}

std::string nearest_spelling(std::string_view found, std::span<const std::string> accepted) {
  size_t nearest = std::max<size_t>(2, found.size() / 3) + 1;
  std::string best;
  for (const std::string& name : accepted) {
    const size_t distance = edit_distance(found, name);
    // a suggested name must share at least one character with the text
    if (distance < nearest && distance < name.size()) {
      nearest = distance;
      best = name;
    }
  }
  return best;
}

std::string unknown_name_message(std::string_view key, std::string_view found,
                                 std::span<const std::string> accepted) {
  std::string message = std::string(key) + ": found " + quoted_text(found) + ", accepted: ";
  for (size_t i = 0; i < accepted.size(); ++i) {
    message += (i == 0 ? "" : ", ") + accepted[i];
  }
  const std::string nearest =
      found.size() <= kLongestShown ? nearest_spelling(found, accepted) : std::string();
  if (!nearest.empty()) {
    message += " (did you mean '" + nearest + "'?)";
  }
  return message;
}

}  // namespace presort
