#include "presort/app/cli/help_words.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

namespace presort::inline v0::app {

namespace {

constexpr HelpWord kValueKinds[] = {
    {"COUNT", "a whole number: 1000, 2^26, 64Mi (64 times 2^20), 1e6"},
    {"SIZE", "bytes, with a unit: 4KiB, 2MiB, 1GiB"},
    {"RATIO", "plain or in percent: 0.05 or 5%"},
    {"TIME", "with a unit: 500ms, 600s"},
    {"LIST", "one value, or several with commas between them"},
    {"I/N", "part I, from 1, of N parts: 3/16"},
    {"AXIS", "a list of values of a campaign: machine, op, dist, n, m, memory.latency"},
    {"AXIS=VALUE", "an axis and one of its values: dist=uniform"},
    {"SHAPE", "numbers with x between them: 512x512x1024"},
};

constexpr HelpWord kHelpTerms[] = {
    {"problem",
     "an operation, n, m, the types of labels and values, and how the labels are distributed"},
    {"operation",
     "what is computed from n inputs and m buckets. multireduce: buckets[label] += value, also "
     "called group-by; scatter: buckets[label] = value; gather: result = buckets[label]; "
     "histogram: buckets[label] += 1; multiscan: running sums of each bucket; multitag: how often "
     "the label stood before; partialSort: inputs in the order of their labels; segmentedReduce, "
     "segmentedScan: sums, running sums of m segments; scan: running sums of all values; compact: "
     "the values whose label is not 0, in order; reduceAxes: sums of a tensor over some axes; "
     "multireduceInOrder: buckets[label] = value, unless it is 0, in the order of the inputs"},
    {"input", "one label and, for most operations, one value"},
    {"label", "a whole number below m that names the bucket of its input"},
    {"bucket", "one of m places in memory that inputs are added to, written to or read from"},
    {"plan",
     "how a problem is computed: sortBits=9,pageSize=2MiB (presort help plan-keys lists all keys)"},
    {"pre-sort",
     "moving the inputs into 2^sortBits parts by the top bits of their labels first, so that the "
     "buckets of one part fit in a cache"},
    {"plain loop", "one loop over the inputs as they come, without a pre-sort: sortBits=0"},
    {"closed form",
     "predicting by formulas, in milliseconds, instead of simulating every access to memory"},
    {"regret",
     "how much longer the chosen plan takes than the best plan that was tried, by times measured: "
     "0 when it is the best"},
    {"crossover", "the number of buckets m from which on a pre-sort is faster"},
    {"core costs",
     "time that each kind of instruction takes in the core, apart from memory (presort calibrate "
     "measures them)"},
    {"pointer chase",
     "loads each of which reads the address of the next, so that their latency is seen"},
    {"trace", "memory accesses of a program in a file, in their order"},
};

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// True if `text` has `word` at index `at`, with a small or a capital first letter.
bool is_at(std::string_view text, size_t at, std::string_view word) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(text[at]) == lower(word[0]) &&
         text.substr(at + 1, word.size() - 1) == word.substr(1);
}

bool stands_in(std::string_view text, std::string_view word) {
  for (size_t at = 0; at + word.size() <= text.size(); ++at) {
    if (!is_at(text, at, word)) {
      continue;
    }
    size_t end = at + word.size();
    end += end < text.size() && text[end] == 's' ? 1 : 0;
    const bool begins = at == 0 || !is_letter(text[at - 1]);
    if (begins && (end == text.size() || !is_letter(text[end]))) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::span<const HelpWord> value_kinds() {
  return kValueKinds;
}

std::span<const HelpWord> help_terms() {
  return kHelpTerms;
}

std::vector<HelpWord> words_in(std::string_view text, std::span<const HelpWord> table) {
  std::vector<HelpWord> found;
  std::copy_if(table.begin(), table.end(), std::back_inserter(found),
               [text](const HelpWord& row) { return stands_in(text, row.word); });
  return found;
}

std::vector<HelpWord> terms_in(std::string_view text) {
  std::vector<HelpWord> found = words_in(text, kHelpTerms);
  while (true) {
    std::string read(text);
    for (const HelpWord& row : found) {
      read.append("\n").append(row.meaning);
    }
    std::vector<HelpWord> more = words_in(read, kHelpTerms);
    if (more.size() == found.size()) {
      return found;
    }
    found = std::move(more);
  }
}

}  // namespace presort::app
