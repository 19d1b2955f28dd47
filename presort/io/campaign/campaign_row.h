// The result of one point of a campaign, as a line of text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace presort::inline v0::io {

struct CampaignRow {
  uint64_t point = 0;  // number of the point, from 0
  // Time of the best plan without a pre-sort, ns per input; no value: no such plan was tried
  std::optional<double> direct_ns;
  std::optional<double> presorted_ns;  // time of the best plan with a pre-sort, ns per input
  // The plan of the least time that tune chose, as text: "sortBits=9,passes=1"; "" in other modes,
  // where the point says the plan
  std::string plan;
  // Why the point has no times: the machine, problem or plan was refused; "" if it has some
  std::string why_not;
  // Median time of runs on this machine, ns per input; no value but in mode validate
  std::optional<double> measured_ns = {};
  bool operator==(const CampaignRow&) const = default;
};

// A row as a line: "POINT\tDIRECT\tPRESORTED\tPLAN\tWHY_NOT\n", and before the line's end
// "\tMEASURED" if the row has it. Numbers are read back exactly. Tabs
// and line ends in texts become spaces.
std::string row_line(const CampaignRow& row);

// Reads a line without its line end; no value for anything that row_line() does not write.
std::optional<CampaignRow> parse_row(std::string_view line);

}  // namespace presort::io
