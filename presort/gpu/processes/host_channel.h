// Messages between the processes of a group, one for each GPU, on the host. An operation
// needs little of it: sizes, the scheme of the first process, and whether one of them has failed.
//   presort::gpu::MpiChannel host(MPI_COMM_WORLD);            // gpu/processes/mpi_channel.h
//   const std::vector<uint64_t> sizes = all_gather(host, own_size);
// No CUDA types, no MPI types.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "presort/core/error.h"

namespace presort::inline v0::gpu {

class HostChannel {
 public:
  virtual ~HostChannel() = default;
  virtual int rank() const = 0;  // number of this process in the group, from 0
  virtual int size() const = 0;  // number of processes
  // Every rank gives as many bytes; `all` gets those of rank 0, then of rank 1 ... All ranks call
  // it.
  // Requires: all.size() == own.size() * size()
  // Errors:   EnvironmentError with the rank when the others cannot be reached
  virtual void all_gather(std::span<const std::byte> own, std::span<std::byte> all) = 0;
};

// Gathers one value of each rank, that of rank 0 first. All ranks call it.
template <class T>
std::vector<T> all_gather(HostChannel& host, const T& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<size_t>(host.size()));
  host.all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

// A text of at most kMostBytes bytes, cut there, that can be gathered.
class ShortText {
 public:
  static constexpr size_t kMostBytes = 247;
  ShortText() = default;
  explicit ShortText(const std::string& text) {
    std::copy_n(text.begin(), std::min(text.size(), kMostBytes), bytes_.begin());
  }
  std::string text() const { return bytes_.data(); }

 private:
  std::array<char, kMostBytes + 1> bytes_{};
};

// An error of one rank, as the others learn of it; none where it has not failed.
enum class Failure : int { none, input, environment };
struct Report {
  Failure failure = Failure::none;
  ShortText text;
};

// Runs work() and reports what it throws.
template <class Work>
Report report_of(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return {Failure::input, ShortText(error.what())};
  } catch (const std::exception& error) {
    return {Failure::environment, ShortText(error.what())};
  }
  return {};
}

// Throws what the first rank reports that has failed.
// Errors: PlanError or EnvironmentError, which begins with the number of the rank
inline void require_none(std::span<const Report> reports) {
  for (size_t rank = 0; rank < reports.size(); ++rank) {
    const std::string text = "rank " + std::to_string(rank) + ": " + reports[rank].text.text();
    if (reports[rank].failure == Failure::input) {
      throw PlanError(text);
    }
    if (reports[rank].failure == Failure::environment) {
      throw EnvironmentError(text);
    }
  }
}

// Runs work() on every rank. If it throws on one of them, it has failed on all: no rank is left
// behind in an exchange that another one never joins. All ranks call it.
// Errors: as require_none
template <class Work>
void together(HostChannel& host, const Work& work) {
  require_none(all_gather(host, report_of(work)));
}

}  // namespace presort::gpu
