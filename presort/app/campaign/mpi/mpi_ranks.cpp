// The program presort-mpi: ranks that talk by MPI. No other file knows MPI.
//
// Messages have 40 bytes. Workers ask rank 0 for blocks and tell it what is done; each says
// every two seconds that it is alive, and gets an answer. A dead rank is known by its silence, as MPI 3 reports none.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <deque>
#include <thread>
#include <utility>

#include "presort/app/build_facts.h"
#include "presort/app/campaign/ranks.h"
#include "presort/core/error.h"

namespace presort::inline v0::app::campaign {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTag = 1;
constexpr int kPollMilliseconds = 2;
// A worker that waits for nothing looks for messages more rarely: where ranks share cores, each
// look takes time from another rank.
constexpr int kIdlePollMilliseconds = 20;
constexpr double kBeatSeconds = 2;
constexpr double kFlushSeconds = 5;

enum class Kind : uint64_t {
  ask,    // worker: wants `a` more blocks
  done,   // worker: block `a` is in the journal; it took `seconds`
  alive,  // worker: is alive; rank 0: is alive, too
  leave,  // worker: takes and sends nothing from now on
  block,  // rank 0: block `a`, points `b`, `c`
  end,    // rank 0: nothing is left to do; `a`: number of dead ranks
};

struct Message {
  Kind kind = Kind::alive;
  uint64_t a = 0;
  uint64_t b = 0;
  uint64_t c = 0;
  double seconds = 0;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Sends without waiting: messages to a rank that is dead are never taken.
class Post {
 public:
  void send(int rank, const Message& message) {
    collect();
    Sent& sent = sent_.emplace_back(Sent{message, MPI_REQUEST_NULL});
    MPI_Isend(&sent.message, sizeof sent.message, MPI_BYTE, rank, kTag, MPI_COMM_WORLD,
              &sent.request);
  }
  // Drops the messages in front that were taken.
  void collect() {
    while (!sent_.empty()) {
      int taken = 0;
      MPI_Test(&sent_.front().request, &taken, MPI_STATUS_IGNORE);
      if (taken == 0) {
        return;
      }
      sent_.pop_front();
    }
  }
  // Waits until all messages were taken, at most a few seconds: a dead rank takes none.
  void flush() {
    const Clock::time_point start = Clock::now();
    for (collect(); !sent_.empty() && seconds_since(start) < kFlushSeconds; collect()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(kPollMilliseconds));
    }
  }
  // A message that has arrived, and its sender; false if there is none.
  static bool receive(Message& message, int& sender) {
    int arrived = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &arrived, &status) != MPI_SUCCESS ||
        arrived == 0) {
      return false;
    }
    sender = status.MPI_SOURCE;
    return MPI_Recv(&message, sizeof message, MPI_BYTE, sender, kTag, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE) == MPI_SUCCESS;
  }

 private:
  struct Sent {
    Message message;
    MPI_Request request;
  };
  std::deque<Sent> sent_;  // addresses stay until messages are taken
};

class Worker : public BlockSource {
 public:
  Worker(double silence_seconds, bool& lost_ranks)
      : silence_seconds_(silence_seconds), lost_ranks_(lost_ranks) {}

  void want(size_t blocks) override {
    if (blocks > asked_) {
      post_.send(0, {.kind = Kind::ask, .a = blocks - asked_});
      asked_ = blocks;
    }
  }
  std::optional<Block> take() override {
    if (blocks_.empty()) {
      return std::nullopt;
    }
    const Block block = blocks_.front();
    blocks_.pop_front();
    --asked_;
    return block;
  }
  void done(const Block& block, double seconds) override {
    post_.send(0, {.kind = Kind::done, .a = block.number, .seconds = seconds});
  }
  void poll() override {
    Message message;
    int sender = 0;
    while (Post::receive(message, sender)) {
      heard_ = Clock::now();
      if (message.kind == Kind::block) {
        blocks_.push_back({message.a, {message.b, message.c}});
      } else if (message.kind == Kind::end) {
        finished_ = true;
        lost_ranks_ = lost_ranks_ || message.a > 0;
        post_.flush();
      }
    }
    if (!finished_ && seconds_since(heard_) > silence_seconds_) {
      finished_ = true;
      lost_ranks_ = true;
      throw EnvironmentError("rank 0 has been silent for " +
                             std::to_string(std::lround(silence_seconds_)) +
                             " s; what is done is in the journals: start the campaign again");
    }
    if (seconds_since(last_beat_) > kBeatSeconds) {
      last_beat_ = Clock::now();
      post_.send(0, {.kind = Kind::alive});
    }
    post_.collect();
  }
  bool finished() const override { return finished_; }
  void leave() override {
    if (!finished_) {
      post_.send(0, {.kind = Kind::leave});
    }
    // Rank 0 ends the run for all at once, so that each one takes all its messages.
    while (!finished_) {
      poll();
      blocks_.clear();
      std::this_thread::sleep_for(std::chrono::milliseconds(kPollMilliseconds));
    }
  }
  int poll_milliseconds() const override {
    return asked_ > 0 ? kPollMilliseconds : kIdlePollMilliseconds;
  }

 private:
  double silence_seconds_;
  bool& lost_ranks_;
  Post post_;
  Clock::time_point heard_ = Clock::now();
  size_t asked_ = 0;
  std::deque<Block> blocks_;
  bool finished_ = false;
  Clock::time_point last_beat_ = Clock::now();
};

class Server : public FirstSource {
 public:
  Server(HandOut& hand_out, int size, double silence_seconds, bool& lost_ranks)
      : FirstSource(hand_out),
        others_(static_cast<size_t>(size) - 1),
        silence_seconds_(silence_seconds),
        lost_ranks_(lost_ranks) {}

  void poll() override {
    Message message;
    int sender = 0;
    while (Post::receive(message, sender)) {
      answer(sender, message);
    }
    give_up_silent_ranks();
    hand_out_to_waiting();
    if (hand_out().finished() || ended_) {
      end_all();
    }
    post_.collect();
  }
  bool finished() const override { return ended_; }
  void leave() override { end_all(); }
  int poll_milliseconds() const override { return kPollMilliseconds; }

 private:
  enum class State { working, left, silent };
  struct Other {
    uint64_t wanted = 0;  // blocks asked for and not sent
    State state = State::working;
    Clock::time_point heard = Clock::now();
  };

  void answer(int sender, const Message& message) {
    Other& other = others_[static_cast<size_t>(sender) - 1];
    other.heard = Clock::now();
    if (other.state == State::silent) {
      other.state = State::working;
    }
    switch (message.kind) {
      case Kind::ask:
        other.wanted += message.a;
        break;
      case Kind::done:
        hand_out().done(message.a, message.seconds);
        break;
      case Kind::alive:
        post_.send(sender, {.kind = Kind::alive});
        break;
      case Kind::leave:
        other.state = State::left;
        other.wanted = 0;
        hand_out().give_up(sender);
        break;
      default:
        break;
    }
  }

  void give_up_silent_ranks() {
    for (size_t i = 0; i < others_.size(); ++i) {
      Other& other = others_[i];
      if (other.state == State::working && seconds_since(other.heard) > silence_seconds_) {
        other.state = State::silent;
        hand_out().give_up(static_cast<int>(i) + 1);
      }
    }
  }

  // A round over all ranks, a block each, until nobody waits or nothing is left.
  void hand_out_to_waiting() {
    for (bool sent = true; sent;) {
      sent = false;
      for (size_t i = 0; i < others_.size(); ++i) {
        Other& other = others_[i];
        if (other.wanted == 0 || other.state != State::working) {
          continue;
        }
        const int rank = static_cast<int>(i) + 1;
        const auto block = hand_out().next(rank);
        if (!block) {
          return;
        }
        post_.send(rank, {.kind = Kind::block,
                          .a = block->number,
                          .b = block->points.first,
                          .c = block->points.count});
        --other.wanted;
        sent = true;
      }
    }
  }

  void end_all() {
    if (ended_) {
      return;
    }
    ended_ = true;
    uint64_t dead = 0;
    for (const Other& other : others_) {
      dead += other.state == State::silent ? 1 : 0;
    }
    lost_ranks_ = dead > 0;
    for (size_t i = 0; i < others_.size(); ++i) {
      post_.send(static_cast<int>(i) + 1, {.kind = Kind::end, .a = dead});
    }
    post_.flush();
  }

  std::vector<Other> others_;  // ranks 1, 2, …
  double silence_seconds_;
  bool& lost_ranks_;
  Post post_;
  bool ended_ = false;
};

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED) {
      throw EnvironmentError("MPI does not allow threads beside the one that calls it");
    }
    // A message to a dead rank must not end this one.
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { finish(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::string from_first(const std::string& text) override {
    uint64_t bytes = text.size();
    MPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    std::string all = rank_ == 0 ? text : std::string(bytes, '\0');
    MPI_Bcast(all.data(), static_cast<int>(bytes), MPI_BYTE, 0, MPI_COMM_WORLD);
    return all;
  }

  // Texts are cut at kLongestText bytes.
  std::vector<std::string> to_first(const std::string& text) override {
    std::array<char, kLongestText> mine = {};
    std::memcpy(mine.data(), text.data(), std::min(text.size(), kLongestText - 1));
    std::vector<char> all(rank_ == 0 ? kLongestText * static_cast<size_t>(size_) : 0);
    MPI_Gather(mine.data(), kLongestText, MPI_BYTE, all.data(), kLongestText, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (size_t i = 0; i < all.size(); i += kLongestText) {
      texts.emplace_back(all.data() + i);
    }
    return texts;
  }

  std::unique_ptr<BlockSource> join(double silence_seconds) override {
    return std::make_unique<Worker>(silence_seconds, lost_ranks_);
  }
  std::unique_ptr<BlockSource> serve(HandOut& hand_out, double silence_seconds) override {
    return std::make_unique<Server>(hand_out, size_, silence_seconds, lost_ranks_);
  }

  // MPI_Finalize waits for all ranks, so it is left out where some are dead.
  void finish() override {
    if (!std::exchange(finished_, true) && !lost_ranks_) {
      MPI_Finalize();
    }
  }

 private:
  static constexpr size_t kLongestText = 1024;
  int rank_ = 0;
  int size_ = 1;
  bool lost_ranks_ = false;
  bool finished_ = false;
};

}  // namespace

Program linked_program() {
  return {build_identity(), [] { return std::make_unique<MpiRanks>(); }};
}

}  // namespace presort::app::campaign
