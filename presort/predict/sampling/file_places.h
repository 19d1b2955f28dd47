// From how many places of a label file the closed form takes its excerpts: labels may be
// distributed differently from place to place.
#pragma once

namespace presort::inline v0::predict {

enum class FilePlaces {
  // One excerpt per file: off by 6 % in the median against the simulator, enough to find the plans
  // to look at closely
  one,
  several,  // Excerpts until they agree: off by 4 % in the median (docs/results/closed-form.md)
};

}  // namespace presort::predict
