#include "presort/app/printing/wrap.h"

#include <algorithm>

namespace presort::inline v0::app {

namespace {

constexpr size_t kLeastColumns = 20;

// Column, counted in bytes, where the lines that continue a line begin.
size_t hanging_indent(std::string_view line, size_t columns) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const size_t gap = line.substr(0, columns * 2 / 3).rfind("  ");
  if (gap == std::string_view::npos || gap < indent) {
    return std::min(indent + 2, columns / 2);
  }
  const size_t field = line.find_first_not_of(' ', gap);
  return field > columns * 2 / 3 ? std::min(indent + 2, columns / 2) : field;
}

// Bytes of the longest beginning of a line that takes at most `columns` columns.
size_t bytes_within(std::string_view line, size_t columns) {
  size_t bytes = 0;
  for (size_t taken = 0; bytes < line.size(); ++bytes) {
    const bool begins_character = (static_cast<unsigned char>(line[bytes]) & 0xC0) != 0x80;
    taken += begins_character ? 1 : 0;
    if (taken > columns) {
      return bytes;
    }
  }
  return bytes;
}

// Appends a line in parts that are at most `columns` wide.
void append_wrapped(std::string& out, std::string_view line, size_t columns) {
  const bool is_drawn = line.ends_with('|') || line.ends_with('+');
  if (is_drawn || columns_of(line) <= columns) {
    out += line;
    return;
  }
  const size_t hang = hanging_indent(line, columns);
  std::string rest(line);
  for (size_t begin = std::min(line.find_first_not_of(' '), line.size());;
       begin = hang) {  // where words begin in `rest`
    const size_t most = bytes_within(rest, columns);
    if (most == rest.size()) {
      break;
    }
    size_t end = rest.rfind(' ', most);
    if (end == std::string::npos || end <= begin) {
      end = rest.find(' ', std::max(most, begin));  // a word that does not fit stays whole
    }
    const size_t next = end == std::string::npos ? end : rest.find_first_not_of(' ', end);
    if (next == std::string::npos) {
      break;
    }
    out.append(rest, 0, rest.find_last_not_of(' ', end) + 1);
    out += '\n';
    rest = std::string(hang, ' ') + rest.substr(next);
  }
  out += rest;
}

}  // namespace

size_t columns_of(std::string_view line) {
  return static_cast<size_t>(std::count_if(line.begin(), line.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  }));
}

std::string wrapped_to(std::string_view text, int columns) {
  if (columns < static_cast<int>(kLeastColumns)) {
    return std::string(text);
  }
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    append_wrapped(out, text.substr(0, end), static_cast<size_t>(columns));
    if (end == std::string_view::npos) {
      break;
    }
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace presort::app
