// The functions of libpresort_cuda.so, which python/presort/cuda.py calls. Everything runs on the
// given stream. The host waits for nothing, except for checks of labels.
// Shapes:  labels[n], values[n], rows[n][columns], results as values or rows; buckets, table and
//          counts[m], of rows [m][columns]; in the memory of one GPU
// device:  the GPU that holds all arrays; -1: not known, it is found out and checked
// Returns: 0, or a code of Found; the error's sentence is then that of presort_cuda_error
#include <cuda_runtime.h>

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>
#include <utility>

#include "presort/core/error.h"
#include "presort/gpu/host/cuda_check.h"
#include "python/src/cuda/groups.cuh"
#include "python/src/cuda/moves.cuh"
#include "python/src/cuda/reduce.cuh"
#include "python/src/cuda/rows.cuh"
#include "python/src/cuda/scan.cuh"
#include "python/src/cuda/sort.cuh"

namespace presort::python {
namespace {

enum Found : int { kDone = 0, kWrongInput = 1, kWrongLabel = 2, kNoDevice = 3 };

using Arrays = std::initializer_list<std::pair<const char*, const void*>>;

// The GPU that holds the arrays.
// Errors: InputError for an array that is not in a GPU's memory, or on another GPU than the first
int device_of(int before, Arrays arrays) {
  int device = -1;
  for (const auto& [name, address] : arrays) {
    if (address == nullptr) {
      continue;  // an array of no elements
    }
    cudaPointerAttributes found{};
    PRESORT_CUDA(cudaPointerGetAttributes(&found, address));
    if (found.type != cudaMemoryTypeDevice && found.type != cudaMemoryTypeManaged) {
      throw InputError(std::string(name) + ": found memory that is not a GPU's, accepted: a GPU's");
    }
    if (device >= 0 && found.device != device) {
      throw InputError(std::string(name) + ": found memory of GPU " + std::to_string(found.device) +
                       ", accepted: GPU " + std::to_string(device) + ", as the array before");
    }
    device = found.device;
  }
  return device >= 0 ? device : before;
}

// A GPU that is made the current one as long as this lives.
class CurrentDevice {
 public:
  // device: -1 if it is not known. Errors: EnvironmentError when there is no device; those of
  //         device_of
  CurrentDevice(int device, Arrays arrays) {
    PRESORT_CUDA(cudaGetDevice(&before_));
    const int needed = device >= 0 ? device : device_of(before_, arrays);
    if (needed != before_) {
      PRESORT_CUDA(cudaSetDevice(needed));
      changed_ = true;
    }
  }
  ~CurrentDevice() {
    if (changed_) {
      cudaSetDevice(before_);
    }
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

std::string& last_error() {
  thread_local std::string text;
  return text;
}

int failed(const std::exception& error, Found found) {
  last_error() = error.what();
  return found;
}

// Runs call() on the arrays' GPU; errors become codes.
template <class Call>
int guarded(int device, Arrays arrays, const Call& call) {
  try {
    const CurrentDevice current(device, arrays);
    call();
    return kDone;
  } catch (const LabelError& error) {
    return failed(error, kWrongLabel);
  } catch (const EnvironmentError& error) {
    return failed(error, kNoDevice);
  } catch (const std::exception& error) {
    return failed(error, kWrongInput);
  }
}

Labels labels_of(int bytes, const void* data, uint64_t n, uint64_t m, void* stream, int checked) {
  return {bytes, data, n, m, static_cast<cudaStream_t>(stream), checked != 0};
}

}  // namespace
}  // namespace presort::python

#define PRESORT_EXPORT extern "C" __attribute__((visibility("default")))

// The sentence of the error that this thread's last failed call had.
PRESORT_EXPORT const char* presort_cuda_error() {
  return presort::python::last_error().c_str();
}

// buckets[labels[j]] ⊙= values[j]. element and reduce: elements.cuh
PRESORT_EXPORT int presort_cuda_reduce(int label_bytes, const void* labels, int element, int reduce,
                                       const void* values, uint64_t n, void* buckets, uint64_t m,
                                       void* stream, int checked, int device) {
  using namespace presort::python;
  return guarded(device, {{"out", buckets}, {"labels", labels}, {"values", values}}, [&] {
    presort::python::reduce(labels_of(label_bytes, labels, n, m, stream, checked),
                            static_cast<Element>(element), static_cast<Reduce>(reduce), values,
                            buckets);
  });
}

// buckets[labels[j]][d] += rows[j][d], in order
PRESORT_EXPORT int presort_cuda_add_rows(int label_bytes, const void* labels, int element,
                                         const void* rows, uint64_t n, void* buckets, uint64_t m,
                                         uint64_t columns, void* stream, int checked, int device) {
  using namespace presort::python;
  return guarded(device, {{"out", buckets}, {"labels", labels}, {"values", rows}}, [&] {
    add_rows(labels_of(label_bytes, labels, n, m, stream, checked), static_cast<Element>(element),
             rows, columns, buckets);
  });
}

// counts[labels[j]] += 1, of counts of 4 or 8 bytes
PRESORT_EXPORT int presort_cuda_count(int label_bytes, const void* labels, uint64_t n,
                                      int count_bytes, void* counts, uint64_t m, void* stream,
                                      int checked, int device) {
  using namespace presort::python;
  return guarded(device, {{"out", counts}, {"labels", labels}}, [&] {
    count(labels_of(label_bytes, labels, n, m, stream, checked), count_bytes, counts);
  });
}

// buckets[labels[j]] = values[j], the last one winning; elements of 4 or 8 bytes
PRESORT_EXPORT int presort_cuda_scatter(int label_bytes, const void* labels, int value_bytes,
                                        const void* values, uint64_t n, void* buckets, uint64_t m,
                                        void* stream, int checked, int device) {
  using namespace presort::python;
  return guarded(device, {{"out", buckets}, {"labels", labels}, {"values", values}}, [&] {
    scatter(labels_of(label_bytes, labels, n, m, stream, checked), value_bytes, values, buckets);
  });
}

// results[i] = table[labels[i]], of elements of 4 or 8 bytes
PRESORT_EXPORT int presort_cuda_take(int label_bytes, const void* labels, uint64_t n,
                                     int value_bytes, const void* table, uint64_t m, void* results,
                                     void* stream, int checked, int device) {
  using namespace presort::python;
  return guarded(device, {{"out", results}, {"indices", labels}, {"table", table}}, [&] {
    take(labels_of(label_bytes, labels, n, m, stream, checked), value_bytes, table, results);
  });
}

// results[i][d] = table[labels[i]][d], of elements of 2, 4 or 8 bytes
PRESORT_EXPORT int presort_cuda_take_rows(int label_bytes, const void* labels, uint64_t n,
                                          int value_bytes, const void* table, uint64_t m,
                                          uint64_t columns, void* results, void* stream,
                                          int checked, int device) {
  using namespace presort::python;
  return guarded(device, {{"out", results}, {"indices", labels}, {"table", table}}, [&] {
    take_rows(labels_of(label_bytes, labels, n, m, stream, checked), value_bytes, table, columns,
              results);
  });
}

// results[i] = buckets[labels[i]] + the values before input i with its label, and its own if
// `inclusive`; then buckets[labels[j]] += values[j]
PRESORT_EXPORT int presort_cuda_scan(int label_bytes, const void* labels, int element,
                                     int inclusive, const void* values, uint64_t n, void* buckets,
                                     uint64_t m, void* results, void* stream, int checked,
                                     int device) {
  using namespace presort::python;
  return guarded(
      device, {{"out", results}, {"labels", labels}, {"values", values}, {"sums", buckets}}, [&] {
        scan(labels_of(label_bytes, labels, n, m, stream, checked), static_cast<Element>(element),
             inclusive != 0, values, buckets, results);
      });
}

// results[i] = counts[labels[i]] + the number of inputs before i with its label; then
// counts[labels[j]] += 1
PRESORT_EXPORT int presort_cuda_tag(int label_bytes, const void* labels, uint64_t n,
                                    int count_bytes, void* counts, uint64_t m, void* results,
                                    void* stream, int checked, int device) {
  using namespace presort::python;
  return guarded(device, {{"out", results}, {"labels", labels}, {"counts", counts}}, [&] {
    tag(labels_of(label_bytes, labels, n, m, stream, checked), count_bytes, counts, results);
  });
}

// Labels and values in the order of the top `bits` bits of labels, which have the bits that m
// buckets need; starts[2^bits + 1] of 8 bytes
PRESORT_EXPORT int presort_cuda_sort(int label_bytes, const void* labels, int value_bytes,
                                     const void* values, uint64_t n, uint64_t m, int bits,
                                     void* sorted_labels, void* sorted_values, void* starts,
                                     void* stream, int checked, int device) {
  using namespace presort::python;
  return guarded(device,
                 {{"out_labels", sorted_labels},
                  {"out_values", sorted_values},
                  {"starts", starts},
                  {"labels", labels},
                  {"values", values}},
                 [&] {
                   sort(labels_of(label_bytes, labels, n, m, stream, checked), value_bytes, values,
                        bits, sorted_labels, sorted_values, starts);
                 });
}

// Sums of values by key into sums[room] of group_keys[room], and counts[room] of 4 bytes unless it
// is null. The number of groups goes to device_count, in device memory; if that is null, to
// *host_count, for which the host waits.
PRESORT_EXPORT int presort_cuda_group_sum(int key_bytes, const void* keys, int element,
                                          const void* values, uint64_t n, void* group_keys,
                                          void* sums, void* counts, uint64_t room,
                                          void* device_count, void* host_count, void* stream,
                                          int device) {
  using namespace presort::python;
  return guarded(device,
                 {{"out_keys", group_keys},
                  {"out_sums", sums},
                  {"out_counts", counts},
                  {"count", device_count},
                  {"keys", keys},
                  {"values", values}},
                 [&] {
                   const uint64_t found = group_sum({.key_bytes = key_bytes,
                                                     .keys = keys,
                                                     .values = values,
                                                     .n = n,
                                                     .group_keys = group_keys,
                                                     .sums = sums,
                                                     .counts = static_cast<uint32_t*>(counts),
                                                     .room = room,
                                                     .stream = static_cast<cudaStream_t>(stream)},
                                                    static_cast<Element>(element),
                                                    static_cast<uint64_t*>(device_count));
                   if (device_count == nullptr) {
                     *static_cast<uint64_t*>(host_count) = found;
                   }
                 });
}
