#include "presort/app/commands/probe_disk.h"

#include <fmt/format.h>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/core/error.h"
#include "presort/io/json/result_json.h"
#include "presort/io/labels/label_memory.h"
#include "presort/io/machine/provenance.h"
#include "presort/probe/disk/disk_probe.h"

namespace presort::inline v0::app {
namespace {

io::Json value_json(const probe::DiskValue& value) {
  return {{"value", value.value}, {"spread", value.spread}};
}

void print_disk_json(const probe::DiskMeasurement& measured) {
  print_json("probe_disk/1", {{"read_bandwidth", value_json(measured.read_bandwidth)},
                              {"write_bandwidth", value_json(measured.write_bandwidth)},
                              {"latency_ns", value_json(measured.latency_ns)},
                              {"request_ns", value_json(measured.request_ns)},
                              {"queue_depth", measured.queue_depth},
                              {"means", measured.means},
                              {"direct", measured.is_direct},
                              {"provenance", io::provenance_to_json(io::current_provenance())}});
}

Records disk_records(const probe::DiskMeasurement& measured) {
  Records records({"key", "value", "unit", "spread"});
  const auto add = [&records](const char* key, const probe::DiskValue& value, const char* unit) {
    records.begin();
    records.text(key);
    records.number(value.value);
    records.text(unit);
    records.number(value.spread);
  };
  add("read_bandwidth", measured.read_bandwidth, "B/s");
  add("write_bandwidth", measured.write_bandwidth, "B/s");
  add("latency_ns", measured.latency_ns, "ns");
  add("request_ns", measured.request_ns, "ns");
  return records;
}

}  // namespace

int run_probe_disk(const Arguments& arguments) {
  for (const char* other : {"gpu", "machine", "compare", "thorough", "output", "strict"}) {
    if (arguments.has(other)) {
      throw InputError(fmt::format("--disk and {} exclude each other", arguments.shown(other)));
    }
  }
  const OutputForm form = read_form(arguments);
  probe::DiskOptions options;
  options.file_bytes = arguments.has("quick") ? uint64_t{128} << 20 : uint64_t{1} << 30;
  defer_interrupt();
  options.stop = interrupt_token();
  const probe::DiskMeasurement measured = probe::measure_disk(arguments.text("disk"), options);
  if (!measured.is_direct) {
    warn("{}: the page cache cannot be passed there, so the values are those of memory",
         arguments.text("disk"));
  }
  if (is_of_records(form)) {
    print_records(form, disk_records(measured));
  } else if (form == OutputForm::json) {
    print_disk_json(measured);
  } else {
    print_exact(probe::storage_section(measured, io::memory_left_bytes() / 2));
  }
  return kDone;
}

}  // namespace presort::app
