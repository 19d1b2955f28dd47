// Built where SQLite was not found.
#include "presort/app/campaign/store/store.h"
#include "presort/core/error.h"

namespace presort::inline v0::app::campaign {

bool has_store() {
  return false;
}

void write_store(const std::string& path, const Opened& /*campaign*/,
                 std::span<const io::CampaignRow> /*rows*/) {
  throw EnvironmentError(path +
                         ": this presort was built without SQLite (on Debian libsqlite3-dev); "
                         "presort campaign export writes CSV");
}

}  // namespace presort::app::campaign
