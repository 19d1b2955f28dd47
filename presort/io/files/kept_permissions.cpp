#include "presort/io/files/kept_permissions.h"

#include <unistd.h>

namespace presort::inline v0::io {
namespace {

constexpr mode_t kUsualMode = 0666;
constexpr mode_t kKept = 0777;

bool is_own(const struct stat* replaced) {
  return replaced != nullptr && replaced->st_uid == geteuid();
}

}  // namespace

mode_t first_mode(const struct stat* replaced) {
  return is_own(replaced) ? replaced->st_mode & kKept : kUsualMode;
}

bool keep_permissions(int file, const struct stat* replaced) {
  if (!is_own(replaced)) {
    return true;
  }
  mode_t mode = replaced->st_mode & kKept;
  struct stat status {};
  if (fstat(file, &status) != 0) {
    return false;
  }
  constexpr auto kSameUser = static_cast<uid_t>(-1);
  if (status.st_gid != replaced->st_gid && fchown(file, kSameUser, replaced->st_gid) != 0) {
    mode &= ~static_cast<mode_t>(S_IRWXG);
  }
  return fchmod(file, mode) == 0;
}

}  // namespace presort::io
