#include "presort/app/campaign/ranks.h"

#include <cstdlib>
#include <string_view>

#include "presort/core/error.h"

namespace presort::inline v0::app::campaign {
namespace {

class AloneSource : public FirstSource {
 public:
  using FirstSource::FirstSource;
  void poll() override {}
  bool finished() const override { return left_ || hand_out().finished(); }
  void leave() override { left_ = true; }
  int poll_milliseconds() const override { return 100; }

 private:
  bool left_ = false;
};

class OneRank : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string from_first(const std::string& text) override { return text; }
  std::vector<std::string> to_first(const std::string& text) override { return {text}; }
  std::unique_ptr<BlockSource> join(double /*silence_seconds*/) override { return nullptr; }
  std::unique_ptr<BlockSource> serve(HandOut& hand_out, double /*silence_seconds*/) override {
    return alone(hand_out);
  }
  void finish() override {}
};

// The environment in which starters of MPI say how many ranks there are.
constexpr const char* kSizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

}  // namespace

std::unique_ptr<BlockSource> alone(HandOut& hand_out) {
  return std::make_unique<AloneSource>(hand_out);
}

Program& program() {
  static Program value;
  return value;
}

std::unique_ptr<Ranks> make_ranks() {
  if (program().ranks) {
    return program().ranks();
  }
  for (const char* name : kSizes) {
    const char* const size = std::getenv(name);
    if (size != nullptr && std::string_view(size) != "1") {
      throw InputError(std::string(name) + ": found " + size +
                       " ranks of a program without MPI, accepted: mpirun presort-mpi campaign "
                       "FILE, or --shard i/N for processes that know nothing of each other");
    }
  }
  return std::make_unique<OneRank>();
}

}  // namespace presort::app::campaign
