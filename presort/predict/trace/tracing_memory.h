// The Memory policy (cpu/memory/memory.h) that records what a kernel phase does instead of doing
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "presort/core/monoid.h"
#include "presort/sim/tlb/address_space.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::predict {

// A value, with the number of the record that loaded it; number 0: the value was known from the
// start.
template <class T>
struct Tracked {
  T value{};
  uint64_t token = 0;
};

// An array at a fixed simulated address. Only elements [first, first + count) have contents, in
// `window`; other elements read as T{} and ignore stores.
template <class T>
struct TracedArray {
  using Element = std::remove_const_t<T>;
  uint64_t address = 0;
  Element* window = nullptr;
  uint64_t first = 0;
  uint64_t count = 0;

  Element* at(uint64_t index) const {
    return index - first < count ? window + (index - first) : nullptr;
  }

  // Converts to an array whose elements are read-only.
  operator TracedArray<const T>() const requires(!std::is_const_v<T>) {
    return {address, window, first, count};
  }
};

class TracingMemory {
 public:
  // Tells kernels that they are recorded, so their speed does not matter
  static constexpr bool kRecords = true;
  template <class T>
  using Array = TracedArray<T>;
  template <class T>
  using Loaded = Tracked<T>;

  template <class T, class Index>
  auto load(const TracedArray<T>& array, const Index& index) {
    using Element = typename TracedArray<T>::Element;
    const uint64_t i = static_cast<uint64_t>(plain(index));
    const Element* element = array.at(i);
    record(sim::AccessKind::load, site(array.address), array.address + i * sizeof(T), sizeof(T),
           token(index), 0);
    return Tracked<Element>{element ? *element : Element{}, sequence_};
  }

  template <class T, class Index, class Class, class Member>
  Tracked<Member> load_member(const TracedArray<T>& array, const Index& index,
                              Member Class::*member) {
    const uint64_t i = static_cast<uint64_t>(plain(index));
    const auto* element = array.at(i);
    record(sim::AccessKind::load, site(array.address, offset_of(member)),
           array.address + i * sizeof(T) + offset_of(member), sizeof(Member), token(index), 0);
    return {element ? element->*member : Member{}, sequence_};
  }

  template <class T, class Index, class Value>
  void store(const TracedArray<T>& array, const Index& index, const Value& value) {
    const uint64_t i = static_cast<uint64_t>(plain(index));
    if (T* element = array.at(i)) {
      *element = static_cast<T>(plain(value));
    }
    record(sim::AccessKind::store, site(array.address), array.address + i * sizeof(T), sizeof(T),
           token(index), token(value));
  }

  template <class T, class Index, class F, class... Args>
  auto modify(const TracedArray<T>& array, const Index& index, const F& f, const Args&... args) {
    const auto old = load(array, index);
    store(array, index, apply(f, old, args...));
    return old;
  }

  template <class T, class Index, class Value>
  void store_shared(const TracedArray<T>& array, const Index& index, const Value& value) {
    store(array, index, value);
  }

  template <class T, class Index, class Class, class Member, class Value>
  void store_member(const TracedArray<T>& array, const Index& index, Member Class::*member,
                    const Value& value) {
    const uint64_t i = static_cast<uint64_t>(plain(index));
    if (T* element = array.at(i)) {
      element->*member = static_cast<Member>(plain(value));
    }
    record(sim::AccessKind::store, site(array.address, offset_of(member)),
           array.address + i * sizeof(T) + offset_of(member), sizeof(Member), token(index),
           token(value));
  }

  template <class T, class Index>
  void prefetch(const TracedArray<T>& array, const Index& index) {
    record(sim::AccessKind::prefetch, site(array.address),
           array.address + static_cast<uint64_t>(plain(index)) * sizeof(T), sizeof(T), token(index),
           0);
  }

  template <class T, class Index>
  void fetch(const TracedArray<T>& array, const Index& index) {
    prefetch(array, index);
  }

  template <class T, class Index>
  void fetch_to_write(const TracedArray<T>& array, const Index& index) {
    prefetch(array, index);
  }

  template <class T, class To, class U, class From>
  void stream(const TracedArray<T>& to, const To& to_index, const TracedArray<U>& from,
              const From& from_index, size_t count) {
    move_lines(sim::AccessKind::streamingStore, to, to_index, from, from_index, count);
  }

  template <class T, class To, class U, class From>
  void copy(const TracedArray<T>& to, const To& to_index, const TracedArray<U>& from,
            const From& from_index, size_t count) {
    move_lines(sim::AccessKind::store, to, to_index, from, from_index, count);
  }

  template <class T, class Index, class Count, class F, class Sum>
  Sum fold(const TracedArray<T>& array, const Index& index, const Count& count, const F& f,
           const Sum& sum) {
    return fold_some(array, index, count, 0, static_cast<uint64_t>(plain(count)) + 1, f, sum);
  }

  // Records a fold (a sum with ⊙) of `count` elements, as far as it touches elements [first, last),
  // and its end after the last element. Records what g++ 12 makes with -O3: registers of 16 bytes
  // are loaded and added up as long as they can be filled; then the elements of the register are
  // added up.
  template <class T, class Index, class Count, class F, class Sum>
  Sum fold_some(const TracedArray<T>& array, const Index& index, const Count& count, uint64_t first,
                uint64_t last, const F& f, Sum sum) {
    using Element = typename TracedArray<T>::Element;
    constexpr uint64_t kLanes =
        associates<F>() && std::is_arithmetic_v<Element> ? kRegisterBytes / sizeof(T) : 1;
    const uint64_t all = static_cast<uint64_t>(plain(count));
    const uint64_t whole = kLanes > 1 ? all / kLanes * kLanes : 0;
    if (first == 0) {
      loop_test(all > 0, count);
    }
    if (first == 0 && kLanes > 1 && all > 0) {
      ops(2);
      loop_test(whole > 0, count);
    }
    for (uint64_t k = first; k < std::min(last, all); ++k) {
      const uint64_t i = static_cast<uint64_t>(plain(index)) + k;
      const Element* element = array.at(i);
      sum.value = f(plain(sum), element ? *element : Element{});
      if (k >= whole) {
        record(sim::AccessKind::load, site(array.address), array.address + i * sizeof(T), sizeof(T),
               token(index), adds_floats<F>() ? token(sum) : 0);
        sum.token = adds_floats<F>() ? sequence_ : token(sum);
        ops(2);  // two micro-operations: ⊙, and the index
        loop_test(k + 1 < all, count);
      } else if (k % kLanes == 0) {
        record(sim::AccessKind::load, site(array.address), array.address + i * sizeof(T),
               kRegisterBytes, token(index), 0);
        ops(2);
        loop_test(k + kLanes < whole, count);
        if (k + kLanes == whole) {
          ops(kAcross);
          loop_test(whole < all, count);
        }
      }
    }
    return sum;
  }

  template <uint64_t kLanes, class F>
  void vector_loop(uint64_t first, uint64_t last, int ops_of_all, const F& f) {
    for (; kLanes > 1 && first + kLanes <= last; first += kLanes) {
      const size_t begin = records_.size();
      const uint64_t sequence = sequence_;
      const int before = pending_;
      for (uint64_t k = 0; k < kLanes; ++k) {
        f(first + k);
      }
      merge_records(begin);
      records_[begin].micro_ops = static_cast<uint16_t>(before);
      sequence_ = sequence + records_.size() - begin;
      pending_ = ops_of_all;
    }
    for (; first < last; ++first) {
      f(first);
    }
  }

  // Where f adds floats, the newest load is that of the second argument, and waits for the first.
  template <class F, class... Args>
  auto apply(const F& f, const Args&... args) {
    if constexpr (adds_floats<F>()) {
      add_to_sum(args...);
    }
    return Tracked<std::decay_t<decltype(f(plain(args)...))>>{f(plain(args)...),
                                                              std::max({token(args)...})};
  }

  template <class Condition>
  bool branch(const Condition& condition) {
    const bool taken = static_cast<bool>(plain(condition));
    record(sim::AccessKind::branch, 0, 0, taken ? 1 : 0, token(condition), 0);
    return taken;
  }

  template <class F>
  static void apart(const F& f) {
    f();
  }
  void ops(int count) { pending_ += count; }

  const std::vector<sim::Access>& records() const { return records_; }
  void clear() { records_.clear(); }

 private:
  // Bytes of a cache line, which a write buffer flushes at a time
  static constexpr uint64_t kLineBytes = 64;
  // 16-byte loads that copy a line; there are as many stores
  static constexpr int kMovesPerLine = 4;
  static constexpr uint64_t kRegisterBytes = 16;  // bytes of a register of every x86-64 processor
  static constexpr int kAcross = 10;  // micro-operations that add up the elements of one register
  // Most records that a dependence can reach back
  static constexpr uint64_t kLongestDependence = 1023;

  template <class T>
  static const T& plain(const T& value) {
    return value;
  }
  template <class T>
  static const T& plain(const Tracked<T>& value) {
    return value.value;
  }
  template <class T>
  static uint64_t token(const T&) {
    return 0;
  }
  template <class T>
  static uint64_t token(const Tracked<T>& value) {
    return value.token;
  }

  template <class Class, class Member>
  static uint64_t offset_of(Member Class::*member) {
    static const Class probe{};
    return static_cast<uint64_t>(reinterpret_cast<const char*>(&(probe.*member)) -
                                 reinterpret_cast<const char*>(&probe));
  }

  // True if F adds floats one by one: a sum waits for the one before it.
  template <class F>
  static constexpr bool adds_floats() {
    return requires {
      F::kAddsFloats;
    };
  }

  template <class Sum, class Value>
  void add_to_sum(const Sum& sum, const Value& value) {
    if (!records_.empty() && token(value) == sequence_) {
      records_.back().data_depends_on = distance(token(sum));
    }
  }

  uint16_t distance(uint64_t source) const {
    const uint64_t back = sequence_ - source;
    return source == 0 || back > kLongestDependence ? 0 : static_cast<uint16_t>(back);
  }

  // A number that stands for the instructions of a kernel that access one member of one array,
  // identified by its region (sim/tlb/address_space.h). Together with the kind of access, load or
  // store, the number serves as the address of the instruction.
  static uint64_t site(uint64_t array_address, uint64_t member_offset = 0) {
    constexpr int kOffsetBits = 8;
    return sim::AddressSpace::region_of(array_address) << kOffsetBits | member_offset;
  }
  static uint64_t instruction(uint64_t site, sim::AccessKind kind) {
    constexpr int kKindBits = 3;
    return site << kKindBits | static_cast<uint64_t>(kind);
  }

  void record(sim::AccessKind kind, uint64_t site, uint64_t address, size_t size,
              uint64_t address_token, uint64_t data_token) {
    ++sequence_;
    // The record is set member by member: a struct built on the stack would be copied by loads
    // wider than its stores, which wait until those stores have left the store buffer.
    sim::Access& record = records_.emplace_back();
    record.address = address;
    record.kind = kind;
    record.size = static_cast<uint8_t>(size);
    record.micro_ops = static_cast<uint16_t>(pending_);
    record.depends_on = distance(address_token);
    record.data_depends_on = distance(data_token);
    record.instruction = instruction(site, kind);
    pending_ = 0;
  }

  // Replaces the records from `begin` on by those of whole registers: loads, then stores of the
  // loaded data.
  void merge_records(size_t begin) {
    std::vector<sim::Access> merged;
    for (const auto kind : {sim::AccessKind::load, sim::AccessKind::store}) {
      const size_t loads = merged.size();
      for (size_t i = begin; i < records_.size(); ++i) {
        const sim::Access& record = records_[i];
        const auto goes_on = [&](const sim::Access& whole) {
          return whole.kind == kind && whole.address + whole.size == record.address &&
                 whole.size + record.size <= static_cast<int>(kRegisterBytes);
        };
        const auto place = std::find_if(merged.begin(), merged.end(), goes_on);
        if (record.kind == kind && place != merged.end()) {
          place->size = static_cast<uint8_t>(place->size + record.size);
        } else if (record.kind == kind) {
          const size_t last_load = kind == sim::AccessKind::store ? merged.size() - loads + 1 : 0;
          merged.push_back(record);
          merged.back().micro_ops = 0;
          merged.back().depends_on = 0;
          merged.back().data_depends_on = static_cast<uint16_t>(last_load);
        }
      }
    }
    records_.resize(begin);
    records_.insert(records_.end(), merged.begin(), merged.end());
  }

  template <class Count>
  void loop_test(bool goes_on, const Count& count) {
    branch(Tracked<bool>{goes_on, token(count)});
  }

  template <class T, class To, class U, class From>
  void move_lines(sim::AccessKind kind, const TracedArray<T>& to, const To& to_index,
                  const TracedArray<U>& from, const From& from_index, size_t count) {
    const uint64_t target = to.address + static_cast<uint64_t>(plain(to_index)) * sizeof(T);
    const uint64_t source = from.address + static_cast<uint64_t>(plain(from_index)) * sizeof(U);
    if (to.window != nullptr && from.window != nullptr) {
      move_contents(to, static_cast<uint64_t>(plain(to_index)), from,
                    static_cast<uint64_t>(plain(from_index)), count);
    }
    for (uint64_t byte = 0; byte < count * sizeof(T); byte += kLineBytes) {
      ops(kMovesPerLine - 1);
      record(sim::AccessKind::load, site(source), source + byte, kLineBytes, token(from_index), 0);
      const uint64_t data = sequence_;
      ops(kMovesPerLine - 1);
      record(kind, site(target), target + byte, kLineBytes, token(to_index), data);
    }
  }

  template <class T, class U>
  static void move_contents(const TracedArray<T>& to, uint64_t to_index, const TracedArray<U>& from,
                            uint64_t from_index, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const auto* source = from.at(from_index + i);
      if (T* target = to.at(to_index + i)) {
        *target = source != nullptr ? *source : T{};
      }
    }
  }

  std::vector<sim::Access> records_;
  uint64_t sequence_ = 0;
  int pending_ = 0;
};

}  // namespace presort::predict
