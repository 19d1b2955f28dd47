#include <array>
#include <iterator>
#include <optional>

#include "presort/core/text/names.h"
#include "presort/sim/trace/readers/numbers.h"
#include "presort/sim/trace/renumbering.h"
#include "presort/sim/trace/trace_reader.h"

namespace presort::inline v0::sim {

namespace {

enum Column : size_t {
  kAddress,
  kKind,
  kSize,
  kInstruction,
  kMicroOps,
  kDependsOn,
  kDataDependsOn,
  kColumns
};

constexpr Named<Column> kColumnNames[] = {
    {"address", kAddress},
    {"kind", kKind},
    {"size", kSize},
    {"instruction", kInstruction},
    {"microOps", kMicroOps},
    {"dependsOn", kDependsOn},
    {"dataDependsOn", kDataDependsOn},
};
static_assert(std::size(kColumnNames) == kColumns);

constexpr Named<std::optional<AccessKind>> kKinds[] = {
    {"load", AccessKind::load},
    {"store", AccessKind::store},
    {"streamingStore", AccessKind::streamingStore},
    {"prefetch", AccessKind::prefetch},
    {"branch", AccessKind::branch},
    {"fetch", std::nullopt},
};

// The next field of a CSV line without blanks around it; false when the line is used up.
bool take_field(std::string_view& line, bool& more, std::string_view& field) {
  if (!more) {
    return false;
  }
  const size_t comma = line.find(',');
  field = line.substr(0, comma);
  more = comma != std::string_view::npos;
  line.remove_prefix(more ? comma + 1 : line.size());
  skip_blanks(field);
  field = field.substr(0, field.find_last_not_of(" \t") + 1);
  return true;
}

class CsvReader final : public TraceReader {
 public:
  using TraceReader::TraceReader;

 private:
  bool step() override {
    std::string_view text;
    if (!input().line(text)) {
      if (columns_.empty()) {
        fail("no header: the first line names the columns");
      }
      return false;
    }
    if (text.empty() || text.front() == '#') {
      return true;
    }
    if (columns_.empty()) {
      read_header(text);
    } else {
      read_row(text);
    }
    return true;
  }

  void read_header(std::string_view text) {
    std::array<bool, kColumns> seen{};
    bool more = true;
    std::string_view name;
    while (take_field(text, more, name)) {
      const Column column = name_of(kColumnNames, "column", name);
      if (seen[column]) {
        fail("column '" + std::string(name) + "' stands twice in the header");
      }
      seen[column] = true;
      columns_.push_back(column);
    }
    if (!seen[kAddress]) {
      fail("the header has no column 'address'");
    }
  }

  void read_row(std::string_view text) {
    std::array<std::string_view, kColumns> fields{};
    std::string_view line = text;
    bool more = true;
    std::string_view field;
    size_t count = 0;
    while (take_field(line, more, field)) {
      if (count < columns_.size()) {
        fields[columns_[count]] = field;
      }
      ++count;
    }
    if (count != columns_.size()) {
      fail("found " + std::to_string(count) + " fields, the header has " +
           std::to_string(columns_.size()) + " columns");
    }
    add_row(fields);
  }

  void add_row(const std::array<std::string_view, kColumns>& fields) {
    Access access;
    if (fields[kAddress].empty()) {
      fail("the address is missing");
    }
    access.address = number(fields, kAddress, 0, ~uint64_t{0});
    access.instruction = number(fields, kInstruction, 0, ~uint64_t{0});
    const std::optional<AccessKind> kind =
        fields[kKind].empty() ? AccessKind::load : name_of(kKinds, "kind", fields[kKind]);
    const uint64_t micro_ops = number(fields, kMicroOps, 0, 65535);
    const auto back = [&](Column column) {
      return numbers_.distance(
          static_cast<uint16_t>(number(fields, column, 0, kLongestDependence)));
    };
    access.depends_on = back(kDependsOn);
    access.data_depends_on = back(kDataDependsOn);
    add_work(micro_ops);
    const uint64_t before = added();
    add_kind(access, kind, fields);
    numbers_.became(added() - before);
  }

  void add_kind(Access access, std::optional<AccessKind> kind,
                const std::array<std::string_view, kColumns>& fields) {
    if (!kind && !options().instructions) {
      add_work(1);
      return;
    }
    if (kind == AccessKind::branch) {
      add_branch(access.address, number(fields, kSize, 0, 1) != 0, access.depends_on);
      return;
    }
    access.kind = kind.value_or(AccessKind::load);
    constexpr uint64_t kDefaultBytes = 4;
    add(access, number(fields, kSize, kDefaultBytes, ~uint64_t{0}));
  }

  // The number in a CSV column; the column's default where the field is empty.
  // Errors: InputError for text that is no such number
  uint64_t number(const std::array<std::string_view, kColumns>& fields, Column column,
                  uint64_t fallback, uint64_t most) const {
    std::string_view text = fields[column];
    if (text.empty()) {
      return fallback;
    }
    uint64_t value = 0;
    const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const bool taken =
        is_hexadecimal ? take_hexadecimal(text, value) : take_number(text, value, 10);
    if (!taken || !text.empty() || value > most) {
      fail(to_name(kColumnNames, column) + ": found " + shown_text(fields[column]) +
           ", accepted: 0 to " + std::to_string(most) + ", decimal or behind 0x");
    }
    return value;
  }

  template <class T, size_t N>
  T name_of(const Named<T> (&table)[N], std::string_view key, std::string_view found) const {
    for (const Named<T>& row : table) {
      if (row.name == found) {
        return row.value;
      }
    }
    fail(unknown_name_message(key, found.substr(0, 40), accepted_names(table)));
  }

  std::vector<Column> columns_;
  Renumbering numbers_;
};

}  // namespace

// Reads CSV traces. A header names the columns: address (required), kind, size, instruction,
// microOps, dependsOn, dataDependsOn, in any order. Numbers are decimal, or hexadecimal behind 0x;
// kinds are load, store, streamingStore, prefetch, branch (address: the instruction's, size: 1
// taken, 0 not) and fetch. Without a column, and in empty fields: load, 4 bytes, 0. Lines that
// start with # are skipped.
std::unique_ptr<TraceReader> read_csv(TraceInput input, TraceOptions options) {
  return std::make_unique<CsvReader>(std::move(input), options);
}

}  // namespace presort::sim
