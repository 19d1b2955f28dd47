#!/usr/bin/env bash
# Builds and runs a CUDA project that uses presort: once by its installed headers, once as a subdirectory.
# usage: consumer_test.sh SOURCE_DIR BUILD_DIR CMAKE CUDA_COMPILER
set -euo pipefail
source_dir=$1 build_dir=$2 cmake=$3 nvcc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)
if(CMAKE_VERSION VERSION_LESS 3.25.2)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
if(PRESORT_SOURCE)
  set(PRESORT_CUDA on)
  add_subdirectory(${PRESORT_SOURCE} presort)
else()
  find_package(presort REQUIRED COMPONENTS gpu)
endif()
add_executable(consumer consumer.cu)
target_link_libraries(consumer PRIVATE presort::gpu)
END
cat >"$work/project/consumer.cu" <<'END'
#include <presort/gpu/check_flags.cuh>
#include <presort/gpu/check_labels.cuh>
#include <presort/gpu/check_offsets.cuh>
#include <presort/gpu/compact.cuh>
#include <presort/gpu/device_array.cuh>
#include <presort/gpu/gather.cuh>
#include <presort/gpu/histogram.cuh>
#include <presort/gpu/multireduce.cuh>
#include <presort/gpu/partial_sort.cuh>
#include <presort/gpu/reduce_by_key.cuh>
#include <presort/gpu/scan.cuh>
#include <presort/gpu/scatter.cuh>
#include <presort/gpu/segmented_reduce.cuh>
#include <presort/gpu/segmented_scan.cuh>

#include <cstdio>
#include <vector>

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no device");
    return 0;
  }
  using presort::gpu::DeviceArray;
  const std::vector<uint32_t> labels = {3, 1, 3, 3, 0}, values = {2, 0, 1, 2, 2};
  const DeviceArray<uint32_t> device_labels(5), device_values(5), sums(4);
  device_labels.copy_from(labels);
  device_values.copy_from(values);
  sums.copy_from(std::vector<uint32_t>(4, 0));
  const presort::GpuPlan plan = presort::parse_gpu_plan("strategy=sharedSets");
  presort::gpu::multireduce(nullptr, device_labels.read_only(), device_values.read_only(),
                            sums.span(), presort::Sum<uint32_t>{}, plan, {});
  std::vector<uint32_t> found(4);
  sums.copy_to(found);
  std::printf("%u %u %u %u\n", found[0], found[1], found[2], found[3]);
  return 0;
}
END
"$cmake" --install "$build_dir" --prefix "$work/prefix" >/dev/null
for way in installed subdirectory; do
  case $way in
    installed) place=(-DCMAKE_PREFIX_PATH="$work/prefix") ;;
    subdirectory)
      place=(-DPRESORT_SOURCE="$source_dir")
      # Every header compiled the first way; now only whether headers are found is in question.
      sed -i '/gpu\/\(device_array\|multireduce\)\.cuh/!{/#include <presort/d}' "$work/project/consumer.cu"
      ;;
  esac
  "$cmake" -S "$work/project" -B "$work/$way" "${place[@]}" -DCMAKE_CUDA_COMPILER="$nvcc" \
    -DCMAKE_CUDA_ARCHITECTURES=90 >"$work/log.txt" 2>&1 &&
    "$cmake" --build "$work/$way" --target consumer >"$work/log.txt" 2>&1 ||
    fail "$way: the consumer does not build: $(cat "$work/log.txt")"
  found=$("$work/$way/consumer")
  [[ $found == "no device" || $found == "2 0 0 5" ]] || fail "$way: found: $found"
  echo "consumer, $way: $found"
done
