#include "presort/app/measure/result_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/core/error.h"
#include "presort/io/yaml/yaml_tree.h"

namespace presort::inline v0::app {

namespace fs = std::filesystem;
using io::Json;

namespace {

constexpr char kPartialFolder[] = "partial";

// The two top levels of an earlier result's JSON file; null when it cannot be read.
Json read_head(const std::string& path) {
  constexpr int kDeepest = 2;
  try {
    const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth <= kDeepest; };
    Json document = Json::parse(io::read_text_file(path), shallow, false);
    return document.is_object() ? document : Json();
  } catch (const Error&) {
    return {};
  }
}

bool says_partial(const Json& head) {
  const auto complete = head.find("complete");
  return head.is_object() && complete != head.end() && *complete == false;
}

// Names of the pictures that the JSON file of an earlier result lists. Only these may be removed.
std::vector<std::string> listed_pictures(const Json& head) {
  std::vector<std::string> names;
  const auto files = head.find("files");
  if (!head.is_object() || files == head.end() || !files->is_array()) {
    return names;
  }
  for (const Json& file : *files) {
    const std::string name = file.is_string() ? file.get<std::string>() : "";
    if (name.ends_with(".svg") && name.find('/') == std::string::npos && name.front() != '.') {
      names.push_back(name);
    }
  }
  return names;
}

void put_into(io::ResultFolder& folder, const std::string& json_name,
              const std::vector<ResultFile>& files) {
  for (const ResultFile& file : files) {
    folder.write(file.name, file.text);
  }
  folder.commit(listed_pictures(read_head((fs::path(folder.path()) / json_name).string())));
}

void add_files(Json& document, const std::string& place, const std::vector<ResultFile>& files) {
  document["folder"] = place.empty() ? Json(nullptr) : Json(place);
  document["files"] = Json::array();
  for (const ResultFile& file : files) {
    if (!place.empty()) {
      document["files"].push_back(file.name);
    }
  }
}

// Names on stderr the folder with the results of an interrupted run, if they are not in the run's
// own.
void say_where_partial(const std::string& folder, const std::string& place) {
  if (place != folder) {
    const std::string where = place.empty() ? "nothing was finished that could be kept"
                                            : "the partial one is in " + place;
    complain("interrupted: {} keeps the result that was there; {}", folder, where);
  }
}

}  // namespace

ResultUnit::ResultUnit(const std::string& folder, std::vector<std::string> names)
    : folder_(folder), names_(std::move(names)) {
  for (const std::string& name : names_) {
    require_writable((fs::path(folder) / name).string());
  }
}

std::string ResultUnit::place(Finished finished) const {
  const fs::path folder = folder_.path();
  std::error_code ignored;
  const bool stands = std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
    return fs::exists(folder / name, ignored);
  });
  if (finished == Finished::all || !stands) {
    return folder_.path();
  }
  if (finished == Finished::nothing) {
    return "";
  }
  const bool partial = says_partial(read_head((folder / names_.front()).string()));
  return partial ? folder_.path() : (folder / kPartialFolder).string();
}

void ResultUnit::put(const std::string& place, const std::vector<ResultFile>& files) {
  if (place == folder_.path()) {
    put_into(folder_, names_.front(), files);
  } else if (!place.empty()) {
    io::ResultFolder beside(place);
    put_into(beside, names_.front(), files);
  }
  say_where_partial(folder_.path(), place);
}

void ResultUnit::write(std::string place, Json document, std::vector<ResultFile> files,
                       const PrintResult& print) {
  files.insert(files.begin(), {names_.front(), ""});
  add_files(document, place, files);
  files.front().text = io::json_text(document);
  std::exception_ptr failure;
  try {
    put(place, files);
  } catch (const Error&) {
    failure = std::current_exception();
    place.clear();
    add_files(document, place, files);
  }
  print(document, place);
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace presort::app
