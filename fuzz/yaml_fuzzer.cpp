// libFuzzer target of one kind of YAML file: PRESORT_FUZZ_FILE, a function of checks.h. Text is
// refused with an InputError, or keeps what checks.h promises.
#include <cstdint>
#include <string>

#include "fuzz/checks.h"
#include "presort/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    presort::fuzz::PRESORT_FUZZ_FILE(std::string(reinterpret_cast<const char*>(data), size),
                                     "fuzz");
  } catch (const presort::InputError&) {
  }
  return 0;
}
