// The `presort` command: finds the subcommand, parses its options, maps errors to exit codes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "presort/app/build_facts.h"
#include "presort/app/campaign/ranks.h"
#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/subcommands.h"
#include "presort/app/completion/candidates.h"
#include "presort/app/completion/scripts.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/standard_streams.h"
#include "presort/app/reference/man_pages.h"
#include "presort/core/error.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {
namespace {

using Words = std::vector<std::string>;

bool is_one_of(const std::string& word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void refuse_more_than(size_t most, const Words& words) {
  if (words.size() > most) {
    throw InputError(fmt::format("'{}' is one word too many; see presort help", words[most]));
  }
}

// Runs `presort help`, `presort help SUBCOMMAND`, `presort help machine-keys`, `presort help --man
// tune`
int print_help(const Words& words) {
  const bool man = words.size() > 1 && words[1] == "--man";
  refuse_more_than(man ? 3 : 2, words);
  if (man) {
    print_exact(words.size() == 2 ? man_page() : man_page_of(words[2]));
  } else {
    print_text(words.size() == 1 ? overview() : help_on(words[1]));
  }
  return kDone;
}

int print_version(const Words& words) {
  refuse_more_than(1, words);
  print_out("presort {}\n{}", io::current_provenance().tool_version, build_facts());
  return kDone;
}

// Runs `presort completion bash`, and `presort completion words WORD…`, which the scripts call.
int print_completion(const Words& words) {
  if (words.size() > 1 && words[1] == "words") {
    print_exact(completion_lines(complete({words.begin() + 2, words.end()})));
    return kDone;
  }
  refuse_more_than(2, words);
  print_exact(completion_script(words.size() == 1 ? "" : words[1]));
  return kDone;
}

int dispatch(const Words& words) {
  if (words.empty()) {
    write_to_stderr(overview());
    return kBadInput;
  }
  if (is_one_of(words[0], {"help", "-h", "--help"})) {
    return print_help(words);
  }
  if (is_one_of(words[0], {"version", "-V", "--version"})) {
    return print_version(words);
  }
  if (words[0] == "completion") {
    return print_completion(words);
  }
  const Subcommand& subcommand = find_subcommand(words[0]);
  const CommandLine line = subcommand.line();
  const Arguments arguments = Arguments::parse(line, {words.begin() + 1, words.end()});
  if (arguments.help()) {
    print_text(help_text(line, output_columns()));
    return kDone;
  }
  return subcommand.run(arguments);
}

// Most bytes of a printed message: a value found in a file may be as long as the file.
constexpr size_t kLongestMessage = 4000;

int report(const std::exception& error, int code) {
  flush_output();
  complain("{}", shortened(error.what(), kLongestMessage));
  return code;
}

int run_command(const Words& words) {
  try {
    const int code = dispatch(words);
    require_output();
    return code;
  } catch (const Stopped& error) {
    return report(error, kInterrupted);
  } catch (const InputError& error) {
    return report(error, kBadInput);
  } catch (const EnvironmentError& error) {
    return report(error, kBadEnvironment);
  } catch (const LabelError& error) {
    return report(error, kCheckFailed);
  } catch (const std::system_error& error) {  // such as a thread that the system refused to start
    return report(error, kBadEnvironment);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return report(error, kCheckFailed);
  }
}

// Prints a message without allocating, since there may be no memory.
int report_no_memory() noexcept {
  write_to_stderr("presort: not enough memory\n");
  return kBadEnvironment;
}

// The handler of std::terminate: memory may also run out where no exception can leave, as in the
// destructors of nlohmann's JSON, which allocate. Temporary files then stay as after a kill, for
// the next run to remove.
[[noreturn]] void end_without_memory() noexcept {
  try {
    if (const std::exception_ptr error = std::current_exception()) {
      std::rethrow_exception(error);
    }
  } catch (const std::bad_alloc&) {
    std::_Exit(report_no_memory());
  } catch (...) {  // NOLINT: aborts below
  }
  std::abort();
}

}  // namespace
}  // namespace presort::app

int main(int argc, char** argv) {
  std::set_terminate(presort::app::end_without_memory);
  presort::app::reserve_standard_streams();
  presort::app::exit_on_interrupt();
  presort::app::campaign::program() = presort::app::campaign::linked_program();
  try {
    return presort::app::run_command({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    return presort::app::report_no_memory();
  }
}
