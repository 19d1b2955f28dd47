#include "tests/cpu/disassembly/listing.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <regex>
#include <span>
#include <stdexcept>

namespace presort::inline v0::test {

namespace {

std::vector<std::string> output_lines(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) {
    throw std::runtime_error("cannot run " + command);
  }
  std::vector<std::string> lines(1);
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += static_cast<char>(c);
    }
  }
  return lines;
}

Instruction parse_instruction(unsigned long address, const std::string& raw) {
  static const std::regex spaces("\\s+");
  static const std::regex jump("(j\\w+) ([0-9a-f]+) <.*");
  // A displacement of 0 is removed from operands: only addresses in rbp and r13 need an explicit one.
  static const std::regex no_distance("\\b0x0\\(");
  static const std::regex saved("^pop %.*");
  std::string text = std::regex_replace(raw, spaces, " ");
  text = std::regex_replace(std::regex_replace(text, no_distance, "("), saved, "pop");
  if (const size_t end = text.find_last_not_of(' '); end != std::string::npos) {
    text.resize(end + 1);
  }
  Instruction instruction{address, text};
  if (std::smatch match; std::regex_match(text, match, jump)) {
    instruction.text = match[1];
    instruction.target = std::stoul(match[2], nullptr, 16);
  }
  return instruction;
}

// Splits a register's name into register and part: "%r8d" -> {"r8", "d"}.
std::array<std::string, 2> register_and_part(const std::string& name) {
  static const std::regex numbered("%(r\\d+)([dwb]?)");
  static const std::regex vector("%([xyz]mm)(\\d+)");
  static const std::regex classic("%([re]?)([abcd]x|[sd]i|[sb]p)");
  static const std::regex low_byte("%([abcd]|si|di|bp|sp)l");
  std::smatch match;
  if (std::regex_match(name, match, numbered)) {
    return {match[1], match[2].length() == 0 ? "q" : match[2].str()};
  }
  if (std::regex_match(name, match, vector)) {
    return {std::string("v").append(match[2]), match[1]};
  }
  if (std::regex_match(name, match, classic)) {
    return {match[2], match[1] == "r" ? "q" : match[1] == "e" ? "d" : "w"};
  }
  if (std::regex_match(name, match, low_byte)) {
    const std::string letter = match[1];
    return {letter.size() == 1 ? letter + "x" : letter, "b"};
  }
  return {name, ""};
}

std::string rename_registers(const std::string& text, std::map<std::string, size_t>& numbers) {
  static const std::regex name("%[a-z0-9]+");
  std::string renamed;
  auto rest = text.cbegin();
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
    renamed.append(rest, (*at)[0].first);
    const auto [which, part] = register_and_part(at->str());
    const size_t number = numbers.emplace(which, numbers.size()).first->second;
    renamed.append("%").append(std::to_string(number)).append(part);
    rest = (*at)[0].second;
  }
  return renamed.append(rest, text.cend());
}

bool is_padding(const std::string& text) {
  return text.starts_with("nop") || text.starts_with("data16") || text.starts_with("cs nop") ||
         text == "xchg %ax,%ax";
}

// "cmp %a,%b" before je or jne says the same as "cmp %b,%a".
std::string with_ordered_operands(const std::string& text, const std::string& next) {
  static const std::regex comparison("cmp (%\\w+),(%\\w+)");
  std::smatch match;
  const bool equality = next.starts_with("je") || next.starts_with("jne");
  if (equality && std::regex_match(text, match, comparison) && match[2] < match[1]) {
    return std::string("cmp ").append(match[2]).append(",").append(match[1]);
  }
  return text;
}

// The lines of a loop with its registers renamed. Requires: no padding instructions
std::vector<std::string> normalised(std::span<const Instruction> loop) {
  std::map<std::string, size_t> numbers;
  std::vector<std::string> lines;
  for (size_t i = 0; i < loop.size(); ++i) {
    lines.push_back(rename_registers(loop[i].text, numbers));
    if (loop[i].target != 0) {
      const auto target = std::ranges::lower_bound(loop, loop[i].target, {}, &Instruction::address);
      const long distance = target - loop.begin() - static_cast<long>(i);
      lines.back().append(" ").append(target == loop.end() ? "out" : std::to_string(distance));
    }
  }
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    lines[i] = with_ordered_operands(lines[i], lines[i + 1]);
  }
  return lines;
}

}  // namespace

Listing disassemble(const std::string& objdump, const std::string& object_file) {
  static const std::regex head("[0-9a-f]+ <(\\w+)>:");
  static const std::regex line(" *([0-9a-f]+):\\s+(.*)");
  Listing listing;
  std::vector<Instruction>* function = nullptr;
  for (const std::string& text :
       output_lines("'" + objdump + "' -d --no-show-raw-insn '" + object_file + "'")) {
    std::smatch match;
    if (std::regex_match(text, match, head)) {
      function = &listing[match[1]];
    } else if (function != nullptr && std::regex_match(text, match, line)) {
      function->push_back(parse_instruction(std::stoul(match[1], nullptr, 16), match[2]));
    }
  }
  return listing;
}

std::vector<std::string> normalised_loops(const std::vector<Instruction>& function) {
  std::vector<Instruction> code;
  std::ranges::copy_if(function, std::back_inserter(code), [](const Instruction& instruction) {
    return !is_padding(instruction.text);
  });
  std::vector<std::string> lines;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i].target != 0 && code[i].target <= code[i].address) {
      const auto first = std::ranges::lower_bound(code, code[i].target, {}, &Instruction::address);
      const auto loop = normalised({first, code.begin() + static_cast<long>(i) + 1});
      lines.push_back("loop");
      lines.insert(lines.end(), loop.begin(), loop.end());
    }
  }
  return lines;
}

}  // namespace presort::test
