// Feeds mutated inputs of one kind to the library's readers, a hundred thousand in a minute.
// usage: attack_inputs KIND SEED COUNT SEEDS [--first N] [--seconds S] [--show]
//   KIND    one of the table in input_kinds.cpp, or --list
//   SEEDS   a folder with a folder of valid inputs for each kind, as corpus.py makes it
//   --show  prints the input of the case --first and reads it in this very process: for a debugger
// Prints a line for each cause of findings, "FOUND COUNT FIRST_CASE VERDICT: CAUSE <tab> DETAIL",
// then "DONE cases refused". A case depends on KIND, SEED, its number and the seeds alone.
// Exit status: 0 nothing found, 1 findings, 2 bad usage.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "fuzz/checks.h"
#include "input_kind.h"
#include "message_check.h"
#include "presort/core/error.h"
#include "supervisor.h"

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

namespace presort::inline v0::attack {
namespace {

namespace fs = std::filesystem;

struct Options {
  const InputKind* kind = nullptr;
  uint64_t seed = 0;
  uint64_t count = 0;
  std::string seeds;
  uint64_t first = 0;
  double seconds = 1e9;
  bool show = false;
};

[[noreturn]] void fail_usage(const std::string& why) {
  std::fprintf(stderr,
               "attack_inputs: %s\nusage: attack_inputs KIND SEED COUNT SEEDS "
               "[--first N] [--seconds S] [--show]\n",
               why.c_str());
  std::exit(2);
}

const InputKind& find_kind(const std::string& name) {
  for (const InputKind& kind : input_kinds()) {
    if (kind.name == name) {
      return kind;
    }
  }
  fail_usage("no such kind: " + name);
}

Options read_options(const std::vector<std::string>& words) {
  if (words.size() < 4) {
    fail_usage("too few words");
  }
  Options options{.kind = &find_kind(words[0]),
                  .seed = std::strtoull(words[1].c_str(), nullptr, 10),
                  .count = std::strtoull(words[2].c_str(), nullptr, 10),
                  .seeds = words[3]};
  for (size_t i = 4; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size();
    if (words[i] == "--show") {
      options.show = true;
    } else if (words[i] == "--first" && has_value) {
      options.first = std::strtoull(words[++i].c_str(), nullptr, 10);
    } else if (words[i] == "--seconds" && has_value) {
      options.seconds = std::strtod(words[++i].c_str(), nullptr);
    } else {
      fail_usage("unknown word: " + words[i]);
    }
  }
  return options;
}

// The seed files of a kind of input, by name. Files of core costs are copied beside the machine files
// that name them.
std::vector<Seed> read_seeds(const fs::path& folder, const InputKind& kind) {
  std::vector<Seed> seeds;
  if (kind.seeds.empty()) {
    return seeds;
  }
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename();
    if (kind.seeds == "machine" && name.ends_with(".costs.yaml")) {
      continue;
    }
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.push_back({name, {std::istreambuf_iterator<char>(file), {}}});
  }
  std::sort(seeds.begin(), seeds.end(),
            [](const Seed& a, const Seed& b) { return a.name < b.name; });
  if (seeds.empty()) {
    fail_usage("no seeds in " + folder.string());
  }
  return seeds;
}

// Runs one case; returns its outcome in the format of supervisor.h.
std::string run_case(const InputKind& kind, uint64_t seed, uint64_t number, Case& input) {
  Draw draw(kind.name, seed, number);
  input.input.clear();
  input.name.clear();
  try {
    kind.run(draw, input);
    return "";
  } catch (const Error& error) {  // the reader refused the input
    const std::string wrong = wrong_with(error.what(), input.name);
    return wrong.empty() ? "refused" : wrong + "\t" + std::string(error.what()).substr(0, 300);
  } catch (const fuzz::BrokenPromise& broken) {
    return std::string("nonsense: ") + broken.what();
  } catch (const std::bad_alloc&) {
    return "memory: an allocation without a limit";
  } catch (const std::exception& error) {
    return std::string("cryptic: an exception of a library: ") + error.what();
  }
}

// A text in printable ASCII; other bytes are escaped.
std::string shown(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool plain = c >= ' ' && c <= '~';
    char escape[8] = {c};
    if (!plain) {
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(c));
    }
    result += escape;
  }
  return result;
}

int report(const Findings& findings) {
  for (const auto& [cause, found] : findings.causes) {
    std::printf("FOUND %llu %llu %s\t%s\n", static_cast<unsigned long long>(found.count),
                static_cast<unsigned long long>(found.first), shown(cause).c_str(),
                shown(found.detail).c_str());
  }
  std::printf("DONE %llu %llu\n", static_cast<unsigned long long>(findings.cases),
              static_cast<unsigned long long>(findings.refused));
  return findings.causes.empty() ? 0 : 1;
}

int run(const Options& options) {
  const fs::path folder = fs::path(options.seeds) / options.kind->seeds;
  const std::vector<Seed> seeds = read_seeds(folder, *options.kind);
  std::string scratch = (fs::temp_directory_path() / "attack-inputs-XXXXXX").string();
  if (mkdtemp(scratch.data()) == nullptr) {
    fail_usage("no folder in " + scratch);
  }
  Case input{.seeds = seeds, .folder = folder, .scratch = scratch, .name = "", .input = ""};
  const RunCase run_number = [&](uint64_t number) {
    return run_case(*options.kind, options.seed, number, input);
  };
  int status = 0;
  if (options.show) {
    const std::string line = run_number(options.first);
    std::printf("%s\n%s\n", input.input.c_str(), line.c_str());
  } else {
    Limits limits;
    if (kSanitized) {  // address space is not limited: sanitizers shadow all memory
      limits.address_bytes = 0;
      limits.case_seconds *= 4;
    }
    status = report(run_cases(options.first, options.count, options.seconds, limits, run_number));
  }
  fs::remove_all(scratch);
  return status;
}

}  // namespace
}  // namespace presort::attack

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "--list") {
    for (const presort::attack::InputKind& kind : presort::attack::input_kinds()) {
      std::printf("%s\n", std::string(kind.name).c_str());
    }
    return 0;
  }
  return presort::attack::run(presort::attack::read_options(words));
}
