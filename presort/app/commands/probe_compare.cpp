#include "presort/app/commands/probe_compare.h"

#include <fmt/format.h>

#include <limits>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/core/error.h"
#include "presort/io/machine/machine_file.h"
#include "presort/probe/analysis/agreement.h"

namespace presort::inline v0::app {

namespace {

constexpr double kEnoughAgree = 0.9;

bool enough_agree(const probe::Agreement& agreement) {
  return agreement.part() >= kEnoughAgree;
}

std::string shown(const probe::FileValue& value) {
  const std::string number = fmt::format("{:.4g}{}", value.value, value.unit);
  return is_measured(value.quality)
             ? fmt::format("{} +- {}", number, format_percent(value.uncertainty))
             : number;
}

std::string verdict(const probe::ComparedValue& value) {
  if (value.too_uncertain) {
    return "too uncertain";
  }
  const char* agrees = value.agrees ? "yes" : "NO";
  return value.counts ? agrees : value.agrees ? "same, not measured" : "differs, not measured";
}

void print_agreement(const probe::Agreement& agreement) {
  TextTable table({"key", "first", "second", "agrees"});
  for (const probe::ComparedValue& value : agreement.values) {
    table.add({value.key, shown(value.first), shown(value.second), verdict(value)});
  }
  print_text(table.text());
  for (const std::string& key : agreement.only_in_one) {
    print_out("{}: only one of the two measured it\n", key);
  }
  print_out("\n{} of {} measured values agree within their uncertainties: {}{}\n",
            agreement.agreeing, agreement.counted, format_percent(agreement.part()),
            enough_agree(agreement) ? "" : fmt::format(", below {:.0f} %", 100 * kEnoughAgree));
  if (agreement.too_uncertain > 0) {
    print_out("of {} measured, {} too uncertain to compare: by more than 50 %\n",
              agreement.counted + agreement.too_uncertain, agreement.too_uncertain);
  }
}

Records agreement_records(const probe::Agreement& agreement) {
  Records records({"key", "unit", "first", "first_uncertainty", "second", "second_uncertainty",
                   "counts", "agrees"});
  for (const probe::ComparedValue& value : agreement.values) {
    records.begin();
    records.text(value.key);
    records.text(value.first.unit);
    for (const probe::FileValue& each : {value.first, value.second}) {
      records.number(each.value);
      records.number(is_measured(each.quality) ? each.uncertainty
                                               : std::numeric_limits<double>::infinity());
    }
    records.text(value.counts ? "yes" : "no");
    records.text(value.agrees ? "yes" : "no");
  }
  return records;
}

io::Json value_json(const probe::FileValue& value) {
  return {{"value", value.value},
          {"uncertainty", value.uncertainty},
          {"quality", to_name(probe::kQualities, value.quality)}};
}

io::Json agreement_json(const probe::Agreement& agreement) {
  io::Json values = io::Json::array();
  for (const probe::ComparedValue& value : agreement.values) {
    values.push_back({{"key", value.key},
                      {"unit", value.first.unit},
                      {"first", value_json(value.first)},
                      {"second", value_json(value.second)},
                      {"counts", value.counts},
                      {"too_uncertain", value.too_uncertain},
                      {"agrees", value.agrees}});
  }
  return {{"values", values},
          {"only_in_one", agreement.only_in_one},
          {"counted", agreement.counted},
          {"agreeing", agreement.agreeing},
          {"too_uncertain", agreement.too_uncertain},
          {"agreeing_part", agreement.part()},
          {"enough", enough_agree(agreement)}};
}

// Loads a machine whose provenance can be compared.
// Errors: InputError with the file, line and key of an entry that cannot be understood
Machine load_probed(const std::string& name) {
  Machine machine = load_machine(name);
  try {
    probe::file_values(machine);
  } catch (const probe::ProvenanceError& error) {
    throw InputError(io::place_in_machine(machine_path(name), error.key_path) + ": " +
                     error.what());
  }
  return machine;
}

}  // namespace

int run_probe_compare(const Arguments& arguments) {
  const OutputForm form = read_form(arguments);
  const std::vector<std::string> files = arguments.all("compare");
  if (files.size() != 2) {
    throw InputError(
        fmt::format("--compare: found {} file{}, accepted: two, as in --compare "
                    "monday.yaml --compare friday.yaml",
                    files.size(), files.size() == 1 ? "" : "s"));
  }
  for (const char* other : {"quick", "thorough", "output", "strict"}) {
    if (arguments.has(other)) {
      throw InputError(fmt::format("--compare and {} exclude each other", arguments.shown(other)));
    }
  }
  const probe::Agreement agreement =
      probe::compare_probes(load_probed(files[0]), load_probed(files[1]));
  if (is_of_records(form)) {
    print_records(form, agreement_records(agreement));
  } else if (form == OutputForm::json) {
    print_json("probe_compare/1", agreement_json(agreement));
  } else {
    print_agreement(agreement);
  }
  return enough_agree(agreement) ? kDone : kCheckFailed;
}

}  // namespace presort::app
