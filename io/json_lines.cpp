#include "io/json_lines.h"

#include <zlib.h>

#include <memory>
#include <sstream>

#include "core/error.h"

namespace presort::io {

using OrderedJson = nlohmann::ordered_json;

// Plain files too: gzread passes over what is not compressed.
std::string read_maybe_compressed(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) {
    throw EnvironmentError(path + ": cannot be read");
  }
  std::string text;
  char block[1 << 16];
  for (;;) {
    const int got = gzread(file.get(), block, sizeof block);
    if (got < 0) {
      throw InputError(path + ": the compressed data are damaged");
    }
    if (got == 0) {
      return text;
    }
    text.append(block, static_cast<size_t>(got));
  }
}

void for_each_json_line(const std::string& text, const std::string& file, const std::string& what,
                        const std::function<void(const OrderedJson&)>& read) {
  std::istringstream lines(text);
  std::string line;
  bool any = false;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) {
      continue;
    }
    const std::string where = file + ":" + std::to_string(number) + ": ";
    try {
      read(OrderedJson::parse(line));
    } catch (const OrderedJson::exception& error) {
      throw InputError(where + "no " + what + ": " + error.what());
    } catch (const InputError& error) {
      throw InputError(where + error.what());
    }
    any = true;
  }
  if (!any) {
    throw InputError(file + ": no result is in it");
  }
}

}  // namespace presort::io
