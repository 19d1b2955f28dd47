// Succeeds when standard input is exactly one JSON document that has all fields named by the
// arguments ("prediction.points"); says what is wrong otherwise.
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

int main(int argc, char** argv) {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    std::cerr << "not one JSON document: " << text << '\n';
    return 1;
  }
  for (int i = 1; i < argc; ++i) {
    std::string pointer = argv[i];
    for (char& c : pointer) {
      c = c == '.' ? '/' : c;
    }
    pointer.insert(pointer.begin(), '/');
    if (!document.contains(nlohmann::json::json_pointer(pointer))) {
      std::cerr << "no field " << argv[i] << '\n';
      return 1;
    }
  }
  return 0;
}
