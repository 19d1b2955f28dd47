// The journal of one rank of a campaign: the rows that the rank has finished, in blocks.
//
//   presort campaign-journal/1 BYTES CRC\n       header: BYTES of identity, lines "KEY\tVALUE\n"
//   block BYTES CRC\n                            a block: BYTES of rows, lines of campaign_row.h
//
// CRC is the CRC-32 of the counted bytes, 8 hexadecimal digits. A block is synced to disk before
// the next one is written. So whatever kills the writer, or the machine, harms the last block alone: a
// reader leaves it out, and a writer that goes on cuts it off.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "presort/io/campaign/campaign_row.h"
#include "presort/io/files/descriptor.h"

namespace presort::inline v0::io {

// The values that make a campaign, as pairs of a key and the value's text or hash. Journals of
// another identity are refused.
using Identity = std::vector<std::pair<std::string, std::string>>;

// The first key in which two identities differ, in words: "machines.rome-7742: found A, in FILE B";
// "" if they are equal.
std::string identity_difference(const Identity& here, const Identity& there);

// An identity as lines "KEY\tVALUE\n", and back.
std::string identity_text(const Identity& identity);
Identity parse_identity(std::string_view text);

// Appends to a journal. One writer at a time: the file is locked.
class JournalWriter {
 public:
  // Opens a journal, or begins one; cuts off a last block that is not whole.
  // Errors: InputError "PATH: …" when the file cannot be written, another process writes it, it is
  //         of another identity, or has been changed
  JournalWriter(std::string path, const Identity& identity);

  // Appends rows as one block, and syncs the file to disk.
  // Errors: InputError "PATH: cannot be written: …", as on a full disk; nothing of the block is left
  //         in the file
  void append(std::span<const CampaignRow> rows);

  const std::string& path() const { return path_; }

 private:
  void write_synced(const std::string& bytes);

  std::string path_;
  Descriptor file_;
  uint64_t size_ = 0;  // bytes of all whole blocks
};

struct JournalEnd {
  uint64_t whole_bytes = 0;  // bytes up to the end of the last whole block; 0: no whole header
  bool is_cut = false;       // true: bytes follow that are no whole block
};

// Reads a journal, and hands over each row in order.
// Errors: InputError "PATH: …" when it cannot be read, or a whole block follows bytes that are none:
//         the file was changed; or it is of another identity
JournalEnd read_journal(const std::string& path, const Identity& identity,
                        const std::function<void(CampaignRow&&)>& take);

// Paths of the journals in a folder, sorted; empty if there is no such folder.
std::vector<std::string> journal_paths(const std::string& folder);

}  // namespace presort::io
