#include "presort/app/printing/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/terminal.h"
#include "presort/app/printing/wrap.h"
#include "presort/core/error.h"
#include "presort/io/files/atomic_file.h"

namespace presort::inline v0::app {

namespace fs = std::filesystem;

namespace {

int output_error = 0;  // errno of the first failed write to standard output

void write_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() && output_error == 0) {
    output_error = errno;
  }
}

// The text of a line, which may be broken into several, with the line's style.
std::string styled(const std::string& text, const StyledLine& line) {
  if (line.bytes == line.text.size()) {  // the whole line, however it is broken
    return painted(text, line.style);
  }
  if (line.bytes == 0 || line.begin + line.bytes > text.find('\n')) {
    return text;
  }
  return text.substr(0, line.begin) + painted(text.substr(line.begin, line.bytes), line.style) +
         text.substr(line.begin + line.bytes);
}

}  // namespace

void require_writable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw InputError(path + ": cannot be written: it is a folder");
  }
  io::require_writable_path(path);
}

void print_text(std::string_view text) {
  write_out(wrapped_to(displayable(text), output_columns()));
}

void print_exact(std::string_view text) {
  write_out(displayable(text));
}

void print_lines(const std::vector<StyledLine>& lines) {
  const Terminal terminal = terminal_of(STDOUT_FILENO);
  for (const StyledLine& line : lines) {
    const std::string text = wrapped_to(displayable(line.text), terminal.columns);
    write_out((terminal.colours ? styled(text, line) : text) + "\n");
  }
}

int output_columns() {
  return terminal_of(STDOUT_FILENO).columns;
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
  print_exact(io::json_text(with_schema(schema, document)));
}

}  // namespace presort::app
