#include "presort/io/machine/machine_gpu.h"

#include <cctype>

#include "presort/core/text/units.h"
#include "presort/io/machine/machine_number.h"
#include "presort/io/yaml/yaml_writer.h"

namespace presort::inline v0::io {
namespace {

double read_launch_ns(const ValueReader& value, double clock_hz) {
  const auto parse = [](std::string_view key, std::string_view text) {
    return parse_duration(key, text);
  };
  return value.as(parse).ns(clock_hz);
}

void read_ceilings(const ValueReader& value, Gpu& gpu) {
  MapReader map = value.map();
  for (const GpuCeiling& ceiling : kGpuCeilings) {
    map.optional(ceiling.key);  // so that a misspelt one is told all there are
  }
  for (const GpuCeiling& ceiling : kGpuCeilings) {
    const ValueReader rate = map.required(ceiling.key);
    gpu.*ceiling.value = ceiling.unit == GpuUnit::bytesPerSecond ? rate.as(parse_bytes_per_second)
                                                                 : rate.as(parse_per_second);
  }
  map.finish();
}

// "atomicsOneAddress" -> "atomics_one_address"
std::string snake_case(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (std::isupper(static_cast<unsigned char>(c))) {
      text += '_';
    }
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

}  // namespace

Gpu read_gpu(const ValueReader& value) {
  MapReader map = value.map();
  Gpu gpu;
  gpu.name = map.required("name").name();
  gpu.architecture = map.required("architecture").name();
  gpu.multiprocessors = read_int(map.required("multiprocessors"));
  gpu.clock_hz = read_clock(map.required("clock"));
  gpu.threads_of_multiprocessor = read_int(map.required("threadsPerMultiprocessor"));
  gpu.shared_bytes_of_multiprocessor = map.required("sharedPerMultiprocessor").as(parse_bytes);
  gpu.shared_bytes_of_block = map.required("sharedPerBlock").as(parse_bytes);
  gpu.l2_bytes = map.required("l2").as(parse_bytes);
  gpu.l2_effective_bytes = map.required("l2Effective").as(parse_bytes);
  gpu.memory_bytes = map.required("memory").as(parse_bytes);
  gpu.launch_ns = read_launch_ns(map.required("launch"), gpu.clock_hz);
  read_ceilings(map.required("ceilings"), gpu);
  map.finish();
  return gpu;
}

std::string gpu_text(const Gpu& gpu) {
  std::string text = "gpu:\n";
  const auto line = [&text](std::string_view key, const std::string& yaml) {
    text.append("  ").append(key).append(": ").append(yaml) += "\n";
  };
  line("name", yaml_scalar(gpu.name));
  line("architecture", yaml_scalar(gpu.architecture));
  line("multiprocessors", std::to_string(gpu.multiprocessors));
  line("clock", exact_frequency(gpu.clock_hz));
  line("threadsPerMultiprocessor", std::to_string(gpu.threads_of_multiprocessor));
  line("sharedPerMultiprocessor", format_bytes(gpu.shared_bytes_of_multiprocessor));
  line("sharedPerBlock", format_bytes(gpu.shared_bytes_of_block));
  line("l2", format_bytes(gpu.l2_bytes));
  line("l2Effective", format_bytes(gpu.l2_effective_bytes));
  line("memory", format_bytes(gpu.memory_bytes));
  line("launch", exact_ns(gpu.launch_ns));
  text += "  ceilings:\n";
  for (const GpuCeiling& ceiling : kGpuCeilings) {
    const double rate = gpu.*ceiling.value;
    line("  " + std::string(ceiling.key),
         ceiling.unit == GpuUnit::bytesPerSecond ? exact_bandwidth(rate) : exact_per_second(rate));
  }
  return text;
}

Json gpu_json(const Gpu& gpu) {
  Json ceilings = Json::object();
  for (const GpuCeiling& ceiling : kGpuCeilings) {
    const bool is_bandwidth = ceiling.unit == GpuUnit::bytesPerSecond;
    ceilings[snake_case(ceiling.key) + (is_bandwidth ? "_bytes_per_second" : "_per_second")] =
        gpu.*ceiling.value;
  }
  return {{"name", gpu.name},
          {"architecture", gpu.architecture},
          {"multiprocessors", gpu.multiprocessors},
          {"clock_hz", gpu.clock_hz},
          {"threads_per_multiprocessor", gpu.threads_of_multiprocessor},
          {"shared_bytes_per_multiprocessor", gpu.shared_bytes_of_multiprocessor},
          {"shared_bytes_per_block", gpu.shared_bytes_of_block},
          {"l2_bytes", gpu.l2_bytes},
          {"l2_effective_bytes", gpu.l2_effective_bytes},
          {"memory_bytes", gpu.memory_bytes},
          {"launch_ns", gpu.launch_ns},
          {"ceilings", ceilings}};
}

}  // namespace presort::io
