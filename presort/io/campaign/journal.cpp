#include "presort/io/campaign/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/io/files/input_file.h"

namespace presort::inline v0::io {
namespace {

constexpr std::string_view kHead = "presort campaign-journal/1 ";
constexpr std::string_view kBlock = "block ";
constexpr std::string_view kEnding = ".journal";
// Most bytes of one journal: all are held in memory while it is read.
constexpr uint64_t kMostBytes = uint64_t{1} << 36;

uint32_t checksum(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string framed(std::string_view word, std::string_view bytes) {
  char numbers[48];
  std::snprintf(numbers, sizeof numbers, "%zu %08x\n", bytes.size(), checksum(bytes));
  return std::string(word).append(numbers).append(bytes);
}

// A frame at the front of `text`: its counted bytes, and how many bytes it takes in all.
struct Frame {
  std::string_view bytes;
  size_t length;
};

std::optional<Frame> whole_frame(std::string_view word, std::string_view text) {
  if (!text.starts_with(word)) {
    return std::nullopt;
  }
  const size_t line = text.substr(0, word.size() + 40).find('\n');
  if (line == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view numbers = text.substr(word.size(), line - word.size());
  size_t bytes = 0;
  uint32_t crc = 0;
  const char* const end = numbers.data() + numbers.size();
  const auto count = std::from_chars(numbers.data(), end, bytes);
  if (count.ec != std::errc() || end - count.ptr != 9 || *count.ptr != ' ' ||
      std::from_chars(count.ptr + 1, end, crc, 16).ptr != end || bytes > text.size() - (line + 1)) {
    return std::nullopt;
  }
  const std::string_view content = text.substr(line + 1, bytes);
  // The frame as it would be written: no other spelling of a number is accepted.
  if (checksum(content) != crc || framed(word, content) != text.substr(0, line + 1 + bytes)) {
    return std::nullopt;
  }
  return Frame{content, line + 1 + bytes};
}

[[noreturn]] void refuse_changed(const std::string& path, size_t offset) {
  throw InputError(path + ": found bytes that were changed, at byte " + std::to_string(offset) +
                   ", accepted: a journal as it was written; without the file, its points are "
                   "computed again");
}

// True if a whole block begins anywhere behind the front of `text`.
bool has_later_block(std::string_view text) {
  for (size_t at = text.find(kBlock, 1); at != std::string_view::npos;
       at = text.find(kBlock, at + 1)) {
    if (whole_frame(kBlock, text.substr(at))) {
      return true;
    }
  }
  return false;
}

JournalEnd read_text(const std::string& path, std::string_view text, const Identity& identity,
                     const std::function<void(CampaignRow&&)>& take) {
  const auto head = whole_frame(kHead, text);
  if (!head) {
    if (has_later_block(text)) {
      refuse_changed(path, 0);
    }
    return {0, !text.empty()};
  }
  const std::string difference = identity_difference(identity, parse_identity(head->bytes));
  if (!difference.empty()) {
    throw InputError(path + ": " + difference +
                     "; the campaign was changed since the journal was begun");
  }
  size_t at = head->length;
  while (at < text.size()) {
    const auto block = whole_frame(kBlock, text.substr(at));
    if (!block) {
      if (has_later_block(text.substr(at))) {
        refuse_changed(path, at);
      }
      return {at, true};
    }
    for (size_t begin = 0; begin < block->bytes.size();) {
      const size_t end = std::min(block->bytes.find('\n', begin), block->bytes.size());
      auto row = parse_row(block->bytes.substr(begin, end - begin));
      if (!row) {
        refuse_changed(path, at);
      }
      take(std::move(*row));
      begin = end + 1;
    }
    at += block->length;
  }
  return {at, false};
}

[[noreturn]] void refuse_write(const std::string& path, int error) {
  throw InputError(path + ": cannot be written: " + std::strerror(error));
}

}  // namespace

std::string identity_text(const Identity& identity) {
  std::string text;
  for (const auto& [key, value] : identity) {
    text.append(key).append("\t").append(value).append("\n");
  }
  return text;
}

Identity parse_identity(std::string_view text) {
  Identity identity;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const size_t tab = std::min(line.find('\t'), line.size());
    identity.emplace_back(line.substr(0, tab), line.substr(std::min(tab + 1, line.size())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return identity;
}

std::string identity_difference(const Identity& here, const Identity& there) {
  const auto value_in = [](const Identity& identity, const std::string& key) {
    const auto found = std::find_if(identity.begin(), identity.end(),
                                    [&key](const auto& pair) { return pair.first == key; });
    return found == identity.end() ? std::string("nothing") : found->second;
  };
  for (const Identity* keys : {&here, &there}) {
    for (const auto& [key, value] : *keys) {
      const std::string one = value_in(here, key);
      const std::string other = value_in(there, key);
      if (one != other) {
        return key + ": found " + quoted_text(other) + ", accepted: " + quoted_text(one) +
               ", as here now";
      }
    }
  }
  return here == there ? "" : "found the keys of the campaign in another order";
}

JournalWriter::JournalWriter(std::string path, const Identity& identity) : path_(std::move(path)) {
  file_ = Descriptor(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file_) {
    refuse_write(path_, errno);
  }
  if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    throw InputError(path_ + ": another process writes this journal; accepted: one run at a time");
  }
  const JournalEnd end = read_journal(path_, identity, [](CampaignRow&&) {});
  size_ = end.whole_bytes;
  if (end.is_cut && ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) {
    refuse_write(path_, errno);
  }
  if (size_ == 0) {
    write_synced(framed(kHead, identity_text(identity)));
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    const Descriptor parent(
        open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (parent) {
      sync_folder(parent.get());
    }
  }
}

void JournalWriter::write_synced(const std::string& bytes) {
  const auto whole = static_cast<off_t>(size_);
  if (lseek(file_.get(), whole, SEEK_SET) != whole || !write_all(file_.get(), bytes) ||
      fdatasync(file_.get()) != 0) {
    const int error = errno;
    // The part of the block that was written is cut off. If that fails too, readers leave it out.
    if (ftruncate(file_.get(), whole) != 0) {
      errno = error;
    }
    refuse_write(path_, error);
  }
  size_ += bytes.size();
}

void JournalWriter::append(std::span<const CampaignRow> rows) {
  std::string text;
  for (const CampaignRow& row : rows) {
    text += row_line(row);
  }
  if (!text.empty()) {
    write_synced(framed(kBlock, text));
  }
}

JournalEnd read_journal(const std::string& path, const Identity& identity,
                        const std::function<void(CampaignRow&&)>& take) {
  return read_text(path, read_whole_file(path, kMostBytes), identity, take);
}

std::vector<std::string> journal_paths(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kEnding) {
      paths.push_back(entry->path().string());
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw InputError(folder + ": cannot be read: " + error.message());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace presort::io
