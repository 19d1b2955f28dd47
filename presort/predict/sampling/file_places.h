// From how many places of a label file the closed form takes its excerpts: labels may be
// distributed differently from place to place.
#pragma once

namespace presort::inline v0::predict {

enum class FilePlaces {
  // One excerpt per file: predictions differ by 6 % in the median from the simulator's, good enough
  // to find the plans that deserve a closer look
  one,
  // Excerpts until they agree: predictions differ by 4 % in the median from the simulator's
  several,
};

}  // namespace presort::predict
