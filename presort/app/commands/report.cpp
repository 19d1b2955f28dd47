#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/page/from/from_lines.h"
#include "presort/app/page/headline.h"
#include "presort/app/page/page.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/io/files/atomic_file.h"

namespace presort::inline v0::app {

namespace {

// The file of result lines that a path names: the path itself, or the result.jsonl of a folder.
// Errors: InputError for a folder without one
std::string result_file(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path folder(path);
  if (!std::filesystem::is_directory(folder, ignored)) {
    return path;
  }
  for (const char* name : {"result.jsonl", "result.jsonl.gz"}) {
    if (std::filesystem::exists(folder / name, ignored)) {
      return (folder / name).string();
    }
  }
  throw InputError(path +
                   ": found a folder without result.jsonl, accepted: a folder that presort "
                   "validate wrote, or a file of results");
}

std::vector<page::LineFile> read_files(const std::vector<std::string>& paths) {
  if (paths.empty()) {
    throw InputError(
        "PATH is missing: name a folder that presort validate wrote, or a file of "
        "results; see presort report -h");
  }
  std::vector<page::LineFile> files;
  for (const std::string& path : paths) {
    const std::string file = result_file(path);
    files.push_back({file, io::read_report_lines(file)});
  }
  return files;
}

// The machine of GPU results.
// Errors: InputError for a machine without a GPU
std::optional<Machine> read_gpu_machine(const Arguments& arguments) {
  const auto name = arguments.optional("machine");
  if (!name) {
    return std::nullopt;
  }
  Machine machine = load_machine(*name);
  if (!machine.gpu) {
    throw InputError("--machine: found " + quoted_text(machine.name) +
                     ", which has no GPU, accepted: a machine file with the key gpu, for results "
                     "of a GPU");
  }
  return machine;
}

}  // namespace

CommandLine report_line() {
  return {
      "report",
      "writes one page (HTML) of results: of one machine, or of several side by side",
      {
          {"output", 'o', "FILE", "File to write the page to", "report.html"},
          {"machine", 'm', "FILE",
           "Machine file, or bundled machine, of results of a GPU: their lines do not say where "
           "they were timed"},
      },
      {"presort report out -o report.html",
       "presort report laptop/result.jsonl server/result.jsonl.gz -o both.html"},
      {.name = "path",
       .placeholder = "PATH",
       .help = "Folders that presort validate wrote, or files of results: result.jsonl, or "
               "lines of a GPU's timed plans. They may be compressed: .gz",
       .arity = Arity::repeated}};
}

int run_report(const Arguments& arguments) {
  const std::string output = arguments.text("output");
  require_writable(output);
  const std::optional<Machine> gpu = read_gpu_machine(arguments);
  const std::vector<page::Subject> subjects =
      page::subjects_of(read_files(arguments.all("path")), gpu);
  io::write_atomically(output, page::page_html(subjects));
  for (const page::Subject& subject : subjects) {
    const std::vector<page::Group> groups = page::groups_of(subject);
    if (!groups.empty()) {
      print_out("{}\n", displayable_line(page::headline(subject, groups)));
    }
  }
  print_out("wrote {}\n", displayable_line(output));
  return kDone;
}

}  // namespace presort::app
