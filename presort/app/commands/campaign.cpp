#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "presort/app/campaign/campaign_files.h"
#include "presort/app/campaign/csv.h"
#include "presort/app/campaign/parquet/parquet.h"
#include "presort/app/campaign/ranks.h"
#include "presort/app/campaign/report/campaign_page.h"
#include "presort/app/campaign/report/crossover_grid.h"
#include "presort/app/campaign/row_cells.h"
#include "presort/app/campaign/run_campaign.h"
#include "presort/app/campaign/store/store.h"
#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/core/text/units.h"
#include "presort/io/files/atomic_file.h"
#include "presort/io/json/result_json.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {
namespace {

using campaign::Opened;
using campaign::Shard;

enum class Action { run, status, merge, exportCsv, report };
constexpr Named<Action> kActions[] = {
    {"run", Action::run},          {"status", Action::status}, {"merge", Action::merge},
    {"export", Action::exportCsv}, {"report", Action::report},
};

struct Asked {
  Action action = Action::run;
  std::string path;
};

Asked read_words(const std::vector<std::string>& words) {
  if (words.size() == 1) {
    return {Action::run, words[0]};
  }
  if (words.size() != 2) {
    throw InputError(
        "campaign needs one FILE, or one of run, status, merge, export, report before it; see "
        "presort campaign -h");
  }
  return {from_name(kActions, "campaign", words[0]), words[1]};
}

uint64_t number_from_1(const std::string& key, const std::string& text, uint64_t most) {
  const uint64_t number = parse_count(key, text);
  if (number < 1 || number > most) {
    throw InputError(fmt::format("{}: found {}, accepted: 1 to {}", key, number, most));
  }
  return number;
}

Shard read_shard(const std::string& text) {
  constexpr uint64_t kMostShards = 1'000'000;
  const size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw InputError(
        fmt::format("--shard: found {}, accepted: i/N, such as 1/16", quoted_text(text)));
  }
  const uint64_t count = number_from_1("--shard", text.substr(slash + 1), kMostShards);
  return {number_from_1("--shard", text.substr(0, slash), count), count};
}

// 0: not given
size_t read_threads(const Arguments& arguments) {
  constexpr uint64_t kMostThreads = 4096;
  const auto text = arguments.optional("threads");
  return text ? number_from_1("--threads", *text, kMostThreads) : 0;
}

double read_silence(const std::string& text) {
  const Duration duration = parse_duration("--silence", text);
  const double seconds = duration.value * 1e-9;
  if (duration.in_cycles || !(seconds >= 5 && seconds <= 86400)) {
    throw InputError(fmt::format("--silence: found {}, accepted: 5s to 86400s", quoted_text(text)));
  }
  return seconds;
}

void merge(const Opened& opened, bool quietly) {
  const auto rows = campaign::finished_rows(opened);
  const std::string path = campaign::store_path(opened.path);
  campaign::write_store(path, opened, rows);
  if (!quietly) {
    print_out("{}: {} of {} points\n", displayable_line(path), rows.size(), opened.points.size());
  }
}

void print_result(const std::string& path, const campaign::RunResult& result, bool as_json) {
  const uint64_t computed = result.done - result.found;
  const double rate = static_cast<double>(computed) / std::max(result.seconds, 1e-9);
  if (as_json) {
    print_json("campaign_run/1",
               {{"file", path},
                {"points", result.points},
                {"done", result.done},
                {"found", result.found},
                {"computed", computed},
                {"seconds", result.seconds},
                {"points_per_second", rate},
                {"complete", result.complete},
                {"provenance", io::provenance_to_json(io::current_provenance())}});
    return;
  }
  print_out(
      "{} of {} points, {} of them found in journals; {} computed in {:.1f} s, {:.0f} a second\n",
      result.done, result.points, result.found, computed, result.seconds, rate);
}

// A disagreement that keeps its ranks until the message is printed. MPI ends all ranks as soon as one
// of them has ended with an error, and the others wait for rank 0 to end.
struct HeldDisagreement : campaign::Disagreement {
  HeldDisagreement(const campaign::Disagreement& from, std::shared_ptr<campaign::Ranks> of)
      : Disagreement(from), ranks(std::move(of)) {}
  std::shared_ptr<campaign::Ranks> ranks;
};

int run(const std::string& path, const Arguments& arguments) {
  const Shard shard = read_shard(arguments.text("shard"));
  const double silence = read_silence(arguments.text("silence"));
  const std::shared_ptr<campaign::Ranks> ranks = campaign::make_ranks();
  const bool first = ranks->rank() == 0;
  defer_interrupt();
  campaign::RunResult result;
  try {
    result = campaign::run_campaign(
        path,
        {.threads = read_threads(arguments),
         .shard = shard,
         .silence_seconds = silence,
         .verbosity = first ? verbosity(arguments.has("quiet")) : Verbosity::quiet},
        *ranks);
  } catch (const campaign::Disagreement& error) {
    if (first) {
      throw HeldDisagreement(error, ranks);
    }
    return kBadInput;
  }
  if (!first) {
    return interrupted() ? kInterrupted : kDone;
  }
  const bool as_json = arguments.has("json");
  print_result(path, result, as_json);
  if (!result.complete) {
    note("the same command goes on where the journals end");
    return interrupted() ? kInterrupted : kBadEnvironment;
  }
  // The store of a shard would lack the points of the others.
  if (shard.count == 1 && !arguments.has("no-store")) {
    if (!campaign::has_store()) {
      note("built without SQLite: no store; presort campaign export {} writes CSV", path);
    } else {
      merge(campaign::open_campaign(path), as_json);
    }
  }
  return kDone;
}

int status(const Opened& opened, bool as_json) {
  std::vector<uint64_t> points;
  io::Json journals = io::Json::array();
  for (const std::string& path : io::journal_paths(campaign::journal_folder(opened.path))) {
    uint64_t rows = 0;
    const io::JournalEnd end = io::read_journal(path, opened.identity, [&](io::CampaignRow&& row) {
      points.push_back(row.point);
      ++rows;
    });
    journals.push_back({{"file", path}, {"rows", rows}, {"cut", end.is_cut}});
    if (!as_json) {
      print_out("{}: {} rows{}\n", displayable_line(path), rows,
                end.is_cut ? ", and a block that is not whole" : "");
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (as_json) {
    print_json("campaign_status/1",
               {{"file", opened.path},
                {"points", opened.points.size()},
                {"done", points.size()},
                {"journals", std::move(journals)},
                {"provenance", io::provenance_to_json(io::current_provenance())}});
  } else {
    print_out("{} of {} points\n", points.size(), opened.points.size());
  }
  return kDone;
}

int export_rows(const Opened& opened, const Arguments& arguments) {
  const auto rows = campaign::finished_rows(opened);
  if (const auto output = arguments.optional("output")) {
    io::AtomicFile file(*output);
    const auto take = [&](std::string_view part) { file.write(part); };
    if (output->ends_with(".parquet")) {
      campaign::write_parquet(*output, opened.points, rows, take);
    } else {
      campaign::write_csv(opened.points, rows, take);
    }
    file.commit();
    print_out("wrote {}: {} of {} points\n", displayable_line(*output), rows.size(),
              opened.points.size());
  } else {
    campaign::write_csv(opened.points, rows, print_text);
  }
  return kDone;
}

// The first axis of several values that is neither m nor plan nor `other`; without one, that of m.
size_t axis_of_several(const campaign::Points& points, std::optional<size_t> other) {
  for (size_t i = 0; i < points.axes().size(); ++i) {
    const campaign::Axis& axis = points.axes()[i];
    if (axis.values.size() > 1 && axis.name != "m" && axis.name != "plan" && i != other) {
      return i;
    }
  }
  return campaign::axis_of(points, "m", "m");
}

// The axis that --columns or --rows names; `other` is the axis of --columns, already read.
size_t read_axis(const Arguments& arguments, const std::string& option,
                 const campaign::Points& points, std::optional<size_t> other) {
  const auto name = arguments.optional(option);
  if (!name) {
    return axis_of_several(points, other);
  }
  const std::string key = arguments.shown(option);
  const size_t axis = campaign::axis_of(points, key, *name);
  if (*name == "plan" || axis == other) {
    throw InputError(fmt::format("{}: found {}, accepted: {}", key, quoted_text(*name),
                                 *name == "plan" ? "an axis but plan, of which each cell shows "
                                                   "the best"
                                                 : "another axis than that of --columns"));
  }
  return axis;
}

campaign::PageAxes read_page_axes(const Arguments& arguments, const campaign::Points& points) {
  campaign::PageAxes axes;
  axes.x = read_axis(arguments, "columns", points, std::nullopt);
  axes.y = read_axis(arguments, "rows", points, axes.x);
  axes.at.resize(points.axes().size());
  for (const std::string& text : arguments.all("at")) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) {
      throw InputError(fmt::format("--at: found {}, accepted: AXIS=VALUE", quoted_text(text)));
    }
    const size_t axis = campaign::axis_of(points, "--at", text.substr(0, equals));
    const std::vector<std::string>& values = points.axes()[axis].values;
    const auto found = std::find(values.begin(), values.end(), text.substr(equals + 1));
    if (found == values.end()) {
      throw InputError(
          unknown_name_message("--at " + text.substr(0, equals), text.substr(equals + 1), values));
    }
    axes.at[axis] = static_cast<size_t>(found - values.begin());
  }
  return axes;
}

int report(const Opened& opened, const Arguments& arguments) {
  const campaign::PageAxes axes = read_page_axes(arguments, opened.points);
  const auto rows = campaign::finished_rows(opened);
  const campaign::Results results(opened.points, rows);
  if (const auto output = arguments.optional("output")) {
    io::write_atomically(*output, campaign::campaign_page(opened.path, results, axes));
  }
  print_out("{} of {} points\n{}{}", rows.size(), opened.points.size(),
            campaign::campaign_summary(results, axes), campaign::runs_summary(rows));
  if (const auto output = arguments.optional("output")) {
    print_out("wrote {}\n", displayable_line(*output));
  }
  return kDone;
}

constexpr char kShardExample[] =
    "presort campaign sweep.yaml --shard $SLURM_ARRAY_TASK_ID/64 && "
    "presort campaign merge sweep.yaml";
constexpr char kReportExample[] =
    R"(presort campaign report sweep.yaml --columns memory.latency \
      --rows cpu.caches.L2.size -o sweep.html)";

}  // namespace

CommandLine campaign_line() {
  return {
      "campaign",
      "runs a large set of points (machines, their variants, problems, plans) on all cores, or on "
      "many machines; goes on where an earlier start ended",
      {
          {"threads", 0, "COUNT",
           "Threads that compute points. Without it: as many as cores; under mpirun one for each "
           "rank; one with mode: validate, which times runs"},
          {"shard", 0, "I/N",
           "Compute only part I of N, for processes that know nothing of each other: array jobs of "
           "Slurm, tasks of HyperQueue. merge joins the parts",
           "1/1"},
          {"silence", 0, "TIME",
           "Under mpirun: a rank that says nothing for so long is taken for dead, and others get "
           "its points",
           "60s"},
          flag("no-store", 0, "Write no SQLite store at the end; merge writes it later"),
          {"output", 'o', "FILE",
           "File that export (CSV; Parquet if it ends in .parquet) or report (HTML) writes, "
           "instead "
           "of standard output or of no page"},
          {"columns", 0, "AXIS",
           "Of report: axis of columns, such as memory.latency, machine, op, dist, n. Without it: "
           "the first of several values"},
          {"rows", 0, "AXIS", "Of report: axis of rows. Without it: the second of several values"},
          {"at", 0, "AXIS=VALUE",
           "Of report: value of an axis that the maps do not show. Without it: its first value", "",
           Arity::repeated},
          flag("json", 0,
               "Of run and status: print one JSON document instead of text (presort help "
               "json-fields)"),
          flag("quiet", 'q', "Do not show progress on standard error"),
      },
      {"presort campaign sweep.yaml", "presort campaign status sweep.yaml",
       "presort campaign export sweep.yaml -o sweep.csv", kReportExample,
       "srun presort-mpi campaign sweep.yaml", kShardExample},
      {.name = "word",
       .placeholder = "[ACTION] FILE",
       .help =
           "Campaign file (presort help campaign-keys), and before it what to do: run (without "
           "a word), status, merge (journals into the SQLite store), export (CSV), report (maps of "
           "crossovers; of runs, the errors of predictions)",
       .arity = Arity::repeated}};
}

int run_campaign(const Arguments& arguments) {
  const Asked asked = read_words(arguments.all("word"));
  const bool as_json = arguments.has("json");
  if (as_json && asked.action != Action::run && asked.action != Action::status) {
    throw InputError("--json has no meaning with campaign " +
                     std::string(to_name(kActions, asked.action)) + "; accepted: run, status");
  }
  if (asked.action == Action::run) {
    return run(asked.path, arguments);
  }
  const Opened opened = campaign::open_campaign(asked.path);
  switch (asked.action) {
    case Action::status:
      return status(opened, as_json);
    case Action::merge:
      merge(opened, false);
      return kDone;
    case Action::report:
      return report(opened, arguments);
    default:
      return export_rows(opened, arguments);
  }
}

}  // namespace presort::app
