// The result files of one run, which appear in their folder as a whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "presort/io/files/descriptor.h"
#include "presort/io/files/set_swap.h"

namespace presort::inline v0::io {

// Files are collected out of sight, in FOLDER/.presort-result; commit() puts them into the folder
// in place of those of the run before, at one moment (io/files/set_swap.h). Whatever kills the
// process, the folder has the old files or the new ones. Files of other names are never touched.
// The folder is locked from the constructor to the destructor: of two runs with one folder the
// second is refused. What a run that was killed left there is put in order by the next.
// Links: a file of the set that is a symbolic link is replaced; its target stays as it is.
class ResultFolder {
 public:
  // Creates the folder with its parents, and locks it.
  // Errors: InputError when the folder cannot be made, or written to; EnvironmentError when another
  // process has locked it
  explicit ResultFolder(std::string path);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const std::string& path() const { return path_; }

  // Adds a file to the set. It takes over the permissions of the file that it replaces.
  // Requires: a name without slashes, not yet written
  // Errors: InputError naming the file
  void write(const std::string& name, std::string_view text);

  // Puts the set of files into the folder, and removes the files named in `retired`, which older
  // versions wrote. At most once.
  // Errors: InputError; the old files stay
  void commit(const std::vector<std::string>& retired = {});

 private:
  void take();
  bool try_to_take();
  void make_sets();
  void leave();
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string path_;
  Descriptor folder_;
  Descriptor swap_;
  Descriptor lock_;
  Descriptor new_set_;
};

}  // namespace presort::io
