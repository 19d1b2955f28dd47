#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/doctor/findings.h"
#include "presort/app/doctor/host_state.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/printing/output.h"
#include "presort/io/json/result_json.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {
namespace {

io::Json findings_json(const std::vector<Finding>& findings) {
  io::Json list = io::Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"subject", finding.subject},
                    {"verdict", to_name(kVerdicts, finding.verdict)},
                    {"found", finding.found},
                    {"effect", finding.effect},
                    {"remedy", finding.remedy}});
  }
  return list;
}

}  // namespace

CommandLine doctor_line() {
  return {"doctor",
          "says what is here, what limits predictions and times, and what to do about it",
          {{"machine", 'm', "FILE",
            "Say also whether this machine file is of this machine, and how good its probe was"},
           flag("json", 0, "Print one JSON document instead of text (presort help json-fields)")},
          {"presort doctor", "presort doctor -m out/machine.yaml --json"}};
}

int run_doctor(const Arguments& arguments) {
  const HostState host = look_at_host(arguments.optional("machine"));
  const std::vector<Finding> findings = findings_of(host);
  if (arguments.has("json")) {
    print_json("doctor/1", {{"findings", findings_json(findings)},
                            {"machine_load", load_json(host.load)},
                            {"provenance", io::provenance_to_json(io::current_provenance())}});
  } else {
    print_lines(findings_lines(findings));
  }
  return kDone;
}

}  // namespace presort::app
