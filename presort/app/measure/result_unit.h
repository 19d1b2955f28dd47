// The result files of `validate` and of `validate --loops`: one unit in their folder.
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

// How much of a run there is to keep.
enum class Finished { all, some, nothing };

// Shows a result, given its JSON document and where its files are.
using PrintResult = std::function<void(const io::Json& document, const std::string& place)>;

// Holds the folder from before the work until after it, so that two runs never mix their files
// (io/files/result_folder.h). The JSON file among the results says whether they are complete, and
// which files belong to them.
class ResultUnit {
 public:
  // names: of the files that every run writes, the JSON file first
  // Errors: InputError when they could not be written; EnvironmentError when another has the folder
  ResultUnit(const std::string& folder, std::vector<std::string> names);

  // Where files of a run go that finished so much: the folder; "FOLDER/partial" when a complete
  // result stands in the folder, which an interrupted run does not replace; "" when an interrupted
  // run has nothing, and a result stands in the folder.
  std::string place(Finished finished) const;

  // Puts a run's files at `place`, in place of those of the run before, and the JSON file with `document`
  // and two fields more: "folder", where they are, or null, and "files", their names. Nothing is
  // written where `place` is "". Then calls `print`, also when the files could not be written
  // (place is "" then): what was measured is shown in any case.
  // Errors: InputError; what stood there stands
  void write(std::string place, io::Json document, std::vector<ResultFile> files,
             const PrintResult& print);

 private:
  void put(const std::string& place, const std::vector<ResultFile>& files);

  io::ResultFolder folder_;
  std::vector<std::string> names_;
};

}  // namespace presort::app
