// Writes results to standard output: text and JSON documents.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "presort/app/printing/style.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

// Refuses an output file that cannot be written, before the work instead of after it.
// Errors: InputError when a file at `path` could not be created or replaced
void require_writable(const std::string& path);

// Prints text for people on standard output, made displayable (app/printing/displayable.h);
// newlines stay, and on a terminal long lines are broken to its width (app/printing/wrap.h).
// Never fails, so that work still to do, such as writing files, is not lost; require_output()
// reports a failed write.
void print_text(std::string_view text);

// Prints lines for people as print_text does, with their styles where standard output is a terminal
// that shows colours.
void print_lines(const std::vector<StyledLine>& lines);

// Prints text for programs, or to be copied (JSON, CSV, scripts): as print_text does, but no line
// is broken.
void print_exact(std::string_view text);

// Width of the terminal that standard output is, in columns; 0: it is none.
int output_columns();

template <class... T>
void print_out(fmt::format_string<T...> format, T&&... values) {
  print_text(fmt::format(format, std::forward<T>(values)...));
}

// The document with a first field `schema`, which names its kind and version: "tune/1". The version
// rises when a field changes its meaning, but not when a field is added.
io::Json with_schema(std::string_view schema, const io::Json& document);

// Prints one JSON document on stdout, with its schema.
void print_json(std::string_view schema, const io::Json& document);

// Flushes standard output, so that what was printed so far stands before what is said on standard
// error.
void flush_output();

// Checks that standard output could be written: called after the last text, and in between where
// results are a stream without end.
// Errors: EnvironmentError when any text so far could not be written
void require_output();

}  // namespace presort::app
