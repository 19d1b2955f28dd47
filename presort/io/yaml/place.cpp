#include "presort/io/yaml/place.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <deque>
#include <optional>
#include <string_view>

#include "presort/core/error.h"

namespace presort::inline v0::io {
namespace {

constexpr int kMostLinks = 40;  // most symbolic links followed in one path, as in the kernel

// Splits a path at its slashes; the last part of "a/b/" is empty.
std::deque<std::string> parts_of(std::string_view path) {
  std::deque<std::string> parts;
  for (size_t first = 0; first <= path.size();) {
    const size_t last = std::min(path.find('/', first), path.size());
    parts.emplace_back(path.substr(first, last - first));
    first = last + 1;
  }
  return parts;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Looks up a path, part by part, following its symbolic links.
class Walk {
 public:
  explicit Walk(const std::string& path) : path_(path) {}

  Place place() {
    if (path_.empty()) {
      fail(ENOENT);
    }
    go_on_with(path_);
    while (true) {
      const std::string name = rest_.front();
      rest_.pop_front();
      if (name.empty() || name == ".") {
        if (rest_.empty()) {
          fail(EISDIR);
        }
      } else if (std::optional<Place> found = enter(name)) {
        return std::move(*found);
      }
    }
  }

 private:
  [[noreturn]] void fail(int error) const { fail(std::strerror(error)); }
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(path_ + ": cannot be written: " + reason);
  }

  // Puts the parts of `path` before the parts that are still to be looked up.
  void go_on_with(const std::string& path) {
    if (path.starts_with('/') || !folder_) {
      folder_ =
          Descriptor(open(path.starts_with('/') ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    }
    const std::deque<std::string> parts = parts_of(path);
    rest_.insert(rest_.begin(), parts.begin(), parts.end());
  }

  // The place of a file, if `name` is the last part of the path and not a link.
  std::optional<Place> enter(const std::string& name) {
    Descriptor here(openat(folder_.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!here && errno == ENOENT && rest_.empty()) {
      return Place{std::move(folder_), name};
    }
    if (!here || fstat(here.get(), &status) != 0) {
      fail(errno);
    }
    if (S_ISLNK(status.st_mode)) {
      return follow(name, here.get(), status);
    }
    return arrive(name, std::move(here), status, false);
  }

  std::optional<Place> arrive(const std::string& name, Descriptor here, const struct stat& status,
                              bool unnamed) {
    if (rest_.empty()) {
      return Place{std::move(folder_), name, true, unnamed, status};
    }
    if (!S_ISDIR(status.st_mode)) {
      fail(ENOTDIR);
    }
    folder_ = std::move(here);
    return std::nullopt;
  }

  std::optional<Place> follow(const std::string& name, int link, const struct stat& status) {
    if (++links_ > kMostLinks) {
      fail(ELOOP);
    }
    refuse_link_of_another(name, status);
    std::array<char, PATH_MAX> text{};
    const ssize_t length = readlinkat(link, "", text.data(), text.size());
    if (length <= 0) {
      fail(length == 0 ? ENOENT : errno);
    }
    const std::string target(text.data(), static_cast<size_t>(length));
    struct statfs system {};
    if (fstatfs(folder_.get(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC) {
      return follow_in_proc(name, target);
    }
    go_on_with(target);
    return std::nullopt;
  }

  // Follows a link of /proc/PID/fd, whose text need not be a path: "pipe:[123]", "/old/name
  // (deleted)".
  std::optional<Place> follow_in_proc(const std::string& name, const std::string& target) {
    Descriptor there(openat(folder_.get(), name.c_str(), O_PATH | O_CLOEXEC));
    struct stat status {};
    if (!there || fstat(there.get(), &status) != 0) {
      fail(errno);
    }
    struct stat by_text {};
    const bool has_name = target.starts_with('/') && lstat(target.c_str(), &by_text) == 0 &&
                          same_file(status, by_text);
    if (S_ISREG(status.st_mode) && has_name) {
      go_on_with(target);
      return std::nullopt;
    }
    return arrive(name, std::move(there), status, true);
  }

  void refuse_link_of_another(const std::string& name, const struct stat& link) const {
    struct stat folder {};
    if (fstat(folder_.get(), &folder) != 0) {
      fail(errno);
    }
    constexpr mode_t kShared = S_ISVTX | S_IWOTH;
    const bool shared = (folder.st_mode & kShared) == kShared;
    if (shared && link.st_uid != geteuid() && link.st_uid != folder.st_uid) {
      fail("the symbolic link " + name + " on the way belongs to another user (" +
           std::to_string(link.st_uid) + "), in a folder where everyone may write");
    }
  }

  const std::string& path_;
  Descriptor folder_;
  std::deque<std::string> rest_;
  int links_ = 0;
};

}  // namespace

Place find_place(const std::string& path) {
  return Walk(path).place();
}

}  // namespace presort::io
