#include <array>
#include <bit>
#include <cstring>

#include "presort/sim/trace/readers/numbers.h"
#include "presort/sim/trace/trace_reader.h"

namespace presort::inline v0::sim {

namespace {

constexpr size_t kRecordBytes = 64;
constexpr uint64_t kAccessBytes = 8;  // bytes of an access, assumed: the format has no sizes
// Number of the register RIP, which every instruction writes; it makes no dependences
constexpr uint8_t kInstructionPointer = 26;

// One record of a ChampSim trace, little-endian, as written on x86-64.
struct Instruction {
  uint64_t address;
  uint8_t is_branch;
  uint8_t taken;
  std::array<uint8_t, 2> written_registers;  // destination registers; 0: none
  std::array<uint8_t, 4> read_registers;
  std::array<uint64_t, 2> stores;  // addresses stored to; 0: none
  std::array<uint64_t, 4> loads;
};
static_assert(sizeof(Instruction) == kRecordBytes);
static_assert(std::endian::native == std::endian::little);

class ChampsimReader final : public TraceReader {
 public:
  using TraceReader::TraceReader;

 private:
  bool step() override {
    const std::string_view bytes = input().peek(kRecordBytes);
    if (bytes.empty()) {
      return false;
    }
    if (bytes.size() < kRecordBytes) {
      input().fail_short("a record of " + std::to_string(bytes.size()) +
                         " bytes instead of 64: truncated");
    }
    Instruction instruction;
    std::memcpy(&instruction, bytes.data(), kRecordBytes);
    check(instruction);
    add_records(instruction);
    input().skip(kRecordBytes);
    return true;
  }

  void check(const Instruction& instruction) const {
    if (instruction.is_branch > 1 || instruction.taken > 1) {
      fail("branch and taken flags " + std::to_string(instruction.is_branch) + " and " +
           std::to_string(instruction.taken) + ", accepted: 0 or 1: not a ChampSim trace");
    }
    if (instruction.address == 0) {
      fail("an instruction at address 0: not a ChampSim trace, or corrupt");
    }
  }

  void add_records(const Instruction& instruction) {
    uint64_t source = 0;
    for (const uint8_t name : instruction.read_registers) {
      source = std::max(source, writers_[name]);
    }
    add_fetch(instruction.address);
    const uint64_t before = added();
    uint64_t result = source;
    for (const uint64_t address : instruction.loads) {
      if (address != 0) {
        result = add_access(AccessKind::load, address, instruction, source, 0);
      }
    }
    for (const uint64_t address : instruction.stores) {
      if (address != 0) {
        add_access(AccessKind::store, address, instruction, 0, result);
      }
    }
    if (instruction.is_branch != 0) {
      add_branch(instruction.address, instruction.taken != 0, distance(result));
    }
    if (added() == before && !options().instructions) {
      add_work(1);
    }
    for (const uint8_t name : instruction.written_registers) {
      writers_[name] = name == 0 || name == kInstructionPointer ? 0 : result;
    }
  }

  void add_fetch(uint64_t address) {
    if (options().instructions) {
      Access fetch;
      fetch.address = fetch.instruction = address;
      add(fetch, 1);  // one byte of instruction fetch, as the format has no instruction lengths
    }
  }

  // Adds an access and returns the number of its record.
  uint64_t add_access(AccessKind kind, uint64_t address, const Instruction& instruction,
                      uint64_t address_source, uint64_t data_source) {
    Access access;
    access.address = address;
    access.kind = kind;
    access.instruction = instruction.address;
    access.depends_on = distance(address_source);
    access.data_depends_on = distance(data_source);
    add(access, std::min(kAccessBytes, kLineBytes - address % kLineBytes));
    return added();
  }

  // The distance back from the next record, number added() + 1, to record `source`; 0: none.
  uint16_t distance(uint64_t source) const {
    const uint64_t back = added() + 1 - source;
    return source == 0 || back > kLongestDependence ? 0 : static_cast<uint16_t>(back);
  }

  // Number of the record that wrote a register last, by register
  std::array<uint64_t, 256> writers_{};
};

}  // namespace

// Reads ChampSim traces. Each instruction is a record of 64 bytes: address, branch and taken flags,
// 2 destination and 4 source registers, 2 addresses stored to, 4 loaded from. The format has no
// access sizes: 8 bytes are assumed, less where the line ends. Dependences follow from the
// registers.
// Source: ChampSim, inc/trace_instruction.h, struct input_instr
std::unique_ptr<TraceReader> read_champsim(TraceInput input, TraceOptions options) {
  return std::make_unique<ChampsimReader>(std::move(input), options);
}

}  // namespace presort::sim
