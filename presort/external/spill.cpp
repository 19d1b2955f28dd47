#include "presort/external/spill.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/plan/external_plan.h"

namespace presort::inline v0::external {
namespace {

// Opens a file without a name; where the file system has no such files, one whose name is removed
// at once.
io::Descriptor open_unnamed(const std::string& folder) {
  io::Descriptor file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) {
    return file;
  }
  std::string name = folder + "/.presort-spill-XXXXXX";
  file = io::Descriptor(mkostemp(name.data(), O_CLOEXEC));
  if (file) {
    unlink(name.c_str());
  }
  return file;
}

}  // namespace

Spill::Spill(const std::string& folder, uint64_t parts, uint64_t most_bytes)
    : file_(open_unnamed(folder)), name_(folder + " (spill file)"), blocks_(parts) {
  if (!file_) {
    throw InputError(folder + ": no spill file can be made there: " + std::strerror(errno));
  }
  reserve(file_.get(), name_, most_bytes);
  is_direct_ = turn_to_direct(file_.get());
}

uint64_t Spill::append(uint64_t part, uint64_t bytes) {
  const uint64_t begin = end_;
  blocks_[part].push_back({begin, bytes});
  end_ += saturating_round_up(bytes, kDirectBytes);
  return begin;
}

}  // namespace presort::external
