#include "presort/io/machine/machine_storage.h"

#include "presort/core/text/units.h"
#include "presort/io/machine/machine_number.h"
#include "presort/io/yaml/yaml_writer.h"

namespace presort::inline v0::io {
namespace {

double nanoseconds(const ValueReader& value, double clock_hz) {
  const auto parse = [](std::string_view key, std::string_view text) {
    return parse_duration(key, text);
  };
  return value.as(parse).ns(clock_hz);
}

void read_page_cache(MapReader& map, Storage& storage) {
  storage.page_cache_bytes = map.required("pageCache").as(parse_bytes);
  if (const auto page = map.optional("pageSize")) {
    storage.page_bytes = page->as(parse_bytes);
  }
  if (const auto ahead = map.optional("readAhead")) {
    storage.read_ahead_bytes = ahead->as(parse_bytes);
  }
  if (const auto cluster = map.optional("writeCluster")) {
    storage.write_cluster_bytes = cluster->as(parse_bytes);
  }
  if (const auto faults = map.optional("faults")) {
    storage.faults = read_int(*faults);
  }
}

void read_device(MapReader& map, double clock_hz, Storage& storage) {
  storage.queue_depth = read_int(map.required("queueDepth"));
  if (const auto latency = map.optional("latency")) {
    storage.latency_ns = nanoseconds(*latency, clock_hz);
  }
  if (const auto request = map.optional("requestTime")) {
    storage.request_ns = nanoseconds(*request, clock_hz);
  }
  storage.read_bandwidth = map.required("readBandwidth").as(parse_bytes_per_second);
  storage.write_bandwidth = map.required("writeBandwidth").as(parse_bytes_per_second);
}

}  // namespace

Storage read_storage(const ValueReader& value, double clock_hz) {
  MapReader map = value.map();
  Storage storage;
  storage.kind = map.required("kind").one_of(kDeviceKinds);
  read_page_cache(map, storage);
  read_device(map, clock_hz, storage);
  if (storage.kind == DeviceKind::disk) {
    storage.seek_ns = nanoseconds(map.required("seek"), clock_hz);
    storage.rotation_ns = nanoseconds(map.required("rotation"), clock_hz);
  } else {
    storage.erase_block_bytes = map.required("eraseBlock").as(parse_bytes);
    storage.over_provisioning = map.required("overProvisioning").as(parse_ratio);
  }
  map.finish();
  return storage;
}

std::string storage_text(const Storage& storage) {
  FlowMap map;
  map.add("kind", to_name(kDeviceKinds, storage.kind))
      .add("pageCache", format_bytes(storage.page_cache_bytes))
      .add("pageSize", format_bytes(storage.page_bytes))
      .add("readAhead", format_bytes(storage.read_ahead_bytes))
      .add("writeCluster", format_bytes(storage.write_cluster_bytes))
      .add_number("faults", static_cast<uint64_t>(storage.faults))
      .add_number("queueDepth", static_cast<uint64_t>(storage.queue_depth))
      .add("latency", exact_ns(storage.latency_ns))
      .add("requestTime", exact_ns(storage.request_ns))
      .add("readBandwidth", exact_bandwidth(storage.read_bandwidth))
      .add("writeBandwidth", exact_bandwidth(storage.write_bandwidth));
  if (storage.kind == DeviceKind::disk) {
    map.add("seek", exact_ns(storage.seek_ns)).add("rotation", exact_ns(storage.rotation_ns));
  } else {
    map.add("eraseBlock", format_bytes(storage.erase_block_bytes))
        .add("overProvisioning", exact_number(storage.over_provisioning));
  }
  return "storage: " + map.str() + "\n";
}

Json storage_json(const Storage& storage) {
  return {{"kind", to_name(kDeviceKinds, storage.kind)},
          {"page_cache_bytes", storage.page_cache_bytes},
          {"page_bytes", storage.page_bytes},
          {"read_ahead_bytes", storage.read_ahead_bytes},
          {"write_cluster_bytes", storage.write_cluster_bytes},
          {"faults", storage.faults},
          {"queue_depth", storage.queue_depth},
          {"latency_ns", storage.latency_ns},
          {"request_ns", storage.request_ns},
          {"read_bandwidth_bytes_per_second", storage.read_bandwidth},
          {"write_bandwidth_bytes_per_second", storage.write_bandwidth},
          {"seek_ns", storage.seek_ns},
          {"rotation_ns", storage.rotation_ns},
          {"erase_block_bytes", storage.erase_block_bytes},
          {"over_provisioning", storage.over_provisioning}};
}

}  // namespace presort::io
