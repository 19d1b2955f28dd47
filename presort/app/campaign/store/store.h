// The store of a campaign: an SQLite database with a row for each point.
#pragma once

#include <span>
#include <string>

#include "presort/app/campaign/campaign_files.h"
#include "presort/io/campaign/campaign_row.h"

namespace presort::inline v0::app::campaign {

// True if this program was built with SQLite.
bool has_store();

// Writes the database, in place of an earlier one, as a whole: a reader sees the old one or the new
// one. Table `points`: point, a column for each axis, direct_ns, presorted_ns, measured_ns (in
// mode validate alone), gain (direct over pre-sorted), plan, why_not. Table `campaign`: key, value;
// what the campaign is made of.
// Errors: InputError "PATH: cannot be written: …"; EnvironmentError without SQLite
void write_store(const std::string& path, const Opened& campaign,
                 std::span<const io::CampaignRow> rows);

}  // namespace presort::app::campaign
