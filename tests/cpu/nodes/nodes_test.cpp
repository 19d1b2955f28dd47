// Which thread and which bytes go to which memory node, without nodes that are there.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "presort/cpu/multireduce.h"
#include "presort/cpu/nodes/place_pages.h"
#include "presort/cpu/nodes/scratch_owners.h"
#include "presort/cpu/nodes/thread_places.h"
#include "presort/cpu/runner/runner.h"
#include "presort/cpu/threads/work_in_turn.h"

namespace presort::inline v0::cpu::nodes_test {
namespace {

constexpr size_t kPage = 4096;
const std::vector<CpuNode> kTwoNodes = {{{0, 1}}, {{10, 11, 12, 13}}};

size_t between(size_t low, size_t high) {
  return *rc::gen::inRange(low, high + 1);
}

// Notes where pages are put, by the address of each page of 4 KiB.
class NotingBinder final : public PageBinder {
 public:
  void bind(std::span<std::byte> pages, size_t node) const override {
    note(pages, static_cast<int>(node));
  }

  int node_of(const void* address) const {
    const auto found = nodes_.find(reinterpret_cast<uintptr_t>(address) / 4096);
    return found == nodes_.end() ? -2 : found->second;
  }
  size_t pages() const { return nodes_.size(); }
  size_t calls() const { return calls_; }

 private:
  void note(std::span<std::byte> pages, int node) const {
    ++calls_;
    const auto begin = reinterpret_cast<uintptr_t>(pages.data());
    CHECK(begin % 4096 == 0);
    CHECK(pages.size() % 4096 == 0);
    for (size_t at = 0; at < pages.size(); at += 4096) {
      nodes_[(begin + at) / 4096] = node;
    }
  }

  mutable std::map<uintptr_t, int> nodes_;
  mutable size_t calls_ = 0;
};

TEST_CASE("threads go to the first CPUs of each node, in proportion to its cores") {
  CHECK(place_threads(kTwoNodes, 1) == ThreadPlaces{{0}, {0}});
  CHECK(place_threads(kTwoNodes, 3) == ThreadPlaces{{0, 10, 11}, {0, 1, 1}});
  CHECK(place_threads(kTwoNodes, 6) == ThreadPlaces{{0, 1, 10, 11, 12, 13}, {0, 0, 1, 1, 1, 1}});
  CHECK(place_threads(kTwoNodes, 7) == ThreadPlaces{{}, {0, 0, 0, 0, 0, 0, 0}});
  CHECK(place_threads({}, 2) == ThreadPlaces{{}, {0, 0}});
}

TEST_CASE("every page is on the node of the owner of its first byte") {
  rc::check("random owners", [] {
    std::vector<OwnedBytes> owned;
    size_t at = between(0, 100);
    for (size_t thread = 0; thread < 5; ++thread) {
      const size_t bytes = between(0, 30);
      if (bytes > 0) {
        owned.push_back({at, at + bytes, thread});
      }
      at += bytes + between(0, 1) * between(0, 40);
    }
    const std::vector<size_t> nodes = {0, 0, 1, 1, 2};
    const size_t offset = between(0, 7);
    std::vector<int> expected(64, -1);  // by page of 8 bytes
    for (size_t byte = owned.empty() ? 0 : owned.back().last; byte-- > 0;) {
      for (const OwnedBytes& part : owned) {
        if (part.first <= byte && byte < part.last) {
          expected[(offset + byte) / 8] = static_cast<int>(nodes[part.thread]);
        }
      }
    }
    std::vector<int> found(64, -1);
    for (const NodePages& pages : pages_of(owned, offset, 8, nodes)) {
      RC_ASSERT(pages.first % 8 == 0u);
      RC_ASSERT(pages.last % 8 == 0u);
      for (size_t page = pages.first / 8; page < pages.last / 8; ++page) {
        RC_ASSERT(found[page] == -1);
        found[page] = static_cast<int>(pages.node);
      }
    }
    RC_ASSERT(found == expected);
  });
}

TEST_CASE("an array is placed as the plan says") {
  std::vector<std::byte> memory(40 * kPage);
  const std::span<std::byte> array(memory.data() + 5000, 20 * kPage);
  const std::vector<size_t> nodes = {1, 2};
  Resources resources{.threads = 2, .page_size = PageSize::k4KiB};
  const auto placed = [&](Placement placement) {
    resources.placement = placement;
    auto binder = std::make_unique<NotingBinder>();
    place_pages(array, shared_bytes(array.size(), 2), resources, nodes, 3, *binder);
    return binder;
  };
  const auto first = placed(Placement::firstTouch);
  const auto turns = placed(Placement::interleaved);
  const auto shares = placed(Placement::byShare);
  for (const auto& binder : {&first, &turns, &shares}) {
    CHECK((*binder)->node_of(array.data()) != -2);
    CHECK((*binder)->node_of(&array.back()) != -2);
    CHECK((*binder)->node_of(array.data() - kPage) == -2);
    CHECK((*binder)->node_of(&array.back() + kPage) == -2);
  }
  CHECK(first->node_of(&array.back()) == 1);
  for (size_t page = 0; page < 20; ++page) {
    CHECK(turns->node_of(array.data() + page * kPage) == static_cast<int>(page % 3));
  }
  CHECK(shares->node_of(array.data()) == 1);
  CHECK(shares->node_of(array.data() + 9 * kPage) == 1);
  CHECK(shares->node_of(array.data() + 11 * kPage) == 2);
  place_pages({}, {}, resources, nodes, 3, *shares);
}

TEST_CASE("pages in turn cover an array once, each node as much of it, in few pieces") {
  rc::check([] {
    const size_t page = *rc::gen::element<size_t>(4096, 2 << 20);
    const size_t count = between(0, 1) * between(0, 5000);
    const size_t nodes = between(1, 9);
    std::vector<size_t> bytes(nodes);
    size_t last = 0;
    size_t longest = 0;
    const std::vector<NodePages> pieces = pages_in_turn(count * page, page, nodes);
    for (const NodePages& piece : pieces) {
      RC_ASSERT(piece.first == last);
      RC_ASSERT(piece.last > piece.first && piece.last % page == 0);
      longest = std::max(longest, piece.last - piece.first);
      bytes[piece.node] += piece.last - piece.first;
      last = piece.last;
    }
    RC_ASSERT(last == count * page);
    RC_ASSERT(pieces.size() <= 1024);
    RC_ASSERT(count > 1024 || longest <= page);
    RC_ASSERT(*std::ranges::max_element(bytes) - *std::ranges::min_element(bytes) <= longest);
  });
}

// The owners of a scratch against where the kernels' own code cuts it.
TEST_CASE("the owners of a scratch are those of the arrays that are cut out of it") {
  constexpr size_t kInputs = 1 << 20;
  Problem problem;
  problem.n = kInputs;
  problem.m = 1 << 12;
  for (const char* text : {"strategy=privateTables,threads=4", "sortBits=8,threads=4",
                           "sortBits=12,passes=2,layout=separate,threads=3"}) {
    CAPTURE(text);
    const CpuPlan plan = parse_cpu_plan(text);
    const auto threads = static_cast<size_t>(plan.resources.threads);
    const size_t bytes = multireduce_scratch_bytes<uint32_t, uint32_t>(plan, problem.n, problem.m);
    const auto owned = scratch_owners<uint32_t, uint32_t>(problem, plan, bytes);
    std::vector<std::byte> memory(bytes + kLineBytes);
    std::byte* const base =
        memory.data() + (kLineBytes - reinterpret_cast<uintptr_t>(memory.data()) % kLineBytes);
    const auto owner_of = [&](const void* address) {
      const auto at = static_cast<size_t>(static_cast<const std::byte*>(address) - base);
      const auto part = std::ranges::find_if(
          owned, [&](const OwnedBytes& o) { return o.first <= at && at < o.last; });
      return part == owned.end() ? size_t{99} : part->thread;
    };
    for (size_t i = 1; i < owned.size(); ++i) {
      CHECK(owned[i - 1].last <= owned[i].first);
    }
    CHECK(owned.back().last <= bytes);
    Carver carver(base);
    if (!plan.presort) {
      const auto arrays = TableArrays<uint32_t>::take(carver, threads, problem.m);
      for (size_t t = 0; t < threads; ++t) {
        CHECK(owner_of(arrays.tables + t * arrays.stride) == t);
        CHECK(owner_of(arrays.tables + t * arrays.stride + problem.m - 1) == t);
        CHECK(owner_of(arrays.written + t * arrays.stride) == t);
      }
      continue;
    }
    with_store<uint32_t, uint32_t>(*plan.presort, [&]<class Store>(Store) {
      const auto team = take_team_arrays<Store>(carver, plan, problem.n, label_bits(problem.m));
      for (size_t s = 0; s < team.size(); ++s) {
        CHECK(owner_of(team[s].positions[0]) == s * threads / team.size());
        CHECK(owner_of(team[s].tables) == s * threads / team.size());
      }
    });
  }
}

// Teams on nodes do each piece once, and threads take those of their own node first.
TEST_CASE(
    "pieces of work are all done once, by threads of the pieces' node unless these are late") {
  for (const size_t count : {0, 1, 2, 3, 5, 7, 16, 100}) {
    ThreadTeam team(4, ThreadPlaces{{}, {0, 0, 0, 1}});
    REQUIRE(team.nodes().size() == 2);
    CHECK(team.nodes()[0] == Share{0, 3});
    CHECK(team.nodes()[1] == Share{3, 4});
    std::vector<std::atomic<int>> done(count);
    run_in_turn(team, count, [&](size_t i) { ++done[i]; });
    CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
  }
}

// A binder of a test runner; the nodes have no CPUs, so that threads run anywhere.
TEST_CASE("a runner places all arrays and the scratch before the first run of a plan, and again") {
  Problem problem;
  problem.n = 1 << 17;
  problem.m = 1 << 14;
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const CpuPlan first = parse_cpu_plan("strategy=privateTables,threads=2,pageSize=4KiB");
  CpuPlan shares = first;
  shares.resources.placement = Placement::byShare;
  Runner runner(problem, PageSize::k4KiB, labels, Runner::scratch_bytes(problem, first));
  const auto binder = std::make_shared<NotingBinder>();
  const int cpu = sched_getcpu();
  runner.use_nodes({{{{cpu}}, {{cpu}}}, binder});
  CHECK(runner.check(first));
  const size_t arrays = binder->calls();
  CHECK(arrays == 4);  // labels, values, buckets and scratch
  runner.run_once(first);
  CHECK(binder->calls() == arrays);
  CHECK(runner.check(shares));
  CHECK(binder->calls() >= arrays + 2 * arrays);
  const size_t bytes = (2 * problem.n + problem.m) * 4 + Runner::scratch_bytes(problem, first);
  CHECK(binder->pages() >= bytes / 4096);
  CHECK(binder->pages() <= bytes / 4096 + 8);
}

TEST_CASE("one node asks for nothing") {
  Problem problem;
  problem.n = 1 << 12;
  problem.m = 1 << 10;
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const CpuPlan plan = parse_cpu_plan("threads=2,pageSize=4KiB,placement=byShare");
  Runner runner(problem, PageSize::k4KiB, labels, Runner::scratch_bytes(problem, plan));
  const auto binder = std::make_shared<NotingBinder>();
  runner.use_nodes({{{{0, 1}}}, binder});
  CHECK(runner.check(plan));
  CHECK(binder->calls() == 0);
}

}  // namespace
}  // namespace presort::cpu::nodes_test
