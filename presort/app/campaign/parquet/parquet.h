// The rows of a campaign as a Parquet file, where presort was built with Apache Arrow.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "presort/app/campaign/points.h"
#include "presort/io/campaign/campaign_row.h"

namespace presort::inline v0::app::campaign {

// Hands out the bytes of a Parquet file, in order: the columns of the CSV (csv.h), numbers as
// numbers, what a row lacks as null. Rows are written in groups of kParquetRows, so that a file of
// any length takes little memory beside its rows. `path` is for messages.
// Errors: InputError "PATH: cannot be written: …"; EnvironmentError without Arrow; those of `take`
void write_parquet(const std::string& path, const Points& points,
                   std::span<const io::CampaignRow> rows,
                   const std::function<void(std::string_view)>& take);

inline constexpr size_t kParquetRows = size_t{1} << 17;

}  // namespace presort::app::campaign
