// The table of trace formats, and functions that open traces by it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "presort/sim/trace/trace_reader.h"

namespace presort::inline v0::sim {

struct TraceFormat {
  std::string_view name;
  std::string_view extension;    // file name extension of the format, before that of a compression
  std::string_view description;  // one line on the format for help pages
  TraceReaderMaker* make;
};

std::span<const TraceFormat> trace_formats();

struct OpenedTrace {
  std::unique_ptr<TraceReader> reader;
  std::string_view format;
  // The evidence by which the format was guessed: "its extension" or "its content"; empty when it
  // was given
  std::string guessed_by;
};

// Opens a trace, or standard input for "-", compressed or not. Without a given format, the
// extension decides; otherwise the first format of the table that can read the beginning.
// Errors: InputError when it cannot be opened, the format has another name than those of the table,
//         or none can read the beginning. Reading throws as TraceReader::next
OpenedTrace open_trace(const std::string& path, const std::optional<std::string>& format,
                       TraceOptions options);

// Opens a trace whose bytes are in memory.
OpenedTrace open_trace(TraceInput input, const std::optional<std::string>& format,
                       TraceOptions options);

}  // namespace presort::sim
