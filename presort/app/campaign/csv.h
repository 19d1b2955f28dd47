// The points of a campaign as CSV (RFC 4180): a heading, and a line for each row.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "presort/app/campaign/points.h"
#include "presort/io/campaign/campaign_row.h"

namespace presort::inline v0::app::campaign {

// Hands over the text in parts of some hundred kilobytes. Columns: point, the axes, direct_ns,
// presorted_ns, gain, plan, why_not. Cells without a value are empty.
void write_csv(const Points& points, std::span<const io::CampaignRow> rows,
               const std::function<void(std::string_view)>& take);

}  // namespace presort::app::campaign
