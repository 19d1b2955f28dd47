#include "tuner/buffer_effects.h"

#include <doctest/doctest.h>

namespace presort::tuner {
namespace {

TEST_CASE("buffers are likely to do what those of the nearest size did, then by the nearest bits") {
  BufferEffects effects;
  CHECK(effects.likely_ratio(256, 8) == 0);  // nothing is known: any difference
  effects.note(64, 8, 1.2);
  CHECK(effects.likely_ratio(512, 12) == doctest::Approx(0.95 * 1.2));
  effects.note(512, 8, 0.9);
  effects.note(512, 11, 0.8);
  CHECK(effects.likely_ratio(64, 12) == doctest::Approx(0.95 * 1.2));
  CHECK(effects.likely_ratio(512, 9) == doctest::Approx(0.95 * 0.9));
  CHECK(effects.likely_ratio(512, 10) == doctest::Approx(0.95 * 0.8));
  CHECK(effects.likely_ratio(256, 8) == doctest::Approx(0.95 * 0.9));  // a factor of 2, not 4
}

}  // namespace
}  // namespace presort::tuner
