#include "presort/io/machine/host_fingerprint.h"

#include <sys/utsname.h>

#include <fstream>

#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::io {
namespace {

// The first word of the text in a file; "" if there is none.
std::string word_of(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

// A cache size as Linux announces it: "2048K" -> "2MiB"; "" for anything else.
std::string size_text(const std::string& announced) {
  if (announced.empty() || announced.back() != 'K') {
    return "";
  }
  try {
    return format_bytes(parse_bytes("size", announced + "iB"));
  } catch (const InputError&) {
    return "";
  }
}

void add(Fingerprint& print, const std::string& key, const std::string& value) {
  if (!value.empty() && value != "0") {
    print.hard.emplace_back(key, value);
  }
}

}  // namespace

void add_announced_caches(const std::string& folder, Fingerprint& print) {
  for (int index = 0;; ++index) {
    const std::string cache = folder + "/index" + std::to_string(index) + "/";
    const std::string level = word_of(cache + "level");
    if (level.empty()) {
      return;
    }
    if (word_of(cache + "type") == "Instruction") {
      continue;
    }
    const std::string name = level == "1" ? "L1d" : "L" + level;
    add(print, name + ".size", size_text(word_of(cache + "size")));
    add(print, name + ".ways", word_of(cache + "ways_of_associativity"));
    const std::string line = word_of(cache + "coherency_line_size");
    add(print, name + ".line", line.empty() ? "" : line + "B");
  }
}

Fingerprint host_fingerprint() {
  const Provenance provenance = current_provenance();
  utsname names{};
  Fingerprint print;
  if (uname(&names) == 0) {
    print.hard.emplace_back("isa", names.machine);
  }
  print.hard.emplace_back("kernels", provenance.tool_version);
  print.soft.emplace_back("compiler", provenance.compiler);
  print.soft.emplace_back("kernel", provenance.kernel);
  add_announced_caches("/sys/devices/system/cpu/cpu0/cache", print);
  return print;
}

std::vector<std::string> require_this_machine(const Tuned& tuned, const std::string& file) {
  FingerprintDifference difference = compare_fingerprints(tuned.fingerprint, host_fingerprint());
  if (!difference.hard.empty()) {
    throw InputError(other_machine_message(file, difference));
  }
  return std::move(difference.soft);
}

}  // namespace presort::io
