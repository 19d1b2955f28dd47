// A kind of input: the seeds that it begins with, how they are changed, what reads them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "draw.h"

namespace presort::inline v0::attack {

struct Seed {
  std::string name;  // name of the seed's file
  std::string content;
};

// One case, for as long as it is read.
struct Case {
  std::span<const Seed> seeds;  // seeds of the kind; empty if it needs none
  std::string folder;           // folder of the seeds; inputs are named as files in it
  std::string scratch;          // folder that the case may write in
  std::string name;             // name that a refusal must contain; "": none
  std::string input;            // the changed input, set before it is read: for --keep
};

struct InputKind {
  std::string_view name;
  std::string_view seeds;  // folder of the seeds; "": needs none
  // Makes an input and reads it. A refusal is an Error of core/error.h, which names the file or the
  // key; nothing else may be thrown.
  void (*run)(Draw& draw, Case& input);
};

std::span<const InputKind> input_kinds();

// The mutators of this folder, for the table in input_kinds.cpp.
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
