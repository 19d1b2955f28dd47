#include "presort/sim/trace/trace_formats.h"

#include <vector>

#include "presort/core/error.h"
#include "presort/core/text/names.h"

namespace presort::inline v0::sim {

// Makers of the readers, each in a file of readers/ that describes its format.
TraceReaderMaker read_presort, read_lackey, read_din, read_xdin, read_csv, read_champsim;

namespace {

constexpr TraceFormat kFormats[] = {
    {"presort", ".presort", "our own, compact: what --record writes", read_presort},
    {"lackey", ".lackey", "text of valgrind --tool=lackey --trace-mem=yes", read_lackey},
    {"din", ".din", "text of Dinero: type 0, 1 or 2, address", read_din},
    {"xdin", ".xdin", "text of Dinero IV: type r, w, i, …, address, size", read_xdin},
    {"csv", ".csv", "text with a header: address, kind, size, instruction, …", read_csv},
    {"champsim", ".champsim", "ChampSim's 64-byte records, one an instruction", read_champsim},
};

constexpr std::string_view kCompressedEndings[] = {".gz", ".xz", ".zst"};

const TraceFormat& find_format(const std::string& name) {
  std::vector<std::string> accepted;
  for (const TraceFormat& format : kFormats) {
    if (format.name == name) {
      return format;
    }
    accepted.emplace_back(format.name);
  }
  throw InputError(unknown_name_message("format of a trace", name, accepted));
}

const TraceFormat* by_extension(std::string_view name) {
  for (const std::string_view compression : kCompressedEndings) {
    if (name.ends_with(compression)) {
      name.remove_suffix(compression.size());
      break;
    }
  }
  for (const TraceFormat& format : kFormats) {
    if (name.ends_with(format.extension)) {
      return &format;
    }
  }
  return nullptr;
}

// True if the reader of a format gets at least one record out of the beginning of a trace.
bool can_read(const TraceFormat& format, std::string_view head) {
  const std::string name = "the beginning";
  TraceInput input(name, bytes_of(name, std::string(head)));
  try {
    return !format.make(std::move(input), {.instructions = true})->next().empty();
  } catch (const InputError&) {
    return false;
  }
}

const TraceFormat& by_content(TraceInput& input) {
  constexpr size_t kHeadBytes = size_t{1} << 14;
  const std::string_view head = input.peek(kHeadBytes);
  if (head.empty()) {
    throw InputError(input.name() + ": the trace is empty");
  }
  std::vector<std::string> accepted;
  for (const TraceFormat& format : kFormats) {
    if (can_read(format, head)) {
      return format;
    }
    accepted.emplace_back(format.name);
  }
  std::string names;
  for (const std::string& name : accepted) {
    names += (names.empty() ? "" : ", ") + name;
  }
  throw InputError(input.name() + ": the beginning is of none of the formats " + names);
}

}  // namespace

std::span<const TraceFormat> trace_formats() {
  return kFormats;
}

OpenedTrace open_trace(TraceInput input, const std::optional<std::string>& format,
                       TraceOptions options) {
  OpenedTrace trace;
  const TraceFormat* chosen = nullptr;
  if (format) {
    chosen = &find_format(*format);
  } else if ((chosen = by_extension(input.name())) != nullptr) {
    trace.guessed_by = "its extension";
  } else {
    chosen = &by_content(input);
    trace.guessed_by = "its content";
  }
  trace.format = chosen->name;
  trace.reader = chosen->make(std::move(input), options);
  return trace;
}

OpenedTrace open_trace(const std::string& path, const std::optional<std::string>& format,
                       TraceOptions options) {
  if (format) {
    find_format(*format);  // throws for an unknown name before anything is read
  }
  return open_trace(TraceInput(shown_path(path), open_bytes(path)), format, options);
}

}  // namespace presort::sim
