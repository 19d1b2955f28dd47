#include "presort/app/machines/completeness.h"

#include <algorithm>
#include <utility>

#include "presort/app/printing/notes.h"
#include "presort/core/error.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/tuned_file.h"

namespace presort::inline v0::app {

bool is_complete(const Machine& machine) {
  return std::find(machine.provenance.begin(), machine.provenance.end(),
                   std::pair<std::string, std::string>("complete", "false")) ==
         machine.provenance.end();
}

bool is_part_of_machine(const std::string& path) {
  try {
    return !is_complete(io::read_machine(path));
  } catch (const Error&) {
    return false;
  }
}

bool is_part_of_table(const std::string& path) {
  try {
    return !io::read_tuned(path).complete;
  } catch (const Error&) {
    return false;
  }
}

void warn_unless_complete(const std::string& path, const Machine& machine) {
  if (!is_complete(machine)) {
    warn(
        "{}: complete: false: its probe was interrupted; values that it had not measured are of "
        "the "
        "table of cores or guessed",
        path);
  }
}

Tuned load_tuned(const std::string& path) {
  Tuned tuned = io::read_tuned(path);
  if (!tuned.complete) {
    warn("{}: complete: false: its tuning was interrupted; problems are missing", path);
  }
  return tuned;
}

}  // namespace presort::app
