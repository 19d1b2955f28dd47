// The result files of a `validate` run, which stand together in a folder.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "presort/io/files/result_folder.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

struct ResultFile {
  std::string name;
  std::string text;
};

// How much of a run was finished: all, some, or nothing.
enum class Finished { all, some, nothing };

// A function that shows a result, given its JSON document and the folder of its files.
using PrintResult = std::function<void(const io::Json& document, const std::string& place)>;

// Holds a result folder from before the work until after it, so that two runs never mix their files
// (io/files/result_folder.h). The JSON file among the results says whether the result files are
// complete, and which files belong to it.
class ResultUnit {
 public:
  // `names`: the files that every run writes, the JSON file first.
  // Errors: InputError when they could not be written; EnvironmentError when another run holds the
  //         folder
  ResultUnit(const std::string& folder, std::vector<std::string> names);

  // The folder itself, which exists and is locked.
  const std::string& folder() const { return folder_.path(); }

  // The folder for the result files of a run: the folder itself; "FOLDER/partial" for an
  // interrupted run if the folder has a complete result; "" for an interrupted run without results
  // if the folder has a result.
  std::string place(Finished finished) const;

  // Replaces the files of an earlier run at `place` by this run's files. The JSON file is
  // `document` with two more fields: "folder", the folder of the files or null, and "files", their
  // names. Nothing is written if `place` is "". Then calls `print`, also when writing failed (with
  // an empty place), so that measurements are shown in any case.
  // Errors: InputError; earlier files then stay
  void write(std::string place, io::Json document, std::vector<ResultFile> files,
             const PrintResult& print);

 private:
  void put(const std::string& place, const std::vector<ResultFile>& files);

  io::ResultFolder folder_;
  std::vector<std::string> names_;
};

}  // namespace presort::app
