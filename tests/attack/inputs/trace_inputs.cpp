// Attacks trace readers with mutated traces of all formats: plain, compressed, and changed before
// compression.
#include <optional>

#include "fuzz/checks.h"
#include "input_kind.h"
#include "mutate.h"
#include "pack.h"
#include "presort/sim/trace/trace_formats.h"

namespace presort::inline v0::attack {
namespace {

struct Packing {
  std::string_view ending;
  Pack pack;
  Pack unpack;
};
// Compression of a trace by the ending of its file's name. presort's own format is compressed with zstd
// and ends in .presort.
constexpr Packing kPackings[] = {{".gz", pack_gzip, unpack_gzip},
                                 {".xz", pack_xz, unpack_xz},
                                 {".zst", pack_zstd, unpack_zstd},
                                 {".presort", pack_zstd, unpack_zstd}};

bool is_text(const std::string& name) {
  return name.find(".champsim") == std::string::npos && !name.ends_with(".presort");
}

std::string change_plain(Draw& draw, const Seed& seed, const std::string& plain) {
  return is_text(seed.name) ? change_text(draw, plain, plain, Syntax::yaml)
                            : change_bytes(draw, plain);
}

std::string changed(Draw& draw, const Seed& seed) {
  for (const Packing& packing : kPackings) {
    if (seed.name.ends_with(packing.ending)) {
      return draw.chance(50)
                 ? change_bytes(draw, seed.content)
                 : pack_oddly(draw, change_plain(draw, seed, packing.unpack(seed.content)),
                              packing.pack);
    }
  }
  const std::string plain = change_plain(draw, seed, seed.content);
  return draw.chance(20) ? pack_oddly(draw, plain, kPackings[draw.below(3)].pack) : plain;
}

// Name of the trace format that a reader is told: the right format, any format, or none, so that the
// reader guesses.
std::optional<std::string> format_of(Draw& draw, const Seed& seed) {
  if (draw.chance(20)) {
    return std::nullopt;
  }
  if (draw.chance(10)) {
    return std::string(draw.of(sim::trace_formats()).name);
  }
  for (const sim::TraceFormat& format : sim::trace_formats()) {
    if (seed.name.find("." + std::string(format.name)) != std::string::npos) {
      return std::string(format.name);
    }
  }
  return std::nullopt;
}

}  // namespace

void run_trace(Draw& draw, Case& input) {
  const Seed& seed = draw.of(input.seeds);
  input.name = seed.name;
  input.input = changed(draw, seed);
  fuzz::read_trace(input.input, seed.name, format_of(draw, seed),
                   {.instructions = draw.chance(30)});
}

}  // namespace presort::attack
