// One call of a group-by: tables of the shares of the inputs, then parts, then one list of groups.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "presort/core/monoid.h"
#include "presort/cpu/call_options.h"
#include "presort/cpu/groups/hashed_input.h"
#include "presort/cpu/groups/part_reducer.h"
#include "presort/cpu/groups/sample_groups.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"
#include "presort/cpu/threads/work_in_turn.h"

namespace presort::inline v0::cpu {

template <class Key, class Entry, class M>
class GroupRun {
 public:
  using Reducer = PartReducer<Key, Entry, M>;
  using Output = typename Reducer::Output;

  GroupRun(std::span<const typename Entry::Hash> keys,
           std::span<const typename Entry::Value> values, const M& monoid, size_t table_bytes,
           const CallOptions& options)
      : input_{keys.data(), values.data()},
        keys_(keys),
        most_slots_(Reducer::Table::most_slots(table_bytes)),
        scratch_(options.scratch),
        own_threads_(1),
        threads_(options.threads != nullptr ? *options.threads : own_threads_) {
    for (size_t t = 0; t < threads_.size(); ++t) {
      reducers_.emplace_back(monoid, most_slots_);
    }
  }

  // Errors: std::bad_alloc; EnvironmentError when there is no memory; what ⊙ throws
  Output run() {
    if (keys_.empty()) {
      return {};
    }
    groups_ = sampled_groups(keys_);
    const bool tables_first =
        groups_ <= kFillOfTables * static_cast<double>(most_slots_) && may_join_shares();
    // Shares of tables alone are as many as threads; a table is filled before it is worth joining.
    constexpr size_t kInputsOfTable = size_t{1} << 14;
    size_t count = std::clamp<size_t>(keys_.size() / kInputsOfTable, 1, threads_.size());
    bits_ = std::max(group_bits(groups_, most_slots_), kBitsOfManyParts);
    if (!tables_first) {
      count = partition_shares();
    }
    for (size_t s = 0; s < count; ++s) {
      const Share share = share_of(keys_.size(), s, count);
      shares_.push_back({share.first, share.last, share.first, {}, {}});
    }
    if (tables_first) {
      fill_tables();
      if (shares_.size() == 1 && shares_[0].rest == keys_.size()) {
        return std::move(reducers_[0].output());
      }
    }
    if (std::any_of(shares_.begin(), shares_.end(),
                    [](const auto& s) { return s.rest < s.last; })) {
      partition();
    } else {
      bits_ = 0;
    }
    reduce_parts();
    return joined();
  }

  bool is_partitioned() const { return is_partitioned_; }

 private:
  using Hash = typename Entry::Hash;
  using Value = typename Entry::Value;
  using Source = GroupSource<Entry>;
  using Store = typename Source::Store;
  static constexpr int kHashBits = Reducer::Table::kHashBits;
  // Part of a table's places that groups may take by the sample for tables to be tried first.
  static constexpr double kFillOfTables = 0.4;
  static constexpr int kBitsOfManyParts = 8;  // as many parts are shared evenly by up to 64 threads

  struct InputShare {
    size_t first;
    size_t last;
    size_t rest;  // first input that no table has taken
    OrderedGroups<Entry> before;
    ChunkArrays<Store> chunks;
  };

  // Some shares of a part: what one thread reduces at a time.
  struct Task {
    size_t part;
    size_t first_share;
    size_t last_share;
    size_t inputs;
    size_t thread = 0;  // where its groups are
    size_t first = 0;
    size_t groups = 0;
  };

  // Tables of several shares are joined, which groups the values of a key.
  bool may_join_shares() const { return associates<M>() || threads_.size() == 1; }

  // Number of shares that are partitioned: several for each thread where each has many chunks a part.
  size_t partition_shares() const {
    constexpr size_t kInputsOfPart = 1024;
    const size_t threads = threads_.size();
    const size_t least = (size_t{1} << bits_) * kInputsOfPart;
    return threads == 1 ? 1
                        : threads * std::clamp<size_t>(keys_.size() / (threads * least), 1,
                                                       kSharesPerThread);
  }

  void fill_tables() {
    const bool alone = shares_.size() == 1;
    run_in_turn(threads_, shares_.size(), [&](size_t s) {
      InputShare& share = shares_[s];
      auto& table = reducers_[s].table();
      table.begin(0, static_cast<size_t>(groups_));
      share.rest += table.add(input_.from(share.first), share.last - share.first);
      if (alone && share.rest == share.last) {
        reducers_[s].append_table();
      }
    });
    const bool is_full = std::any_of(shares_.begin(), shares_.end(),
                                     [](const InputShare& s) { return s.rest < s.last; });
    if (alone && !is_full) {
      return;
    }
    if (is_full) {  // there are more groups than the sample says
      groups_ = std::max(groups_, static_cast<double>(most_slots_));
      bits_ = std::max(group_bits(groups_, most_slots_), kBitsOfManyParts);
    }
    const Digit digit = is_full ? make_digit(kHashBits - bits_, bits_) : make_digit(0, 0);
    run_in_turn(threads_, shares_.size(), [&](size_t s) {
      shares_[s].before = OrderedGroups<Entry>::of(reducers_[s].table(), digit);
    });
  }

  void partition() {
    is_partitioned_ = true;
    const CpuPlan plan = group_partition(bits_);
    const auto take = [&](Carver& carver) {
      for (InputShare& share : shares_) {
        share.chunks = ChunkArrays<Store>::take(carver, plan, share.last - share.rest, kHashBits);
      }
    };
    Carver measured;
    take(measured);
    std::byte* block = nullptr;
    if (scratch_ != nullptr) {
      block = scratch_->reserve(measured.used_bytes(), PageSize::k2MiB).data();
    } else {
      memory_ = UntouchedMemory(measured.used_bytes());
      block = memory_.data();
    }
    Carver carver(block);
    take(carver);
    run_in_turn(threads_, shares_.size(), [&](size_t s) {
      const InputShare& share = shares_[s];
      share.chunks.fill(input_.from(share.rest), share.last - share.rest);
    });
  }

  void reduce_parts() {
    make_tasks();
    // Large tasks begin first, so that threads end together.
    std::vector<size_t> order(tasks_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    if (threads_.size() > 1) {
      std::stable_sort(order.begin(), order.end(),
                       [&](size_t a, size_t b) { return tasks_[a].inputs > tasks_[b].inputs; });
    }
    const double of_part = groups_ / static_cast<double>(size_t{1} << bits_);
    std::atomic<size_t> next{0};
    threads_.run([&](size_t t) {
      std::vector<Source> sources;
      for (size_t i = next.fetch_add(1); i < order.size(); i = next.fetch_add(1)) {
        Task& task = tasks_[order[i]];
        sources.clear();
        for (size_t s = task.first_share; s < task.last_share; ++s) {
          const InputShare& share = shares_[s];
          sources.push_back({share.before.of_digit(task.part),
                             is_partitioned_ ? &share.chunks : nullptr, task.part});
        }
        reduce(task, t, sources, of_part);
      }
    });
    join_tasks(of_part);
  }

  void reduce(Task& task, size_t thread, std::span<const Source> sources, double groups) {
    Reducer& reducer = reducers_[thread];
    task.thread = thread;
    task.first = reducer.output().keys.size();
    reducer.reduce(sources, bits_, groups);
    task.groups = reducer.output().keys.size() - task.first;
  }

  // A task for each part; several for one with many inputs, if their groups may be joined.
  void make_tasks() {
    const size_t parts = size_t{1} << bits_;
    const size_t most = std::max<size_t>(1, keys_.size() / (2 * threads_.size()));
    for (size_t part = 0; part < parts; ++part) {
      size_t inputs = 0;
      for (const InputShare& share : shares_) {
        inputs += share.before.of_digit(part).size();
        inputs += is_partitioned_ ? share.chunks.inputs_of(part) : 0;
      }
      const size_t pieces = threads_.size() > 1 && associates<M>()
                                ? std::clamp<size_t>(inputs / most, 1, shares_.size())
                                : 1;
      for (size_t piece = 0; piece < pieces; ++piece) {
        const Share own = share_of(shares_.size(), piece, pieces);
        tasks_.push_back({part, own.first, own.last, inputs / pieces});
      }
    }
  }

  // Joins the groups of tasks of one part.
  void join_tasks(double groups) {
    std::vector<Task> joined;
    for (size_t first = 0; first < tasks_.size();) {
      size_t last = first + 1;
      while (last < tasks_.size() && tasks_[last].part == tasks_[first].part) {
        ++last;
      }
      joined.push_back(tasks_[first]);
      if (last > first + 1) {
        join(std::span(tasks_).subspan(first, last - first), joined.back(), groups);
      }
      first = last;
    }
    tasks_ = std::move(joined);
  }

  void join(std::span<const Task> tasks, Task& into, double groups) {
    std::vector<Entry> found;
    for (const Task& task : tasks) {
      const Output& output = reducers_[task.thread].output();
      for (size_t i = task.first; i < task.first + task.groups; ++i) {
        Entry entry{};
        entry.hash = hash_of(static_cast<Hash>(output.keys[i]));
        entry.value = output.values[i];
        if constexpr (Entry::kCounts) {
          entry.count = output.counts[i];
        }
        found.push_back(entry);
      }
    }
    const Source source{found, nullptr, into.part};
    reduce(into, 0, std::span(&source, 1), groups);
  }

  // The groups of all tasks in their order. One thread has them so already.
  Output joined() {
    if (threads_.size() == 1) {
      return std::move(reducers_[0].output());
    }
    std::vector<size_t> places(tasks_.size() + 1, 0);
    for (size_t i = 0; i < tasks_.size(); ++i) {
      places[i + 1] = places[i] + tasks_[i].groups;
    }
    Output all;
    all.keys.extend(places.back());
    all.values.extend(places.back());
    if constexpr (Entry::kCounts) {
      all.counts.extend(places.back());
    }
    run_in_turn(threads_, tasks_.size(), [&](size_t i) {
      const Task& task = tasks_[i];
      const Output& from = reducers_[task.thread].output();
      std::copy_n(from.keys.data() + task.first, task.groups, all.keys.data() + places[i]);
      std::copy_n(from.values.data() + task.first, task.groups, all.values.data() + places[i]);
      if constexpr (Entry::kCounts) {
        std::copy_n(from.counts.data() + task.first, task.groups, all.counts.data() + places[i]);
      }
    });
    return all;
  }

  HashedInput<Hash, Value> input_;
  std::span<const Hash> keys_;
  size_t most_slots_;
  Scratch* scratch_;
  ThreadTeam own_threads_;
  ThreadTeam& threads_;
  double groups_ = 0;  // expected
  int bits_ = 0;
  bool is_partitioned_ = false;
  UntouchedMemory memory_;
  std::vector<InputShare> shares_;
  std::vector<Reducer> reducers_;  // one for each thread
  std::vector<Task> tasks_;
};

}  // namespace presort::cpu
