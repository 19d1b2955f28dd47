#include "presort/probe/disk/disk_probe.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "presort/core/error.h"
#include "presort/io/files/input_file.h"
#include "presort/io/machine/machine_file.h"
#include "tests/io/fixtures.h"

namespace presort::inline v0::probe::disk_probe_test {

using presort::io::test::contains;
using presort::io::test::input_error;
using presort::io::test::TemporaryFolder;

namespace {

DiskMeasurement made_up(double latency_ns) {
  DiskMeasurement measured;
  measured.read_bandwidth = {1.5e9, 0.031};
  measured.write_bandwidth = {2e9, 0.02};
  measured.latency_ns = {latency_ns, 0.05};
  measured.request_ns = {2500, 0.01};
  measured.queue_depth = 32;
  return measured;
}

// The machine file of a test with the section in place of its own end.
Storage read_section(const TemporaryFolder& folder, const std::string& section) {
  const std::string machine = presort::io::read_whole_file(
      presort::io::test::source_path("configs/machines/merom-t5600.yaml"), 1 << 20);
  const Machine read = presort::io::read_machine(folder.write("m.yaml", machine + "\n" + section));
  REQUIRE(read.storage.has_value());
  return *read.storage;
}

}  // namespace

TEST_CASE("a small probe gives values that a device can have, and leaves nothing") {
  const TemporaryFolder folder;
  const DiskMeasurement measured = measure_disk(folder.file("."), {64 << 20, 3, {}});
  CHECK(measured.read_bandwidth.value > 1e6);
  CHECK(measured.write_bandwidth.value > 1e6);
  CHECK(measured.latency_ns.value >= 0);
  CHECK(measured.request_ns.value > 0);
  CHECK(measured.queue_depth >= 1);
  CHECK(std::filesystem::is_empty(folder.file(".")));
}

TEST_CASE("the section is one that machine files may have, with the values that were measured") {
  const TemporaryFolder folder;
  const Storage ssd = read_section(folder, storage_section(made_up(80000), 1 << 30));
  CHECK(ssd.kind == DeviceKind::ssd);
  CHECK(ssd.latency_ns == doctest::Approx(80000));
  CHECK(ssd.request_ns == doctest::Approx(2500));
  CHECK(ssd.read_bandwidth == doctest::Approx(1.5e9));
  CHECK(ssd.write_bandwidth == doctest::Approx(2e9));
  CHECK(ssd.queue_depth == 32);
  CHECK(ssd.page_cache_bytes == 1 << 30);
  const Storage disk = read_section(folder, storage_section(made_up(12e6), 1 << 30));
  CHECK(disk.kind == DeviceKind::disk);
  // Seek and half a turn add up to the latency that was measured
  CHECK(disk.seek_ns + disk.rotation_ns / 2 == doctest::Approx(12e6));
}

TEST_CASE("a folder that is not there, and a stop") {
  CHECK(contains(input_error([] { measure_disk("/nowhere/at/all"); }),
                 "/nowhere/at/all: no spill file can be made there"));
  const TemporaryFolder folder;
  const std::atomic<bool> asked = true;
  CHECK_THROWS_AS(measure_disk(folder.file("."), {64 << 20, 3, StopToken(asked)}), Stopped);
}

}  // namespace presort::probe::disk_probe_test
