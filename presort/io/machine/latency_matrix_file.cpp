#include "presort/io/machine/latency_matrix_file.h"

#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

#include "presort/core/error.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/text/display_text.h"
#include "presort/io/files/input_file.h"
#include "presort/io/limits.h"

namespace presort::inline v0::io {

namespace {

constexpr uint64_t kLine = 64;
constexpr uint64_t kPage = 4096;

// Accepted sizes in a latency matrix, beyond what is published: footprints up to 1 GiB, 768 pages,
// 800 cells. Cells are simulated.
constexpr Range kSizes = {RangeUnit::bytes, 1, 16.0 * 1024 * 1024 * 1024};
constexpr Range kPagesInTurn = {RangeUnit::count, 1, 1 << 20};
constexpr Range kCycles = {RangeUnit::cycles, 0, 1e6};

struct Title {
  std::string_view text;
  ChaseOrder order;
  bool columns_are_blocks = false;
};
constexpr Title kTitles[] = {
    {"*** Linear Read Latency ***", ChaseOrder::forward},
    {"*** Backward Read Latency ***", ChaseOrder::backward},
    {"*** Random Read Latency ***", ChaseOrder::random},
    {"*** BlockRandom Read Latency ***", ChaseOrder::blockRandom, true},
    {"Linear_Forward Tests", ChaseOrder::forward},
    {"Linear_Backward Tests", ChaseOrder::backward},
    {"Random_Full Tests", ChaseOrder::random},
    {"Page_Random Tests", ChaseOrder::blockRandom},
};

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Splits a line into its words between blanks, commas and colons.
std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r,:";
  std::vector<std::string_view> words;
  size_t at = line.find_first_not_of(kBetween);
  while (at != std::string_view::npos) {
    const size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBetween, end);
  }
  return words;
}

std::optional<double> number(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(value)
                                                                  : std::nullopt;
}

// Reads a size, "0.25K", "16M", "512": a whole number of bytes (of lines, in a header of blocks);
// nothing for text that is no number or out of range.
std::optional<uint64_t> size_of(std::string_view word) {
  double unit = 1;
  if (word.ends_with('K') || word.ends_with('M')) {
    unit = word.ends_with('K') ? 1024 : 1024 * 1024;
    word.remove_suffix(1);
  }
  const std::optional<double> value = number(word);
  if (!value || !contains(kSizes, *value * unit)) {
    return {};
  }
  return static_cast<uint64_t>(*value * unit);
}

class Parser {
 public:
  Parser(const std::string& text, const std::string& file) : lines_(text), file_(file) {}

  LatencyMatrix parse();

 private:
  bool advance() {
    ++line_number_;
    return static_cast<bool>(std::getline(lines_, line_));
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(file_ + ":" + std::to_string(line_number_) + ": " + what);
  }
  double in_range(std::string_view key, double number, const Range& range) const {
    if (!contains(range, number)) {
      refuse(std::string(key) + " found " + number_text(number, range.unit) +
             ", accepted: " + accepted_text(range));
    }
    return number;
  }
  void note_header_line();
  std::optional<double> number_after(std::string_view key) const;
  LatencyTable table(const Title& title);
  std::vector<uint64_t> columns(const Title& title);
  bool row(const Title& title, const std::vector<uint64_t>& columns, LatencyTable& table);

  std::istringstream lines_;
  std::string file_;
  std::string line_;
  int line_number_ = 0;
  uint64_t pages_in_turn_ = 0;
  size_t cells_ = 0;
  LatencyMatrix matrix_;
};

// The number that follows `key` in a line, up to its unit.
std::optional<double> Parser::number_after(std::string_view key) const {
  const size_t at = line_.find(key);
  if (at == std::string::npos) {
    return {};
  }
  const size_t first = line_.find_first_not_of(' ', at + key.size());
  const size_t end = line_.find_first_not_of("0123456789.", first);
  return first == std::string::npos
             ? std::nullopt
             : number(std::string_view(line_).substr(first, std::min(end, line_.size()) - first));
}

void Parser::note_header_line() {
  for (const std::string_view key : {"Freq:", "Frequency:"}) {
    const std::optional<double> mhz = number_after(key);
    if (mhz && matrix_.clock_hz == 0) {
      matrix_.clock_hz = in_range(key, *mhz * 1e6, field_at(fields::kMachine, "cpu.clock").range);
    }
  }
  if (const std::optional<double> pages = number_after("4K DTLB:")) {
    pages_in_turn_ = static_cast<uint64_t>(in_range("4K DTLB:", *pages, kPagesInTurn));
  }
  const size_t type = line_.find("Type: \"");
  if (type != std::string::npos && matrix_.processor.empty()) {
    const size_t first = type + 7;
    matrix_.processor = trimmed(line_.substr(first, line_.find('"', first) - first));
    if (const auto found = find_undisplayable(matrix_.processor, kLongestName)) {
      refuse("Type: found " + *found + ", accepted: " + displayable_accepted(kLongestName));
    }
  }
}

std::vector<uint64_t> Parser::columns(const Title& title) {
  if (!advance()) {
    refuse("the file ends after the title '" + std::string(title.text) + "'");
  }
  const std::string_view expected = title.columns_are_blocks ? "Block" : "Stride";
  const std::vector<std::string_view> words = words_of(line_);
  if (words.size() < 2 || words[0] != expected) {
    refuse("found " + quoted_text(trimmed(line_)) + ", accepted: the header of the table, '" +
           std::string(expected) + "' and sizes");
  }
  std::vector<uint64_t> sizes;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::optional<uint64_t> size = size_of(words[i]);
    if (!size) {
      refuse("found " + quoted_text(words[i]) + ", accepted: a size such as 64 or 1K, up to " +
             number_text(kSizes.highest, kSizes.unit));
    }
    sizes.push_back(*size);
  }
  return sizes;
}

// Reads a line as a row of a table of latencies; false if it is none, which ends the table.
bool Parser::row(const Title& title, const std::vector<uint64_t>& columns, LatencyTable& table) {
  std::vector<std::string_view> words = words_of(line_);
  if (words.size() < 2) {
    return false;
  }
  std::optional<uint64_t> footprint = size_of(words[0]);
  if (words[1] == "KB" && footprint) {
    *footprint *= 1024;
    words.erase(words.begin() + 1);
  }
  if (!footprint) {
    return false;
  }
  if (words.size() - 1 > columns.size()) {
    refuse("found " + std::to_string(words.size() - 1) + " latencies, accepted: at most " +
           std::to_string(columns.size()) + ", as many as the header has columns");
  }
  for (size_t i = 1; i < words.size(); ++i) {
    const std::optional<double> cycles = number(words[i]);
    if (!cycles || !(*cycles == -1 || contains(kCycles, *cycles))) {
      refuse("found " + quoted_text(words[i]) + ", accepted: " + accepted_text(kCycles) +
             ", or -1 for not measured");
    }
    const uint64_t column = columns[i - 1];
    LatencyCell cell{*footprint, title.columns_are_blocks ? kLine : column, 0, *cycles};
    if (table.order == ChaseOrder::blockRandom) {
      cell.block_bytes = title.columns_are_blocks ? column * kLine : pages_in_turn_ * kPage;
    }
    if (*cycles > 0 && cell.footprint_bytes >= cell.stride_bytes) {
      if (++cells_ > limits::kMostMatrixCells) {
        refuse("found more than " + std::to_string(limits::kMostMatrixCells) +
               " latencies, accepted: at most so many");
      }
      table.cells.push_back(cell);
    }
  }
  return true;
}

LatencyTable Parser::table(const Title& title) {
  LatencyTable table{std::string(title.text), title.order, {}};
  if (title.order == ChaseOrder::blockRandom && !title.columns_are_blocks && pages_in_turn_ == 0) {
    refuse("the table '" + table.title + "' needs a line with '4K DTLB:' and a number before it");
  }
  const std::vector<uint64_t> sizes = columns(title);
  const int header = line_number_;
  while (advance() && row(title, sizes, table)) {
  }
  if (table.cells.empty()) {
    line_number_ = header;
    refuse("found no rows in the table '" + table.title + "', accepted: at least one");
  }
  return table;
}

LatencyMatrix Parser::parse() {
  bool more = advance();
  while (more) {
    const std::string_view text = trimmed(line_);
    const Title* found = nullptr;
    for (const Title& title : kTitles) {
      found = title.text == text ? &title : found;
    }
    if (found == nullptr) {
      note_header_line();
      more = advance();
      continue;
    }
    matrix_.tables.push_back(table(*found));
    more = static_cast<bool>(lines_);  // the line that ended the table may be the title of the next
  }
  for (const LatencyTable& each : matrix_.tables) {
    if (each.order == ChaseOrder::random && matrix_.clock_hz > 0) {
      return matrix_;
    }
  }
  throw InputError(file_ + ": found no " +
                   (matrix_.clock_hz > 0 ? "table of random order" : "clock ('Freq: …MHz')") +
                   ", accepted: the text of MemLatX86, MemLatX64 or NewMemLat");
}

}  // namespace

LatencyMatrix parse_latency_matrix(const std::string& text, const std::string& file) {
  return Parser(text, file).parse();
}

LatencyMatrix read_latency_matrix(const std::string& path) {
  return parse_latency_matrix(read_whole_file(path, limits::kMostMatrixBytes), path);
}

}  // namespace presort::io
