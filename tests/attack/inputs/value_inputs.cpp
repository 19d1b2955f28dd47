// Attacks the command line with mutated values: numbers, plans, distributions, types, settings, options.
#include <cmath>
#include <optional>

#include "fuzz/checks.h"
#include "input_kind.h"
#include "mutate.h"
#include "nasty.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/machine_override.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/core/text/units.h"
#include "presort/io/machine/machine_file.h"

namespace presort::inline v0::attack {
namespace {

constexpr std::string_view kKey = "--some-key";

// A random word: a number, a number with a unit, or either with some bytes changed.
std::string word(Draw& draw) {
  std::string text = new_value(draw, "2^26 64KiB 2.5GHz 30% 100GB/s zipf:1.25 u32+f64 4cy", "1ns");
  return draw.chance(15) ? change_bytes(draw, std::move(text)) : text;
}

void require_number(double value) {
  fuzz::require(std::isfinite(value), "a number that is not finite");
}

std::string plan_text(Draw& draw) {
  constexpr std::string_view kKeys[] = {
      "sortBits", "passes",      "bufferBytes", "layout",           "streaming",
      "strategy", "rangePasses", "nSets",       "prefetchDistance", "inputDistance",
      "threads",  "pageSize",    "isa",         "chunkBytes",       "x",
      ""};
  constexpr std::string_view kValues[] = {
      "0",          "1",          "2",     "4",    "8",       "12",       "64",     "4096",
      "64B",        "256B",       "16KiB", "1MiB", "pairs",   "separate", "direct", "privateTables",
      "plainRadix", "sharedSets", "4KiB",  "2MiB", "generic", "avx2",     "avx512", "true",
      "false"};
  std::string text;
  for (size_t field = 0, fields = 1 + draw.below(5); field < fields; ++field) {
    text += field > 0 ? "," : "";
    text += draw.of(kKeys);
    text += draw.chance(95) ? "=" : "";
    text += draw.chance(80) ? std::string(draw.of(kValues)) : word(draw);
  }
  return draw.chance(10) ? change_bytes(draw, std::move(text)) : text;
}

uint64_t any_size(Draw& draw) {
  return draw.chance(50) ? 1 + draw.below(1 << 20) : draw.bits() >> draw.below(64);
}

std::vector<app::CommandLine> all_lines() {
  return {app::probe_line(), app::calibrate_line(), app::selfcheck_line(), app::simulate_line(),
          app::tune_line(),  app::run_line(),       app::validate_line(),  app::compare_line(),
          app::fit_line(),   app::machines_line()};
}

std::string option_word(Draw& draw, const app::CommandLine& line) {
  const app::Option& option = draw.of(line.options);
  switch (draw.below(5)) {
    case 0:
      return "--" + option.name;
    case 1:
      return option.letter != 0 ? std::string("-") + option.letter : "--" + option.name;
    case 2:
      return "--" + option.name + "=" + word(draw);
    case 3:
      return change_bytes(draw, "--" + option.name);
    default:
      return word(draw);
  }
}

}  // namespace

void run_numbers(Draw& draw, Case& input) {
  input.input = word(draw);
  input.name = kKey;
  const std::string& text = input.input;
  switch (draw.below(9)) {
    case 0: {
      const uint64_t count = parse_count(kKey, text);
      fuzz::require(parse_count(kKey, format_count(count)) == count, "a count reads otherwise");
      break;
    }
    case 1: {
      const uint64_t bytes = parse_bytes(kKey, text);
      fuzz::require(parse_bytes(kKey, format_bytes(bytes)) == bytes, "bytes read otherwise");
      break;
    }
    case 2:
      require_number(parse_frequency_hz(kKey, text));
      break;
    case 3:
      require_number(parse_bytes_per_second(kKey, text));
      break;
    case 4:
      require_number(parse_per_second(kKey, text));
      break;
    case 5:
      require_number(parse_ratio(kKey, text));
      break;
    case 6:
      require_number(
          parse_duration(kKey, text, draw.chance(50) ? Sign::any : Sign::nonNegative).value);
      break;
    case 7: {
      const Distribution read = parse_distribution(kKey, text);
      fuzz::require(parse_distribution(kKey, to_string(read)) == read, "labels read otherwise");
      break;
    }
    default:
      parse_types(kKey, text);
      break;
  }
}

void run_plans(Draw& draw, Case& input) {
  input.input = plan_text(draw);
  const CpuPlan plan = parse_cpu_plan(input.input);
  fuzz::require(parse_cpu_plan(to_string(plan)) == plan, "a plan reads otherwise");
  Problem problem;
  problem.operation = draw.of(kOperations).value;
  problem.n = any_size(draw);
  problem.m = any_size(draw);
  check_problem(problem);
  check_plan(plan, problem);
}

void run_settings(Draw& draw, Case& input) {
  const Seed& seed = draw.of(input.seeds);
  Machine machine = io::parse_machine(seed.content, input.folder + "/" + seed.name);
  const std::vector<std::string> keys = app::settable_keys(machine);
  std::string key = draw.of(keys);
  key = draw.chance(10) ? change_bytes(draw, std::move(key)) : key;
  input.input = key + (draw.chance(95) ? "=" : "") + word(draw);
  app::set_machine_value(machine, input.input);
  fuzz::read_machine(io::machine_to_text(machine), input.folder + "/" + seed.name);
}

void run_options(Draw& draw, Case& input) {
  const app::CommandLine line = draw.of(all_lines());
  std::vector<std::string> words;
  for (size_t i = draw.below(8); i > 0; --i) {
    words.push_back(option_word(draw, line));
    input.input += words.back() + "\n";
  }
  const app::Arguments arguments = app::Arguments::parse(line, words);
  for (const app::Option& option : line.options) {
    arguments.optional(option.name);
    arguments.all(option.name);
  }
}

}  // namespace presort::attack
