#include "presort/gpu/processes/host_channel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>

#include "tests/gpu/processes/thread_ranks.h"

using namespace presort;
using namespace presort::gpu;
using presort::gpu::test::run_ranks;

namespace {

// Messages, by rank, that `ranks` ranks throw when they do work(rank) together.
template <class Work>
std::vector<std::string> thrown(int ranks, const Work& work) {
  std::vector<std::string> messages(static_cast<size_t>(ranks));
  run_ranks(ranks, [&](HostChannel& host) {
    try {
      together(host, [&] { work(host.rank()); });
    } catch (const PlanError& error) {
      messages[static_cast<size_t>(host.rank())] = std::string("plan: ") + error.what();
    } catch (const EnvironmentError& error) {
      messages[static_cast<size_t>(host.rank())] = std::string("environment: ") + error.what();
    }
  });
  return messages;
}

}  // namespace

TEST_CASE("every rank gets what all have given, in the order of the ranks") {
  for (int ranks = 1; ranks <= 5; ++ranks) {
    std::atomic<int> right = 0;
    run_ranks(ranks, [&](HostChannel& host) {
      const std::vector<int> all = all_gather(host, 10 * host.rank());
      bool is_right = static_cast<int>(all.size()) == ranks;
      for (int rank = 0; is_right && rank < ranks; ++rank) {
        is_right = all[static_cast<size_t>(rank)] == 10 * rank;
      }
      right += is_right;
    });
    CHECK(right == ranks);
  }
}

TEST_CASE("what fails on one rank fails on all, with its number and its class") {
  const auto of_input = thrown(3, [](int rank) {
    if (rank == 1) {
      throw PlanError("values: found 3");
    }
  });
  const auto of_memory = thrown(3, [](int rank) {
    if (rank == 2) {
      throw EnvironmentError("no memory");
    }
  });
  const auto of_two = thrown(3, [](int rank) {
    if (rank > 0) {
      throw EnvironmentError("no memory of " + std::to_string(rank));
    }
  });
  for (int rank = 0; rank < 3; ++rank) {
    const auto at = static_cast<size_t>(rank);
    CHECK(of_input[at] == "plan: rank 1: values: found 3");
    CHECK(of_memory[at] == "environment: rank 2: no memory");
    CHECK(of_two[at] == "environment: rank 1: no memory of 1");
  }
  for (const std::string& message : thrown(3, [](int) {})) {
    CHECK(message.empty());
  }
}

TEST_CASE("a long message is cut, and one of 247 bytes is whole") {
  for (const size_t length :
       {size_t{0}, size_t{1}, size_t{246}, size_t{247}, size_t{248}, size_t{5000}}) {
    const std::string text(length, 'x');
    CHECK(ShortText(text).text() == text.substr(0, ShortText::kMostBytes));
  }
}
