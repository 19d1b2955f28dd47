// The Memory policy (cpu/memory.h) that records what a kernel phase does instead of doing it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/tlb/address_space.h"
#include "sim/trace/access.h"

namespace presort::predict {

// A value with the number of the record that it came from; 0: it is known from the start.
template <class T>
struct Tracked {
  T value{};
  uint64_t token = 0;
};

// An array at a fixed simulated address. Only elements [first, first + count) have contents, in
// `window`; the others read as T{} and ignore stores.
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

  // An array can be read where a read-only one is asked for.
  operator TracedArray<const T>() const requires(!std::is_const_v<T>) {
    return {address, window, first, count};
  }
};

class TracingMemory {
 public:
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

  template <class F, class... Args>
  auto apply(const F& f, const Args&... args) {
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
  static constexpr uint64_t kLineBytes = 64;            // of a flush
  static constexpr int kMovesPerLine = 4;               // 16-byte loads and stores each
  static constexpr uint64_t kLongestDependence = 1023;  // records; older ones have long completed

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

  uint16_t distance(uint64_t source) const {
    const uint64_t back = sequence_ - source;
    return source == 0 || back > kLongestDependence ? 0 : static_cast<uint16_t>(back);
  }

  // A number for the places of a kernel that touch one member of one array, whose region tells it
  // apart (sim/tlb/address_space.h). With the kind it stands for the address of the instruction.
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
    records_.push_back({address, kind, static_cast<uint8_t>(size), static_cast<uint16_t>(pending_),
                        distance(address_token), distance(data_token), instruction(site, kind)});
    pending_ = 0;
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
