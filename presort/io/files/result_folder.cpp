#include "presort/io/files/result_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "presort/core/error.h"
#include "presort/io/files/kept_permissions.h"
#include "presort/io/yaml/place.h"

namespace presort::inline v0::io {
namespace {

namespace fs = std::filesystem;

constexpr char kLock[] = "lock";
// Attempts to take the lock; other processes may take and release it in between
constexpr int kMostAttempts = 100;

// Mode of a folder inside the results folder: whoever may enter the results folder may enter this
// one, through which file names lead for a moment; nobody else may write there.
mode_t mode_beside(const struct stat& folder) {
  return folder.st_mode & 0755;
}

Descriptor open_folder(int parent, const char* name) {
  return Descriptor(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// The owner of the lock as text, "process 123", if it has written that into the lock file.
std::string owner_of(int lock) {
  std::array<char, 32> text{};
  const ssize_t length = pread(lock, text.data(), text.size() - 1, 0);
  const std::string process(text.data(), length > 0 ? static_cast<size_t>(length) : 0);
  const bool number = !process.empty() && process.find_first_not_of("0123456789") == process.npos;
  return number ? " (process " + process + ")" : "";
}

bool still_named(int file, int folder, const char* name) {
  struct stat opened {};
  struct stat named {};
  return fstat(file, &opened) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Refuses a symbolic link in the existing part of a path, by the rules of io/yaml/place.h.
void refuse_foreign_links(const std::string& path) {
  std::error_code ignored;
  fs::path there = path;
  while (!there.empty() && !fs::exists(there, ignored) && there != there.parent_path()) {
    there = there.parent_path();
  }
  if (there.empty() || fs::is_directory(there, ignored)) {
    find_place((there / kSwapFolder).string());
  }
}

}  // namespace

void ResultFolder::fail(const std::string& what, int error) const {
  throw InputError(what + ": cannot be written: " + std::strerror(error));
}

ResultFolder::ResultFolder(std::string path) : path_(std::move(path)) {
  refuse_foreign_links(path_);
  std::error_code error;
  fs::create_directories(path_, error);
  if (error || !fs::is_directory(path_, error)) {
    throw InputError(path_ + ": cannot be made a folder: " +
                     (error ? error.message() : "there is a file of that name"));
  }
  const Place place = find_place((fs::path(path_) / kSwapFolder).string());
  folder_ = open_folder(place.folder.get(), ".");
  if (!folder_) {
    fail(path_, errno);
  }
  take();
  try {
    settle(folder_.get(), swap_.get());
  } catch (const std::system_error& failure) {
    fail(path_, failure.code().value());
  }
  make_sets();
}

void ResultFolder::make_sets() {
  struct stat status {};
  bool made = fstat(folder_.get(), &status) == 0 && fchmod(swap_.get(), mode_beside(status)) == 0;
  for (const char* set : {kOldSet, kNewSet}) {
    made = made && (mkdirat(swap_.get(), set, 0700) == 0 || errno == EEXIST) &&
           fchmodat(swap_.get(), set, mode_beside(status), 0) == 0;
  }
  new_set_ = open_folder(swap_.get(), kNewSet);
  if (!made || !new_set_) {
    fail(path_, errno);
  }
}

void ResultFolder::take() {
  for (int i = 0; i < kMostAttempts; ++i) {
    if (try_to_take()) {
      return;
    }
  }
  throw EnvironmentError(path_ + ": others take it for their results again and again");
}

// Tries to take the lock. False when another process removed the lock file, or its folder, in the
// same moment.
bool ResultFolder::try_to_take() {
  const std::string shown = (fs::path(path_) / kSwapFolder).string();
  if (mkdirat(folder_.get(), kSwapFolder, 0700) != 0 && errno != EEXIST) {
    fail(path_, errno);
  }
  swap_ = open_folder(folder_.get(), kSwapFolder);
  if (!swap_ && errno == ENOENT) {
    return false;
  }
  if (!swap_) {
    fail(shown, errno);
  }
  struct stat status {};
  if (fstat(swap_.get(), &status) != 0 || status.st_uid != geteuid()) {
    throw InputError(shown + ": belongs to another user: remove it, or name another folder");
  }
  lock_ = Descriptor(
      openat(swap_.get(), kLock, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (!lock_ && errno == ENOENT) {
    return false;
  }
  if (!lock_) {
    fail(shown, errno);
  }
  if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw EnvironmentError(path_ + ": another presort" + owner_of(lock_.get()) +
                           " writes its results there: wait for it, or name another folder");
  }
  if (!still_named(lock_.get(), swap_.get(), kLock) ||
      !still_named(swap_.get(), folder_.get(), kSwapFolder)) {
    return false;
  }
  const std::string process = std::to_string(getpid());
  static_cast<void>(ftruncate(lock_.get(), 0) == 0 && write_all(lock_.get(), process));
  return true;
}

void ResultFolder::write(const std::string& name, std::string_view text) {
  const std::string shown = (fs::path(path_) / name).string();
  struct stat status {};
  const bool exists = fstatat(folder_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    fail(shown, EISDIR);
  }
  const struct stat* replaced = exists && S_ISREG(status.st_mode) ? &status : nullptr;
  Descriptor file(openat(new_set_.get(), name.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                         first_mode(replaced)));
  if (!file || !write_all(file.get(), text) || !keep_permissions(file.get(), replaced) ||
      fsync(file.get()) != 0 || !file.close_now()) {
    fail(shown, errno);
  }
}

void ResultFolder::commit(const std::vector<std::string>& retired) {
  std::vector<std::string> files;
  for (const std::string& name : retired) {
    struct stat status {};
    if (fstatat(folder_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        !S_ISDIR(status.st_mode)) {
      files.push_back(name);
    }
  }
  try {
    swap_in(folder_.get(), swap_.get(), files);
  } catch (const std::system_error& failure) {
    fail(path_, failure.code().value());
  }
}

// Puts the folder in order and removes what this process added. The lock file is removed last: it
// is held until then.
void ResultFolder::leave() {
  try {
    settle(folder_.get(), swap_.get());
    // A system error, or no memory: the next run puts the folder in order
  } catch (const std::exception&) {
    return;
  }
  for (const char* set : {kOldSet, kNewSet}) {
    unlinkat(swap_.get(), set, AT_REMOVEDIR);
  }
  unlinkat(swap_.get(), kLock, 0);
  unlinkat(folder_.get(), kSwapFolder, AT_REMOVEDIR);
}

ResultFolder::~ResultFolder() {
  leave();
}

}  // namespace presort::io
