#include "presort/app/campaign/run_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "presort/app/campaign/campaign_files.h"
#include "presort/app/campaign/crew.h"
#include "presort/app/cli/interrupt.h"
#include "presort/core/error.h"
#include "presort/io/campaign/journal.h"

namespace presort::inline v0::app::campaign {
namespace {

using Clock = std::chrono::steady_clock;

// Blocks in hand beyond those that threads compute, so that no thread waits for a message.
constexpr size_t kBlocksAhead = 1;

std::string named_rank(const Ranks& ranks, const std::string& message) {
  return ranks.size() == 1 ? message : fmt::format("rank {}: {}", ranks.rank(), message);
}

void make_journal_folder(const std::string& path) {
  const std::string folder = journal_folder(path);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw InputError(folder + ": cannot be made: " + error.message());
  }
}

// The files that a rank has opened before any point is computed.
struct Prepared {
  std::optional<Opened> campaign;
  std::string failure;  // why the rank cannot begin; "": it can
};

Prepared prepare(const std::string& path, size_t threads) {
  Prepared prepared;
  try {
    prepared.campaign = open_campaign(path);
    if (threads > 1 && prepared.campaign->points.campaign().mode == io::CampaignMode::validate) {
      throw InputError(fmt::format(
          "--threads: found {}, accepted with mode: validate: 1, as runs disturb each other",
          threads));
    }
    make_journal_folder(path);
  } catch (const std::exception& error) {
    prepared.failure = error.what();
  }
  return prepared;
}

// Why this rank's campaign is not that of rank 0; "" if it is.
std::string difference_from_first(const Prepared& prepared, const std::string& path,
                                  const std::string& first) {
  if (!prepared.failure.empty()) {
    return prepared.failure;
  }
  const io::Identity theirs = io::parse_identity(first);
  const std::string difference = io::identity_difference(theirs, prepared.campaign->identity);
  return difference.empty() ? "" : path + ": " + difference + " on rank 0";
}

// Ends all ranks, with the message of the first one that differs, unless all have one campaign.
void agree(const Prepared& prepared, const std::string& path, Ranks& ranks) {
  const std::string first = ranks.from_first(
      prepared.campaign ? io::identity_text(prepared.campaign->identity) : std::string());
  const std::string mine = difference_from_first(prepared, path, first);
  const std::vector<std::string> all = ranks.to_first(mine);
  std::string verdict;
  for (size_t i = 0; i < all.size() && verdict.empty(); ++i) {
    verdict = all[i].empty() || ranks.size() == 1 ? all[i] : fmt::format("rank {}: {}", i, all[i]);
  }
  verdict = ranks.from_first(verdict);
  if (!verdict.empty()) {
    throw Disagreement(verdict);
  }
}

// Threads of a rank. Under MPI each rank has one unless more are asked for.
size_t threads_of(const Opened& campaign, const RunOptions& options, const Ranks& ranks) {
  if (options.threads > 0) {
    return options.threads;
  }
  const bool times_runs = campaign.points.campaign().mode == io::CampaignMode::validate;
  return times_runs || ranks.size() > 1 ? 1 : std::max(1U, std::thread::hardware_concurrency());
}

// The work of one rank, from its first block to the last.
class RankWork {
 public:
  RankWork(const Opened& campaign, const RunOptions& options, Ranks& ranks, BlockSource& source)
      : source_(source),
        journal_(journal_path(campaign.path, options.shard, ranks.rank()), campaign.identity),
        crew_(campaign.points, campaign.machines, threads_of(campaign, options, ranks)) {}

  // `after_step` is called every tenth of a second or more often.
  void run(const std::function<void()>& after_step) {
    while (!source_.finished() && !interrupted()) {
      const size_t wanted = crew_.threads() + kBlocksAhead;
      const size_t in_hand = crew_.blocks_in_hand();
      source_.want(wanted > in_hand ? wanted - in_hand : 0);
      source_.poll();
      while (const auto block = source_.take()) {
        crew_.give(*block);
      }
      keep(crew_.wait(source_.poll_milliseconds()));
      after_step();
    }
    keep(crew_.stop());
    source_.poll();
  }

 private:
  void keep(const std::vector<Piece>& pieces) {
    std::vector<io::CampaignRow> rows;
    for (const Piece& piece : pieces) {
      rows.insert(rows.end(), piece.rows.begin(), piece.rows.end());
    }
    journal_.append(rows);
    for (const Piece& piece : pieces) {
      if (piece.ended) {
        source_.done(*piece.ended, piece.seconds);
      }
    }
  }

  BlockSource& source_;
  io::JournalWriter journal_;
  Crew crew_;
};

// Runs the work of a rank. A rank that fails leaves first, so that nobody waits for it.
void work_on(const Opened& campaign, const RunOptions& options, Ranks& ranks, BlockSource& source,
             const std::function<void()>& after_step) {
  try {
    RankWork(campaign, options, ranks, source).run(after_step);
    if (interrupted()) {
      source.leave();
    }
    ranks.finish();
  } catch (const InputError& error) {
    source.leave();
    ranks.finish();
    throw InputError(named_rank(ranks, error.what()));
  } catch (...) {
    source.leave();
    ranks.finish();
    throw;
  }
}

double wall_seconds(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

RunResult run_campaign(const std::string& path, const RunOptions& options, Ranks& ranks) {
  const Clock::time_point start = Clock::now();
  const Prepared prepared = prepare(path, options.threads);
  agree(prepared, path, ranks);
  const Opened& campaign = *prepared.campaign;
  if (ranks.rank() != 0) {
    const auto source = ranks.join(options.silence_seconds);
    work_on(campaign, options, ranks, *source, [] {});
    return {};
  }
  std::optional<HandOut> hand_out;
  RunResult result;
  std::string failure;
  try {
    const auto all = missing_points(campaign.points.size(), {}, options.shard);
    for (const Range& range : all) {
      result.points += range.count;
    }
    hand_out.emplace(
        missing_points(campaign.points.size(), finished_points(campaign), options.shard),
        threads_of(campaign, options, ranks) * static_cast<size_t>(ranks.size()));
  } catch (const InputError& error) {
    failure = error.what();
    hand_out.emplace(std::vector<Range>{}, 1);
  }
  result.found = failure.empty() ? result.points - hand_out->total_points() : 0;
  const auto source = ranks.serve(*hand_out, options.silence_seconds);
  if (!failure.empty()) {
    source->leave();
    ranks.finish();
    throw InputError(failure);
  }
  Progress progress(options.verbosity, std::filesystem::path(path).filename().string());
  work_on(campaign, options, ranks, *source, [&] {
    if (hand_out->total_points() > 0) {
      progress.update(
          hand_out->done_points(), hand_out->total_points(),
          fmt::format("{} of {} points", result.found + hand_out->done_points(), result.points));
    }
  });
  result.done = result.found + hand_out->done_points();
  result.complete = hand_out->finished();
  result.seconds = wall_seconds(start);
  return result;
}

}  // namespace presort::app::campaign
