// Tiles of a scan in one pass, each of which needs the prefix of the tiles before it, on a machine with
// many cores: when does each tile know its prefix, and when is the last one done?
//   chained     a tile waits for the prefix of the tile before it, then publishes its own
//   decoupled   a tile publishes its own sum at once, then looks back over the sums of a window of tiles
//               at a time, until it meets a published prefix
// Tiles start in their order, when one of the tiles at work is done. A tile that waits sees what another
// one publishes message_ns later; one that looks at what was published long before gets it in look_ns.
// All tiles share one memory, which serves one tile each interval_ns.
// Units:    times in ns, window and look-back in tiles
// Requires: tiles, resident, window >= 1; times >= 0; look_ns <= message_ns
// Source:   Merrill and Garland 2016, §3 (chained scan) and §4.1 (decoupled look-back)
#pragma once

#include <cstdint>

namespace presort::inline v0::sim {

enum class TileWait { chained, decoupled };

struct TileChain {
  TileWait wait = TileWait::decoupled;
  uint64_t tiles = 1;
  uint64_t resident = 1;  // most tiles at work at a time
  uint64_t window = 32;   // tiles whose state a look-back reads at once
  double interval_ns =
      0;                // least time between two tiles, from the bytes that memory moves for a tile
  double local_ns = 0;  // time from the start of a tile to its own sum, if no other tile is at work
  double look_ns = 0;   // time to read what another tile published long before
  double message_ns = 0;  // time from publishing a value to a waiting tile having it
  double finish_ns = 0;   // time from knowing the prefix to the end of the tile
};

struct TileTimes {
  double total_ns = 0;        // time from the first start to the last end
  double mean_look_back = 0;  // mean number of tiles that a tile looked back over
  uint64_t longest_look_back = 0;
};

// Simulates all tiles. Takes some 100 ns a tile.
TileTimes time_tiles(const TileChain& chain);

}  // namespace presort::sim
