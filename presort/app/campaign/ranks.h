// The processes (ranks) that run a campaign together. A program without MPI has one, alone; only
// mpi_ranks.cpp knows MPI.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/campaign/hand_out.h"

namespace presort::inline v0::app::campaign {

// Where a rank gets blocks from. No call waits: poll() carries messages both ways.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // Asks for blocks, until `blocks` of them were asked for and have not been taken.
  virtual void want(size_t blocks) = 0;
  // A block that has arrived.
  virtual std::optional<Block> take() = 0;
  // Tells that all rows of a block are in this rank's journal.
  virtual void done(const Block& block, double seconds) = 0;
  virtual void poll() = 0;
  // True: all points are done, or the campaign was ended for another reason.
  virtual bool finished() const = 0;
  // Tells that this rank goes no further; the others get its blocks. On rank 0: all ranks end.
  virtual void leave() = 0;
  // Milliseconds between calls of poll() while this rank computes
  virtual int poll_milliseconds() const = 0;
};

// Rank 0's blocks, straight from the hand-out.
class FirstSource : public BlockSource {
 public:
  // Requires: hand_out outlives the source
  explicit FirstSource(HandOut& hand_out) : hand_out_(hand_out) {}

  void want(size_t blocks) override { wanted_ = blocks; }
  std::optional<Block> take() override {
    if (wanted_ == 0) {
      return std::nullopt;
    }
    --wanted_;
    return hand_out_.next(0);
  }
  void done(const Block& block, double seconds) override { hand_out_.done(block.number, seconds); }

 protected:
  HandOut& hand_out() { return hand_out_; }
  const HandOut& hand_out() const { return hand_out_; }

 private:
  HandOut& hand_out_;
  size_t wanted_ = 0;
};

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;  // number of this rank, from 0
  virtual int size() const = 0;  // number of ranks
  // The text that rank 0 gave, on every rank. Called by all ranks.
  virtual std::string from_first(const std::string& text) = 0;
  // The texts that all ranks gave, on rank 0; nothing on the others. Called by all ranks.
  virtual std::vector<std::string> to_first(const std::string& text) = 0;
  // The source of a rank other than 0. poll() and leave() throw EnvironmentError once rank 0 was
  // silent for `silence_seconds`.
  virtual std::unique_ptr<BlockSource> join(double silence_seconds) = 0;
  // The source of rank 0, which serves the others from `hand_out`. A rank that is silent for
  // `silence_seconds` is taken for dead; its blocks are handed out again.
  virtual std::unique_ptr<BlockSource> serve(HandOut& hand_out, double silence_seconds) = 0;
  // Ends the last message. Without it, a dead rank would be waited for.
  virtual void finish() = 0;
};

// A source of rank 0 alone.
std::unique_ptr<BlockSource> alone(HandOut& hand_out);

// The parts of campaigns that differ from program to program; main() sets them.
struct Program {
  std::string build;  // version and commit, which all ranks must share
  // Makes the ranks; empty in a program without MPI
  std::function<std::unique_ptr<Ranks>()> ranks;
};
Program& program();

// The program that is linked: program_alone.cpp or mpi_ranks.cpp has it.
Program linked_program();

// The ranks of this program.
// Errors: InputError in a program without MPI that several ranks of mpirun or srun run
std::unique_ptr<Ranks> make_ranks();

}  // namespace presort::app::campaign
