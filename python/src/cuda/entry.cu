// The functions of libpresort_cuda.so, which python/presort/cuda.py calls. Everything runs on the given
// stream. The host waits for nothing, except for checks of labels.
// Shapes:  labels[n], values[n], out[m], table[m], results[n], in the memory of one GPU
// Returns: 0, or a code of Found with the error's text in `text`, ended by 0, at most `text_bytes` bytes
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include "presort/core/error.h"
#include "presort/gpu/calls.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "python/src/cuda/add.cuh"

namespace presort::python {
namespace {

enum Found : int { kDone = 0, kWrongInput = 1, kWrongLabel = 2, kNoDevice = 3 };

// The GPU that holds the arrays, made the current one as long as this lives.
class DeviceOf {
 public:
  // Errors: InputError for an array that is not in a GPU's memory, or on another GPU than the first;
  //         EnvironmentError when there is no device
  explicit DeviceOf(std::initializer_list<std::pair<const char*, const void*>> arrays) {
    PRESORT_CUDA(cudaGetDevice(&before_));
    int device = -1;
    for (const auto& [name, address] : arrays) {
      if (address == nullptr) {
        continue;  // an array of no elements
      }
      cudaPointerAttributes found{};
      PRESORT_CUDA(cudaPointerGetAttributes(&found, address));
      if (found.type != cudaMemoryTypeDevice && found.type != cudaMemoryTypeManaged) {
        throw InputError(std::string(name) +
                         ": found memory that is not a GPU's, accepted: a GPU's");
      }
      if (device >= 0 && found.device != device) {
        throw InputError(std::string(name) + ": found memory of GPU " +
                         std::to_string(found.device) + ", accepted: GPU " +
                         std::to_string(device) + ", as the array before");
      }
      device = found.device;
    }
    if (device >= 0 && device != before_) {
      PRESORT_CUDA(cudaSetDevice(device));
      changed_ = true;
    }
  }
  ~DeviceOf() {
    if (changed_) {
      cudaSetDevice(before_);
    }
  }
  DeviceOf(const DeviceOf&) = delete;
  DeviceOf& operator=(const DeviceOf&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

void take_text(const std::exception& error, char* text, uint64_t text_bytes) {
  if (text_bytes > 0) {
    std::strncpy(text, error.what(), text_bytes - 1);
    text[text_bytes - 1] = '\0';
  }
}

template <class Call>
int guarded(char* text, uint64_t text_bytes, const Call& call) {
  try {
    call();
    return kDone;
  } catch (const LabelError& error) {
    take_text(error, text, text_bytes);
    return kWrongLabel;
  } catch (const EnvironmentError& error) {
    take_text(error, text, text_bytes);
    return kNoDevice;
  } catch (const std::exception& error) {
    take_text(error, text, text_bytes);
    return kWrongInput;
  }
}

template <class Label, class Word>
void take_as(const void* labels, uint64_t n, const void* table, uint64_t m, void* results,
             const gpu::Call& call) {
  gpu::gather(std::span(static_cast<const Label*>(labels), n),
              std::span(static_cast<const Word*>(table), m),
              std::span(static_cast<Word*>(results), n), call);
}

}  // namespace
}  // namespace presort::python

extern "C" {

// out[labels[j]] += values[j]. sum: 0 u32, 1 u64, 2 f32, 3 f64
__attribute__((visibility("default"))) int presort_cuda_index_add(
    int label_bytes, const void* labels, int sum, const void* values, uint64_t n, void* out,
    uint64_t m, void* stream, int checked, char* text, uint64_t text_bytes) {
  using namespace presort::python;
  return guarded(text, text_bytes, [&] {
    const DeviceOf device({{"out", out}, {"labels", labels}, {"values", values}});
    const AddCall call = {labels,      values, n, out, m, static_cast<cudaStream_t>(stream),
                          checked != 0};
    const auto add = label_bytes == 4 ? add_u32_labels : add_u64_labels;
    add(call, static_cast<Sum>(sum));
  });
}

// results[i] = table[labels[i]], of elements of 4 or 8 bytes
__attribute__((visibility("default"))) int presort_cuda_take(
    int label_bytes, const void* labels, uint64_t n, int value_bytes, const void* table, uint64_t m,
    void* results, void* stream, int checked, char* text, uint64_t text_bytes) {
  using namespace presort::python;
  return guarded(text, text_bytes, [&] {
    const DeviceOf device({{"results", results}, {"indices", labels}, {"table", table}});
    const presort::gpu::Call call = {.stream = static_cast<cudaStream_t>(stream),
                                     .checks_labels = checked != 0};
    const auto take =
        label_bytes == 4
            ? (value_bytes == 4 ? take_as<uint32_t, uint32_t> : take_as<uint32_t, uint64_t>)
            : (value_bytes == 4 ? take_as<uint64_t, uint32_t> : take_as<uint64_t, uint64_t>);
    take(labels, n, table, m, results, call);
  });
}

}  // extern "C"
