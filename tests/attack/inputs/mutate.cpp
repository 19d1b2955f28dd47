#include "mutate.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "nasty.h"

namespace presort::inline v0::attack {
namespace {

struct Span {
  size_t begin;
  size_t end;
};

bool in_token(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("_.%/^+-").find(c) != std::string_view::npos;
}

std::vector<Span> tokens(const std::string& text) {
  std::vector<Span> found;
  for (size_t at = 0; at < text.size(); ++at) {
    if (in_token(text[at])) {
      const size_t begin = at;
      while (at < text.size() && in_token(text[at])) {
        ++at;
      }
      found.push_back({begin, at});
    }
  }
  return found;
}

// True if a token of a text is a value, judged by the characters before the token.
bool is_value(const std::string& text, Span token) {
  size_t before = token.begin;
  while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '"')) {
    --before;
  }
  return before == 0 || std::string_view(":=[{,\n").find(text[before - 1]) != std::string::npos;
}

bool is_key(const std::string& text, Span token) {
  size_t behind = token.end;
  while (behind < text.size() && (text[behind] == '"' || text[behind] == ' ')) {
    ++behind;
  }
  return behind < text.size() && (text[behind] == ':' || text[behind] == '=');
}

// The tokens of a text that are keys, or that are values, as wanted; if there are none of these, all
// tokens.
std::vector<Span> wanted_tokens(const std::string& text, bool keys) {
  std::vector<Span> all = tokens(text);
  std::vector<Span> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](Span token) {
    return keys ? is_key(text, token) : is_value(text, token) && !is_key(text, token);
  });
  return found.empty() ? all : found;
}

std::string unit_of(const std::string& value) {
  size_t at = 0;
  while (at < value.size() &&
         std::string_view("0123456789.e^+-").find(value[at]) != std::string::npos) {
    ++at;
  }
  return at == 0 ? "" : value.substr(at);
}

std::string change_value(Draw& draw, std::string text, Syntax syntax) {
  const std::vector<Span> spans = wanted_tokens(text, false);
  if (spans.empty()) {
    return text;
  }
  const Span span = draw.of(spans);
  const std::string old = text.substr(span.begin, span.end - span.begin);
  const bool json = syntax == Syntax::json && draw.chance(70);
  return text.replace(span.begin, old.size(),
                      json ? std::string(draw.of(nasty_json())) : new_value(draw, text, old));
}

std::string change_key(Draw& draw, std::string text) {
  const std::vector<Span> spans = wanted_tokens(text, true);
  if (spans.empty()) {
    return text;
  }
  const Span span = draw.of(spans);
  const Span other = draw.of(spans);
  const std::string key = text.substr(span.begin, span.end - span.begin);
  const std::string changed[] = {key + "x", key.substr(0, key.size() - 1), "",
                                 text.substr(other.begin, other.end - other.begin),
                                 std::string(draw.of(nasty_words()))};
  return text.replace(span.begin, key.size(), draw.of(changed));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    c == '\n' ? lines.emplace_back() : (lines.back() += c, lines.back());
  }
  return lines;
}

std::string change_lines(Draw& draw, const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  const size_t at = draw.below(lines.size());
  const size_t other = draw.below(lines.size());
  const auto place = [&](size_t i) { return lines.begin() + static_cast<std::ptrdiff_t>(i); };
  switch (draw.below(6)) {
    case 0:
      lines.erase(place(at));
      break;
    case 1:
      lines.insert(place(other), std::string(lines[at]));
      break;
    case 2:
      std::swap(lines[at], lines[other]);
      break;
    case 3:
      lines[at].insert(0, draw.below(9), ' ');
      break;
    case 4:
      lines[at].resize(draw.below(lines[at].size() + 1));
      break;
    default:
      lines.erase(place(at), lines.end());
      break;
  }
  std::string joined;
  for (size_t i = 0; i < lines.size(); ++i) {
    joined += i > 0 ? "\n" : "";
    joined += lines[i];
  }
  return joined;
}

std::string repeated(std::string_view text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

// Returns the text with one of its values nested in many brackets.
std::string nest(Draw& draw, std::string text, Syntax syntax) {
  const std::vector<Span> spans = wanted_tokens(text, false);
  if (spans.empty()) {
    return text;
  }
  const Span span = draw.of(spans);
  constexpr size_t kDepths[] = {1, 2, 10, 100, 1000, 8000};
  constexpr std::pair<std::string_view, std::string_view> kBrackets[] = {
      {"[", "]"}, {"{\"a\":", "}"}, {"[[1],", "]"}, {"{a: ", "}"}, {"- ", ""}};
  const size_t depth = draw.of(kDepths);
  const auto [open, close] = kBrackets[draw.below(syntax == Syntax::json ? 3 : 5)];
  text.insert(span.end, repeated(close, depth));
  return text.insert(span.begin, repeated(open, depth));
}

}  // namespace

std::string new_value(Draw& draw, const std::string& text, const std::string& old) {
  const std::string unit = unit_of(old);
  const std::vector<Span> spans = tokens(text);
  switch (draw.below(unit.empty() ? 5 : 9)) {
    case 0:
      return std::string(draw.of(nasty_numbers()));
    case 1:
      return std::string(draw.of(nasty_words()));
    case 2:
      return std::string(draw.of(nasty_numbers())) + std::string(draw.of(nasty_units()));
    case 3: {
      if (spans.empty()) {
        return "x";
      }
      const Span span = draw.of(spans);
      return text.substr(span.begin, span.end - span.begin);
    }
    case 4:
      return std::to_string(draw.bits() >> draw.below(64));
    default:
      return std::string(draw.of(nasty_numbers())) + unit;
  }
}

std::string change_bytes(Draw& draw, std::string content) {
  constexpr size_t kChanges[] = {1, 1, 1, 2, 3, 8};
  constexpr size_t kStretches[] = {1, 1, 2, 8, 64, 1000};
  for (size_t change = draw.of(kChanges); change > 0; --change) {
    const size_t at = draw.below(content.size() + 1);
    const size_t stretch = draw.of(kStretches);
    const bool inside = at < content.size();
    switch (draw.below(8)) {
      case 0:
        inside ? content[at] = static_cast<char>(content[at] ^ (1 << draw.below(8))) : 0;
        break;
      case 1:
        inside ? content[at] = static_cast<char>(draw.bits()) : 0;
        break;
      case 2:
        content.erase(at, stretch);
        break;
      case 3:
        for (size_t i = 0; i < std::min<size_t>(stretch, 64); ++i) {
          content.insert(at, 1, static_cast<char>(draw.bits()));
        }
        break;
      case 4:
        content.insert(at, content.substr(draw.below(content.size() + 1), stretch));
        break;
      case 5:
        content.resize(at);
        break;
      case 6: {
        const std::string_view field = draw.of(nasty_fields());
        content.replace(at, field.size(), field);
        break;
      }
      default:
        content.insert(at, draw.of(nasty_bytes()));
        break;
    }
  }
  content.resize(std::min(content.size(), kMostBytes));
  return content;
}

std::string change_text(Draw& draw, std::string content, const std::string& other, Syntax syntax) {
  const size_t kind = draw.below(100);
  if (kind < 60) {
    constexpr size_t kChanges[] = {1, 1, 1, 2, 3};
    for (size_t change = draw.of(kChanges); change > 0; --change) {
      content = change_value(draw, std::move(content), syntax);
    }
    return content;
  }
  if (kind < 70) {
    return change_key(draw, std::move(content));
  }
  if (kind < 80) {
    return change_lines(draw, content);
  }
  if (kind < 83) {
    return nest(draw, std::move(content), syntax);
  }
  if (kind < 88) {
    return content.substr(0, draw.below(content.size() + 1)) +
           other.substr(draw.below(other.size() + 1));
  }
  return change_bytes(draw, std::move(content));
}

}  // namespace presort::attack
