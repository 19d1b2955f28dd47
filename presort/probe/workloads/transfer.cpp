// Times loads of lines that another core has written and still holds.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "presort/probe/host/affinity.h"
#include "presort/probe/workloads/chase.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {
namespace {

constexpr int kTransferSlices = 4;

// Writes the lines of all nodes twice on another CPU, and keeps that CPU awake until the object
// goes: caches of a CPU that sleeps may be flushed.
class OtherWriter {
 public:
  OtherWriter(Chain& chain, int cpu) : thread_([this, &chain, cpu] { write(chain, cpu); }) {
    while (!written_.load(std::memory_order_acquire)) {
    }
  }
  ~OtherWriter() {
    done_.store(true, std::memory_order_relaxed);
    thread_.join();
  }
  OtherWriter(const OtherWriter&) = delete;

 private:
  void write(Chain& chain, int cpu) {
    pin_to(cpu);
    chain.store_all();
    chain.store_all();
    written_.store(true, std::memory_order_release);
    while (!done_.load(std::memory_order_relaxed)) {
    }
  }

  std::atomic<bool> written_ = false;
  std::atomic<bool> done_ = false;
  std::thread thread_;  // last: it uses the members above
};

}  // namespace

void measure_line_transfer(const Bench& bench) {
  const std::vector<int>& cpus = bench.topology.cpus;
  const auto other =
      std::ranges::find_if(cpus, [here = sched_getcpu()](int cpu) { return cpu != here; });
  if (other == cpus.end()) {
    return;
  }
  const uint64_t bytes = std::min(private_cache_bytes(bench.topology) / 4, bench.huge.bytes());
  Chain chain(bench.huge, Layout::dense, bytes / kLineBytes);
  for (int i = 0; i < kTransferSlices; ++i) {
    const OtherWriter writer(chain, *other);
    bench.add(Quantity::lineTransfer, 0, chain.chase(chain.nodes()));
  }
}

}  // namespace presort::probe
