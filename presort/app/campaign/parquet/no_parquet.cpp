// Built where Arrow was not found.
#include "presort/app/campaign/parquet/parquet.h"
#include "presort/core/error.h"

namespace presort::inline v0::app::campaign {

void write_parquet(const std::string& path, const Points& /*points*/,
                   std::span<const io::CampaignRow> /*rows*/,
                   const std::function<void(std::string_view)>& /*take*/) {
  throw EnvironmentError(path +
                         ": this presort was built without Apache Arrow, so it writes no Parquet; "
                         "presort campaign export writes CSV to a file of another ending");
}

}  // namespace presort::app::campaign
