// Succeeds when standard input is exactly one JSON document that has all fields named by the
// arguments ("prediction.points") and agrees with the table of its schema, if it has one
// (app/reference/json_fields.h). Otherwise prints what is wrong.
// usage: json_check [FIELD…]          one document
//        json_check --lines [FIELD…]  one document a line, at least one
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "presort/app/reference/json_fields.h"

using presort::io::Json;

namespace {

using Fields = std::vector<std::string>;

bool has_field(const Json& document, const std::string& field) {
  std::string pointer = "/" + field;
  for (char& c : pointer) {
    c = c == '.' ? '/' : c;
  }
  return document.contains(Json::json_pointer(pointer));
}

bool is_right(const std::string& text, const Fields& fields) {
  const Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    std::cerr << "not one JSON document: " << text << '\n';
    return false;
  }
  for (const std::string& field : fields) {
    if (!has_field(document, field)) {
      std::cerr << "no field " << field << '\n';
      return false;
    }
  }
  const Fields differences = document.is_object() && document.contains("schema")
                                 ? presort::app::differences_from_table(document)
                                 : Fields();
  for (const std::string& difference : differences) {
    std::cerr << document["schema"] << ": " << difference << '\n';
  }
  return differences.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Fields fields(argv + 1, argv + argc);
  if (fields.empty() || fields.front() != "--lines") {
    return is_right({std::istreambuf_iterator<char>(std::cin), {}}, fields) ? 0 : 1;
  }
  fields.erase(fields.begin());
  size_t lines = 0;
  for (std::string line; std::getline(std::cin, line); ++lines) {
    if (!is_right(line, fields)) {
      return 1;
    }
  }
  return lines > 0 ? 0 : 1;
}
