#include "presort/sim/trace/readers/numbers.h"
#include "presort/sim/trace/trace_reader.h"

namespace presort::inline v0::sim {

namespace {

class LackeyReader final : public TraceReader {
 public:
  using TraceReader::TraceReader;

 private:
  bool step() override {
    std::string_view text;
    if (!input().line(text)) {
      return false;
    }
    if (text.empty() || text.starts_with("==") || text.starts_with("--")) {
      return true;
    }
    uint64_t address = 0;
    uint64_t size = 0;
    std::string_view rest = text.substr(std::min<size_t>(3, text.size()));
    if (text.size() < 3 || !take_number(rest, address, 16) || !rest.starts_with(',') ||
        (rest.remove_prefix(1), !take_number(rest, size, 10)) || !rest.empty()) {
      refuse(text);
    }
    add_record(text, address, size);
    return true;
  }

  void add_record(std::string_view text, uint64_t address, uint64_t size) {
    const std::string_view kind = text.substr(0, 3);
    if (kind == "I  ") {
      add_instruction(address, size);
    } else if (kind == " L ") {
      add_access(AccessKind::load, address, size);
    } else if (kind == " S ") {
      add_access(AccessKind::store, address, size);
    } else if (kind == " M ") {
      add_access(AccessKind::load, address, size);
      add(record(AccessKind::store, address, 1), size);
    } else {
      refuse(text);
    }
  }

  void add_instruction(uint64_t address, uint64_t size) {
    instruction_ = address;
    if (options().instructions) {
      add(record(AccessKind::load, address, 0), size);
      return;
    }
    // The instruction before this one made no memory access: counts as a micro-operation
    add_work(unaccounted_);
    unaccounted_ = 1;
  }

  // Adds an access. The first access of an instruction stands for the instruction itself.
  void add_access(AccessKind kind, uint64_t address, uint64_t size) {
    add(record(kind, address, 0), size);
    unaccounted_ = 0;
  }

  Access record(AccessKind kind, uint64_t address, uint16_t data_depends_on) const {
    Access access;
    access.address = address;
    access.kind = kind;
    access.data_depends_on = data_depends_on;
    access.instruction = instruction_;
    return access;
  }

  [[noreturn]] void refuse(std::string_view text) const {
    fail("found " + shown_text(text) +
         ", accepted: 'I  ADDRESS,SIZE', ' L ADDRESS,SIZE', ' S …', ' M …' of lackey");
  }

  uint64_t instruction_ = 0;
  uint64_t unaccounted_ = 0;  // number of instructions since the last record was added
};

}  // namespace

// Reads the text of valgrind --tool=lackey --trace-mem=yes: "I  ADDRESS,SIZE", " L …", " S …", " M
// …" (load and store), addresses hexadecimal; lines of valgrind itself ("==PID==") are skipped.
std::unique_ptr<TraceReader> read_lackey(TraceInput input, TraceOptions options) {
  return std::make_unique<LackeyReader>(std::move(input), options);
}

}  // namespace presort::sim
