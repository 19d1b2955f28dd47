#include "presort/app/printing/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "presort/app/printing/displayable.h"
#include "presort/core/error.h"
#include "presort/io/files/atomic_file.h"

namespace presort::inline v0::app {

namespace fs = std::filesystem;

namespace {

int output_error = 0;  // errno of the first failed write to standard output

}  // namespace

void require_writable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw InputError(path + ": cannot be written: it is a folder");
  }
  io::require_writable_path(path);
}

void print_text(std::string_view text) {
  const std::string shown = displayable(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) < shown.size() && output_error == 0) {
    output_error = errno;
  }
}

void flush_output() {
  if (std::fflush(stdout) != 0 && output_error == 0) {
    output_error = errno;
  }
}

void require_output() {
  flush_output();
  if (output_error != 0) {
    throw EnvironmentError(
        fmt::format("standard output cannot be written: {}",
                    output_error == EBADF ? "it is closed" : std::strerror(output_error)));
  }
}

io::Json with_schema(std::string_view schema, const io::Json& document) {
  io::Json result = {{"schema", schema}};
  result.update(document);
  return result;
}

void print_json(std::string_view schema, const io::Json& document) {
  print_text(io::json_text(with_schema(schema, document)));
}

}  // namespace presort::app
