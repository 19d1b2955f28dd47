// A subcommand: its options and what it does. subcommands.cpp has the table of all of them.
#pragma once

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// Each subcommand has a file in app/commands/. It prints its result to stdout, everything else to
// stderr, and returns an ExitCode; it throws errors (core/error.h), which main maps to exit codes.
CommandLine probe_line();
int run_probe(const Arguments& arguments);
CommandLine calibrate_line();
int run_calibrate(const Arguments& arguments);
CommandLine selfcheck_line();
int run_selfcheck(const Arguments& arguments);
CommandLine simulate_line();
int run_simulate(const Arguments& arguments);
CommandLine tune_line();
int run_tune(const Arguments& arguments);
CommandLine run_line();
int run_run(const Arguments& arguments);
CommandLine validate_line();
int run_validate(const Arguments& arguments);
CommandLine report_line();
int run_report(const Arguments& arguments);
CommandLine compare_line();
int run_compare(const Arguments& arguments);
CommandLine campaign_line();
int run_campaign(const Arguments& arguments);
CommandLine fit_line();
int run_fit(const Arguments& arguments);
CommandLine machines_line();
int run_machines(const Arguments& arguments);
CommandLine doctor_line();
int run_doctor(const Arguments& arguments);

}  // namespace presort::app
