// From how many places of a file's labels, which may differ from place to place, the closed form
// takes its excerpts.
#pragma once

namespace presort::inline v0::predict {

enum class FilePlaces {
  one,      // off by 6 % in the median beside the simulator: tells which plans are worth more
  several,  // until they agree: 4 % (docs/results/closed-form.md)
};

}  // namespace presort::predict
