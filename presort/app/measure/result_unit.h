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

// How much of a run was finished.
enum class Finished { all, some, nothing };

// Shows a result, given its JSON document and where its files are.
using PrintResult = std::function<void(const io::Json& document, const std::string& place)>;

// Holds the folder from before the work until after it, so that two runs never mix their files
// (io/files/result_folder.h). The JSON file among the results says whether they are complete, and
// which files belong to them.
class ResultUnit {
 public:
  // names: of the files that every run writes, the JSON file first
  // Errors: InputError when they could not be written; EnvironmentError when another run holds the
  //         folder
  ResultUnit(const std::string& folder, std::vector<std::string> names);

  // Where to put the files of a run that finished so much: in the folder; in "FOLDER/partial" for
  // an interrupted run if the folder has a complete result; "" for an interrupted run without
  // results if the folder has a result.
  std::string place(Finished finished) const;

  // Replaces the run before at `place` by this run's files. The JSON file is `document` with two
  // more fields: "folder", where the files are, or null, and "files", their names. Nothing is
  // written if `place` is "". Then calls `print`, also when writing failed (place is then ""), so
  // that measurements are shown in any case.
  // Errors: InputError; earlier files then stay
  void write(std::string place, io::Json document, std::vector<ResultFile> files,
             const PrintResult& print);

 private:
  void put(const std::string& place, const std::vector<ResultFile>& files);

  io::ResultFolder folder_;
  std::vector<std::string> names_;
};

}  // namespace presort::app
