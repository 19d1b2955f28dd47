#include "presort/io/files/temporary_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>

namespace presort::inline v0::io {
namespace {

constexpr int kMostTries = 100;  // random names to try; with 2^48 of them a second try is rare
constexpr size_t kRandomDigits = 12;
constexpr std::string_view kEnding = ".tmp";

[[noreturn]] void fail(int error) {
  throw std::system_error(error, std::generic_category());
}

std::string hidden_prefix(const std::string& target) {
  return "." + target + ".";
}

std::string hidden_name(const std::string& target) {
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) {
    fail(errno);
  }
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(random));
  return hidden_prefix(target) + std::string(digits.data(), kRandomDigits) + std::string(kEnding);
}

bool is_hidden_name(std::string_view name, const std::string& prefix) {
  if (name.size() != prefix.size() + kRandomDigits + kEnding.size() || !name.starts_with(prefix) ||
      !name.ends_with(kEnding)) {
    return false;
  }
  const std::string_view digits = name.substr(prefix.size(), kRandomDigits);
  return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Locks a file. False when another process has the lock. On a file system without locks: true.
bool lock(int file) {
  return flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

// True if an open file still has a name: another process may remove it after it is opened and
// before it is locked.
bool has_a_name(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 && status.st_nlink > 0;
}

// Removes a hidden file if nobody holds its lock: then it has no writer. The name must still be
// that of the locked file.
void remove_unless_locked(int folder, const char* name) {
  const Descriptor file(openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat opened {};
  struct stat named {};
  const bool own = file && fstat(file.get(), &opened) == 0 && S_ISREG(opened.st_mode) &&
                   opened.st_uid == geteuid();
  if (own && flock(file.get(), LOCK_EX | LOCK_NB) == 0 &&
      fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == opened.st_ino &&
      named.st_dev == opened.st_dev) {
    unlinkat(folder, name, 0);
  }
}

}  // namespace

TemporaryFile::TemporaryFile(int folder, std::string target, mode_t mode, Naming naming)
    : folder_(folder), target_(std::move(target)) {
  remove_stale_temporaries(folder_, target_);
  if (naming == Naming::early || !open_unnamed(mode)) {
    open_hidden(mode);
  }
}

TemporaryFile::~TemporaryFile() {
  if (!hidden_.empty()) {
    unlinkat(folder_, hidden_.c_str(), 0);
  }
}

// Opens a file without a name (O_TMPFILE). False where the file system, or a missing /proc, does
// not allow it.
bool TemporaryFile::open_unnamed(mode_t mode) {
  file_ = Descriptor(openat(folder_, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
  if (!file_) {
    return false;
  }
  lock(file_.get());
  const std::string link = "/proc/self/fd/" + std::to_string(file_.get());
  struct stat opened {};
  struct stat linked {};
  return fstat(file_.get(), &opened) == 0 && stat(link.c_str(), &linked) == 0 &&
         opened.st_ino == linked.st_ino;
}

void TemporaryFile::open_hidden(mode_t mode) {
  for (int i = 0; i < kMostTries; ++i) {
    std::string name = hidden_name(target_);
    file_ = Descriptor(
        openat(folder_, name.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, mode));
    if (!file_ && errno != EEXIST) {
      fail(errno);
    }
    if (file_ && lock(file_.get()) && has_a_name(file_.get())) {
      hidden_ = std::move(name);
      return;
    }
  }
  fail(EEXIST);
}

void TemporaryFile::link_hidden() {
  const std::string link = "/proc/self/fd/" + std::to_string(file_.get());
  for (int i = 0; i < kMostTries && hidden_.empty(); ++i) {
    std::string name = hidden_name(target_);
    if (linkat(AT_FDCWD, link.c_str(), folder_, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      hidden_ = std::move(name);
    } else if (errno != EEXIST) {
      fail(errno);
    }
  }
}

void TemporaryFile::take_name() {
  if (fsync(file_.get()) != 0) {
    fail(errno);
  }
  if (hidden_.empty()) {
    link_hidden();
  }
  if (renameat(folder_, hidden_.c_str(), folder_, target_.c_str()) != 0) {
    fail(errno);
  }
  hidden_.clear();
  file_.close_now();
  sync_folder(folder_);
}

void remove_stale_temporaries(int folder, const std::string& target) {
  const int scanned = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(scanned < 0 ? nullptr : fdopendir(scanned),
                                                    closedir);
  if (!entries) {
    Descriptor closes(scanned);
    return;  // not an error: a folder that cannot be listed may still be written to
  }
  const std::string prefix = hidden_prefix(target);
  while (const dirent* entry = readdir(entries.get())) {
    if (is_hidden_name(entry->d_name, prefix)) {
      remove_unless_locked(folder, entry->d_name);
    }
  }
}

}  // namespace presort::io
