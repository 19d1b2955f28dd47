// The form in which a subcommand prints its results.
#pragma once

#include <string>
#include <vector>

#include "presort/app/cli/options.h"
#include "presort/app/printing/records.h"

namespace presort::inline v0::app {

enum class OutputForm { text, json, csv, markdown };

// Rows of the option table: --json, --csv and --markdown. lines: what has a line each, "a problem"
std::vector<Option> form_options(const std::string& lines);

// The form that is asked for. Errors: InputError when two are asked for
OutputForm read_form(const Arguments& arguments);

// True for the forms of records, CSV and Markdown.
bool is_of_records(OutputForm form);

// Prints records. Requires: is_of_records(form)
void print_records(OutputForm form, const Records& records);

}  // namespace presort::app
