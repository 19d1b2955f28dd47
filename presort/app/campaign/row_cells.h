// A row of a campaign with the values of its point: what the store and CSV have in common.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "presort/app/campaign/points.h"
#include "presort/io/campaign/campaign_row.h"

namespace presort::inline v0::app::campaign {

// The axes that are columns of their own: all but "plan".
std::vector<Axis> column_axes(const Points& points);

// The values of a row's point, one for each of column_axes.
std::vector<std::string> point_cells(const Points& points, uint64_t point);

// The plan of a row: of its point, or the one that tune chose.
std::string plan_cell(const Points& points, const io::CampaignRow& row);

// Time without a pre-sort over time with one; no value if one of them is missing.
std::optional<double> gain(const io::CampaignRow& row);

// A line about rows with measured times: how far their predictions are from them; "" without such
// rows.
std::string runs_summary(std::span<const io::CampaignRow> rows);

}  // namespace presort::app::campaign
