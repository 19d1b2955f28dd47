// A kind of attack input: the valid inputs (seeds) to start from, how to change them, and what reads
// them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "draw.h"

namespace presort::inline v0::attack {

struct Seed {
  std::string name;  // name of the file of a seed (a valid input)
  std::string content;
};

// State of one attack case, while its input is read.
struct Case {
  std::span<const Seed> seeds;  // valid inputs of the case's kind; empty if the kind needs none
  std::string folder;           // folder of the valid inputs; new inputs get names in it
  std::string scratch;          // folder that the case may write to
  std::string name;             // name that a refusal must contain; "": no name
  std::string input;            // the changed input, set before it is read, for --keep
};

struct InputKind {
  std::string_view name;
  std::string_view seeds;  // folder of the kind's valid inputs; "": the kind needs none
  // Makes a changed input and reads it. A refusal is an Error of core/error.h, which names the file or
  // the key; nothing else may be thrown.
  void (*run)(Draw& draw, Case& input);
};

std::span<const InputKind> input_kinds();

// Functions that make and read an input of each kind, for the table in input_kinds.cpp.
void run_machine(Draw& draw, Case& input);
void run_core_costs(Draw& draw, Case& input);
void run_problems(Draw& draw, Case& input);
void run_tuned(Draw& draw, Case& input);
void run_plan_grid(Draw& draw, Case& input);
void run_results(Draw& draw, Case& input);
void run_loops(Draw& draw, Case& input);
void run_matrix(Draw& draw, Case& input);
void run_labels(Draw& draw, Case& input);
void run_trace(Draw& draw, Case& input);
void run_numbers(Draw& draw, Case& input);
void run_plans(Draw& draw, Case& input);
void run_settings(Draw& draw, Case& input);
void run_options(Draw& draw, Case& input);
void run_sizes(Draw& draw, Case& input);
void run_calls(Draw& draw, Case& input);

}  // namespace presort::attack
