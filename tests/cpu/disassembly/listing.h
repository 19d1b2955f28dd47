// Instructions of a compiled function, as objdump shows them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace presort::inline v0::test {

struct Instruction {
  unsigned long address;
  std::string text;          // mnemonic and operands of an instruction, one space between
  unsigned long target = 0;  // target address of a jump within the function
};

using Listing =
    std::map<std::string, std::vector<Instruction>>;  // instructions of each function, by its name

// Reads `objdump -d --no-show-raw-insn` of an object file. Errors: std::runtime_error
Listing disassemble(const std::string& objdump, const std::string& object_file);

// The loops of a function, each from the target of a backward jump to the jump. Registers are named
// in the order of their appearance in the loop, jump targets counted in instructions from the jump,
// and the operands of a comparison for equality put in order, so that equal code reads equal
// wherever it stands and whatever registers it uses.
std::vector<std::string> normalised_loops(const std::vector<Instruction>& function);

}  // namespace presort::test
