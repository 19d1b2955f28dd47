// From how many places of a file's labels, which may differ from place to place, the closed form
// takes its excerpts.
#pragma once

namespace presort::inline v0::predict {

enum class FilePlaces {
  one,      // one excerpt per file: off by 6 % in the median against the simulator, enough to find
            // the plans to look at closely
  several,  // excerpts are added until they agree: off by 4 % in the median
            // (docs/results/closed-form.md)
};

}  // namespace presort::predict
