#include "presort/app/cli/output_form.h"

#include <utility>

#include "presort/app/printing/output.h"
#include "presort/core/error.h"

namespace presort::inline v0::app {

std::vector<Option> form_options(const std::string& lines) {
  return {flag("json", 0, "Print one JSON document instead of text (presort help json-fields)"),
          flag("csv", 0, "Print comma-separated values instead of text, one line " + lines),
          flag("markdown", 0, "Print a Markdown table instead of text, one line " + lines)};
}

OutputForm read_form(const Arguments& arguments) {
  constexpr std::pair<const char*, OutputForm> kForms[] = {
      {"json", OutputForm::json}, {"csv", OutputForm::csv}, {"markdown", OutputForm::markdown}};
  OutputForm form = OutputForm::text;
  std::string given;
  for (const auto& [name, value] : kForms) {
    if (arguments.has(name)) {
      if (!given.empty()) {
        throw InputError("--" + given + " and --" + name + " exclude each other");
      }
      given = name;
      form = value;
    }
  }
  return form;
}

bool is_of_records(OutputForm form) {
  return form == OutputForm::csv || form == OutputForm::markdown;
}

void print_records(OutputForm form, const Records& records) {
  print_exact(form == OutputForm::csv ? records.csv() : records.markdown());
}

}  // namespace presort::app
