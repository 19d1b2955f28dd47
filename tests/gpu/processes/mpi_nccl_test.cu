// Groups of processes as users have them: started by mpirun, a GPU for each rank, with MPI and
// NCCL.
// usage: mpirun -n RANKS gpu_processes_test; with more ranks than devices it is skipped: exit code
//        77 Ranks print what is wrong: doctest, which shared headers include, has no part in it.
#define DOCTEST_CONFIG_DISABLE
#include <cstdio>

#include "presort/gpu/processes/mpi_channel.h"
#include "presort/gpu/processes/nccl_channel.cuh"
#include "tests/gpu/processes/group_checks.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

// The wrong ranks' messages, printed; true if there is none.
bool is_right(const ProcessGroup& group, const char* name, const std::string& wrong) {
  if (!wrong.empty()) {
    std::printf("%s, rank %zu: %s\n", name, group.rank(), wrong.c_str());
  }
  bool right = true;
  for (const int one : group.all_gather(static_cast<int>(wrong.empty()))) {
    right = right && one != 0;
  }
  if (group.rank() == 0) {
    std::printf("%s: %s\n", name, right ? "right" : "WRONG");
    std::fflush(stdout);
  }
  return right;
}

bool run(HostChannel& host, int device) {
  PRESORT_CUDA(cudaSetDevice(device));
  cudaStream_t stream = nullptr;
  PRESORT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  NcclChannel links(host);
  const ProcessGroup group(host, links, stream);
  bool right = is_right(group, "multireduce u32",
                        check_multireduce<uint32_t, uint32_t, Sum<uint32_t>>(group));
  right &= is_right(group, "multireduce in order, f64",
                    check_multireduce<uint32_t, double, InOrder<Sum<double>>>(group));
  right &= is_right(group, "histogram", check_histogram<uint32_t, uint64_t>(group));
  right &= is_right(group, "scatter", check_scatter<uint32_t, uint64_t>(group));
  right &= is_right(group, "gather", check_gather<uint64_t, uint32_t>(group));
  right &= is_right(group, "refusals", check_refusals(group));
  right &= is_right(group, "link", check_link(group));
  PRESORT_CUDA(cudaStreamDestroy(stream));
  return right;
}

// Two ranks of one device are refused by name.
bool refuses_shared_device(HostChannel& host) {
  PRESORT_CUDA(cudaSetDevice(0));
  const std::string found = message_of([&] { const NcclChannel links(host); });
  return host.size() < 2 || found.starts_with("ranks 0 and 1 have the same device");
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kSkipped = 77;
  MPI_Init(&argc, &argv);
  int result = 1;
  try {
    MpiChannel host(MPI_COMM_WORLD);
    int devices = 0;
    const bool has_devices = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
    if (has_devices && !refuses_shared_device(host)) {
      std::printf("two ranks of one device are not refused\n");
    } else if (!has_devices || devices < host.size()) {
      std::printf("skipped: %d ranks, %d devices\n", host.size(), has_devices ? devices : 0);
      result = kSkipped;
    } else {
      result = run(host, host.rank()) ? 0 : 1;
    }
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  MPI_Finalize();
  return result;
}
