#include "presort/cpu/memory/available_memory.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/text/byte_text.h"
#include "presort/cpu/memory/memory_groups.h"

namespace presort::inline v0::cpu {
namespace {

// Text of a file of /proc or of a control group; "" when it cannot be read. Reads without C++ streams, to
// be fast: every request for scratch reads such files.
std::string text_of(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return "";
  }
  std::string text;
  std::array<char, 4096> block;
  for (ssize_t got; (got = read(file, block.data(), block.size())) > 0;) {
    text.append(block.data(), static_cast<size_t>(got));
  }
  close(file);
  return text;
}

uint64_t physical_memory() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t memory_of_machine() {
  const std::string text = text_of("/proc/meminfo");
  constexpr std::string_view kField = "MemAvailable:";
  const size_t place = text.find(kField);
  if (place != std::string::npos) {
    constexpr uint64_t kKibibyte = 1024;
    return std::stoull(text.substr(place + kField.size())) * kKibibyte;
  }
  return physical_memory();
}

uint64_t room_in(const MemoryGroup& group) {
  const auto file = [&](const char* name) { return text_of(group.folder + "/" + name); };
  const bool two = group.version == GroupVersion::two;
  GroupTexts texts;
  texts.limit = file(two ? "memory.max" : "memory.limit_in_bytes");
  texts.high = two ? file("memory.high") : "";
  if (limit_of_group(texts) >= physical_memory()) {
    return kNoLimit;  // limits this high or higher, bytes, mean no limit
  }
  texts.usage = file(two ? "memory.current" : "memory.usage_in_bytes");
  texts.statistics = file("memory.stat");
  return room_in_group(texts);
}

// Bytes that a control group is charged beside `bytes` bytes of data: page tables (8 bytes for each page
// of 4 KiB), kernel stacks of threads, pages that each processor takes ahead. Measured without this: in a
// group of 200 MiB, a run that took 99 % of what was left was killed.
uint64_t charged_beside(uint64_t bytes) {
  constexpr uint64_t kLeast = uint64_t{2} << 20;
  return std::min(bytes, kLeast + bytes / 128);
}

uint64_t memory_of_groups() {
  static const std::vector<MemoryGroup> groups =
      memory_groups(text_of("/proc/self/cgroup"), text_of("/proc/self/mountinfo"));
  uint64_t least = kNoLimit;
  for (const MemoryGroup& group : groups) {
    least = std::min(least, room_in(group));
  }
  return least == kNoLimit ? kNoLimit : least - charged_beside(least);
}

template <class Resource>
uint64_t soft_limit(Resource resource) {
  rlimit limit{};
  const bool known = getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return known ? limit.rlim_cur : kNoLimit;
}

uint64_t memory_of_process() {
  const uint64_t address = soft_limit(RLIMIT_AS);
  const uint64_t data = soft_limit(RLIMIT_DATA);
  if (address == kNoLimit && data == kNoLimit) {
    return kNoLimit;
  }
  return room_in_process(address, data, text_of("/proc/self/statm"),
                         static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace

uint64_t available_memory_bytes() {
  return std::min({memory_of_machine(), memory_of_groups(), memory_of_process()});
}

void require_memory(uint64_t bytes) {
  const uint64_t available = available_memory_bytes();
  if (bytes > available) {
    throw EnvironmentError(memory_shortage(bytes, available));
  }
}

}  // namespace presort::cpu
