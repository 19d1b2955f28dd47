#include "presort/io/files/set_swap.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <memory>
#include <system_error>

#include "presort/io/files/descriptor.h"

namespace presort::inline v0::io {
namespace {

constexpr char kNow[] = "now";
constexpr char kFresh[] = "fresh";  // temporary name of a new link, before it is renamed

[[noreturn]] void fail() {
  throw std::system_error(errno, std::generic_category());
}

void check(int result) {
  if (result != 0) {
    fail();
  }
}

std::vector<std::string> names_in(int folder) {
  const int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(listed < 0 ? nullptr : fdopendir(listed),
                                                    closedir);
  if (!entries) {
    fail();
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") {
      names.push_back(name);
    }
  }
  return names;
}

Descriptor open_set(int swap, const char* set) {
  Descriptor folder(openat(swap, set, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder && errno != ENOENT) {
    fail();
  }
  return folder;
}

bool exists_in(int folder, const std::string& name) {
  struct stat status {};
  return fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

// The target of a symbolic link; "" when there is none.
std::string link_text(int folder, const std::string& name) {
  std::array<char, PATH_MAX> text{};
  const ssize_t length = readlinkat(folder, name.c_str(), text.data(), text.size());
  return length < 0 ? "" : std::string(text.data(), static_cast<size_t>(length));
}

std::string by_way_of_now(const std::string& name) {
  return std::string(kSwapFolder) + "/" + kNow + "/" + name;
}

// Makes FOLDER/NAME a symbolic link to `text` in one step, in place of whatever has that name.
void put_link(int swap, const std::string& text, int folder, const std::string& name) {
  if (unlinkat(swap, kFresh, 0) != 0 && errno != ENOENT) {
    fail();
  }
  check(symlinkat(text.c_str(), swap, kFresh));
  check(renameat(swap, kFresh, folder, name.c_str()));
}

void turn(int swap, const char* set) {
  put_link(swap, set, swap, kNow);
  sync_folder(swap);
}

// Gives each of the folder's files a second name in old/. False where the file system has no hard
// links.
bool link_old(int folder, int swap, const std::vector<std::string>& names) {
  const Descriptor old_set = open_set(swap, kOldSet);
  for (const std::string& name : names) {
    if (linkat(folder, name.c_str(), old_set.get(), name.c_str(), 0) != 0 && errno != ENOENT) {
      if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK) {
        return false;
      }
      fail();
    }
  }
  return true;
}

bool has_links(int swap) {
  return symlinkat(kOldSet, swap, kFresh) == 0 || errno == EEXIST;
}

void rename_all(int folder, int new_set, const std::vector<std::string>& retired) {
  for (const std::string& name : names_in(new_set)) {
    check(renameat(new_set, name.c_str(), folder, name.c_str()));
  }
  for (const std::string& name : retired) {
    unlinkat(folder, name.c_str(), 0);
  }
}

// Replaces each symbolic link by the file that it leads to; a link that leads nowhere is removed.
void end_links(int folder, int swap) {
  const Descriptor seen = open_set(swap, link_text(swap, kNow) == kNewSet ? kNewSet : kOldSet);
  for (const std::string& name : names_in(folder)) {
    if (link_text(folder, name) != by_way_of_now(name)) {
      continue;
    }
    if (seen && exists_in(seen.get(), name)) {
      check(renameat(seen.get(), name.c_str(), folder, name.c_str()));
    } else {
      check(unlinkat(folder, name.c_str(), 0));
    }
  }
  sync_folder(folder);
}

void empty_set(int swap, const char* set) {
  const Descriptor folder = open_set(swap, set);
  if (folder) {
    for (const std::string& name : names_in(folder.get())) {
      unlinkat(folder.get(), name.c_str(), 0);
    }
  }
}

}  // namespace

void swap_in(int folder, int swap, const std::vector<std::string>& retired, SwapMeans means) {
  const Descriptor new_set = open_set(swap, kNewSet);
  std::vector<std::string> names = names_in(new_set.get());
  std::vector<std::string> gone;
  std::copy_if(retired.begin(), retired.end(), std::back_inserter(gone),
               [&](const std::string& name) {
                 return std::find(names.begin(), names.end(), name) == names.end();
               });
  names.insert(names.end(), gone.begin(), gone.end());
  sync_folder(new_set.get());
  if (means == SwapMeans::renames || !has_links(swap) || !link_old(folder, swap, names)) {
    rename_all(folder, new_set.get(), gone);
    sync_folder(folder);
    return;
  }
  try {
    turn(swap, kOldSet);
    for (const std::string& name : names) {
      put_link(swap, by_way_of_now(name), folder, name);
    }
    sync_folder(folder);
    turn(swap, kNewSet);  // from here on readers see the new set
  } catch (const std::system_error&) {
    settle(folder, swap);
    throw;
  }
  settle(folder, swap);
}

void settle(int folder, int swap) {
  if (exists_in(swap, kNow)) {
    end_links(folder, swap);
    check(unlinkat(swap, kNow, 0));
  }
  unlinkat(swap, kFresh, 0);
  empty_set(swap, kOldSet);
  empty_set(swap, kNewSet);
}

}  // namespace presort::io
