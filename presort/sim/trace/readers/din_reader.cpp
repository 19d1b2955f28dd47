#include "presort/sim/trace/readers/numbers.h"
#include "presort/sim/trace/trace_reader.h"

namespace presort::inline v0::sim {

namespace {

// Bytes assumed for an access, as in Dinero: the format has no sizes
constexpr uint64_t kDinBytes = 4;

// One row of a Dinero format: a label and the kind of access that it means.
struct DinType {
  char letter;
  enum Meaning { load, store, fetch, skipped } meaning;
};
constexpr DinType kDin[] = {{'0', DinType::load},
                            {'1', DinType::store},
                            {'2', DinType::fetch},
                            {'3', DinType::skipped},
                            {'4', DinType::skipped}};
constexpr DinType kXdin[] = {{'r', DinType::load},    {'w', DinType::store},
                             {'i', DinType::fetch},   {'m', DinType::load},
                             {'c', DinType::skipped}, {'v', DinType::skipped}};

class DinReader final : public TraceReader {
 public:
  DinReader(TraceInput input, TraceOptions options, std::span<const DinType> types, bool has_size)
      : TraceReader(std::move(input), options), types_(types), has_size_(has_size) {}

 private:
  bool step() override {
    std::string_view text;
    if (!input().line(text)) {
      return false;
    }
    std::string_view rest = text;
    skip_blanks(rest);
    if (rest.empty()) {
      return true;
    }
    const DinType::Meaning meaning = type_of(rest.front(), text);
    rest.remove_prefix(1);
    uint64_t address = 0;
    uint64_t size = kDinBytes;
    if (!take_field(rest, address) || (has_size_ && !take_field(rest, size))) {
      refuse(text);
    }
    add_record(meaning, address, size);
    return true;
  }

  DinType::Meaning type_of(char letter, std::string_view text) const {
    for (const DinType& type : types_) {
      if (type.letter == letter) {
        return type.meaning;
      }
    }
    refuse(text);
  }

  // Takes a field from the front of `rest`: blanks, a hexadecimal number, and then a blank or the
  // end of the line.
  static bool take_field(std::string_view& rest, uint64_t& value) {
    const size_t before = rest.size();
    skip_blanks(rest);
    return rest.size() < before && take_hexadecimal(rest, value) &&
           (rest.empty() || rest.front() == ' ' || rest.front() == '\t');
  }

  void add_record(DinType::Meaning meaning, uint64_t address, uint64_t size) {
    if (meaning == DinType::skipped) {
      return;
    }
    if (meaning == DinType::fetch) {
      add_work(pending_fetch_ && !options().instructions ? 1 : 0);
      pending_fetch_ = true;
      instruction_ = address;
      if (!options().instructions) {
        return;
      }
    } else {
      pending_fetch_ = false;  // the access counts as the fetched instruction's own micro-operation
    }
    Access access;
    access.address = address;
    access.kind = meaning == DinType::store ? AccessKind::store : AccessKind::load;
    access.instruction = instruction_;
    add(access, size);
  }

  [[noreturn]] void refuse(std::string_view text) const {
    fail("found " + shown_text(text) +
         (has_size_ ? ", accepted: 'TYPE ADDRESS SIZE' of xdin, TYPE one of r w i m c v"
                    : ", accepted: 'TYPE ADDRESS' of din, TYPE 0 to 4"));
  }

  std::span<const DinType> types_;
  bool has_size_;
  bool pending_fetch_ = false;
  uint64_t instruction_ = 0;
};

}  // namespace

// Reads Dinero's traditional format: "LABEL ADDRESS rest", label 0 read, 1 write, 2 instruction
// fetch, 3 and 4 escapes, which are skipped; the address is hexadecimal, the rest a comment; 4
// bytes each.
// Source: Hill, Dinero III; Edler and Hill, Dinero IV, -informat d
std::unique_ptr<TraceReader> read_din(TraceInput input, TraceOptions options) {
  return std::make_unique<DinReader>(std::move(input), options, kDin, false);
}

// Reads Dinero's extended format: "TYPE ADDRESS SIZE rest", type r read, w write, i instruction
// fetch, m miscellaneous (a read), c copyback and v invalidate, which are skipped; address and size
// are hexadecimal.
// Source: Dinero IV, -informat D
std::unique_ptr<TraceReader> read_xdin(TraceInput input, TraceOptions options) {
  return std::make_unique<DinReader>(std::move(input), options, kXdin, true);
}

}  // namespace presort::sim
