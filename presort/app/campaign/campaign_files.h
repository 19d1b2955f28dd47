// The files of a campaign: sweep.yaml, and beside it the folder sweep.journals/ and the store
// sweep.sqlite.
#pragma once

#include <string>
#include <vector>

#include "presort/app/campaign/hand_out.h"
#include "presort/app/campaign/points.h"
#include "presort/core/machine/machine.h"
#include "presort/io/campaign/journal.h"

namespace presort::inline v0::app::campaign {

// A campaign as one process sees it.
struct Opened {
  std::string path;
  Points points;
  std::vector<Machine> machines;
  io::Identity identity;  // values of the file and of its machines, version and commit
};

// Reads a campaign file and its machines.
// Errors: InputError
Opened open_campaign(const std::string& path);

// The facts that journals of a campaign must agree on: program, mode, each list of values, each
// value of each machine. Long lists are hashed, 16 hexadecimal digits.
io::Identity identity_of(const Points& points, const std::vector<Machine>& machines,
                         const std::string& build);

std::string journal_folder(const std::string& campaign_path);  // "sweep.journals"
std::string store_path(const std::string& campaign_path);      // "sweep.sqlite"

// The journal of a rank: "sweep.journals/rank-00003.journal", of a shard
// "sweep.journals/shard-2-of-16.rank-00003.journal".
std::string journal_path(const std::string& campaign_path, const Shard& shard, int rank);

// Numbers of the points that journals have rows of, in any order.
// Errors: InputError, as io::read_journal; a number that is not below the number of points
std::vector<uint64_t> finished_points(const Opened& campaign);

// All rows of the journals, one for each finished point, by rising number.
// Errors: InputError, also for two journals with different rows of one point
std::vector<io::CampaignRow> finished_rows(const Opened& campaign);

}  // namespace presort::app::campaign
