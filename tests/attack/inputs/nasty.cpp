#include "nasty.h"

namespace presort::inline v0::attack {
namespace {

using namespace std::literals;

constexpr std::string_view kNumbers[] = {
    "0",      "1",
    "2",      "3",
    "7",      "-1",
    "-0",     "+5",
    "1.5",    "0.5",
    "1e-9",   "1e300",
    "1e308",  "1e309",
    "1e-308", "1e-320",
    "1e19",   "2^-1",
    "2^0",    "2^26",
    "2^31",   "2^40",
    "2^62",   "2^63",
    "2^64",   "100",
    "1000",   "65535",
    "65536",  "1000000",
    "1e",     "1e+3",
    "2^",     "^2",
    "1_000",  "0x10",
    "010",    "12345.678",
    "64Ki",   "64Gi",
    "10M",    "nan",
    ".nan",   "inf",
    ".inf",   "-inf",
    "٣",      "2147483647",
    ".5",     "2147483648",
    "5.",     "4294967295",
    "1e1e1",  "4294967296",
    "2^2^2",  "9223372036854775807",
    "--1",    "9223372036854775808",
    "1,2",    "18446744073709551615",
    "0..4",   "18446744073709551616",
    "2^8..",  "99999999999999999999",
};

constexpr std::string_view kUnits[] = {
    "",    "%",    "cy",   "ns",    "us", "ms",  "s",   "B",  "KiB", "MiB", "GiB", "TiB",
    "B/s", "GB/s", "TB/s", "GiB/s", "Hz", "MHz", "GHz", "/s", "T/s", "k",   "M",   "Ki",
};

constexpr std::string_view kWords[] = {
    "",
    "~",
    "null",
    "true",
    "false",
    "yes",
    "[]",
    "{}",
    "[1,2]",
    "{a: 1}",
    "'",
    "\"",
    "lru",
    "random",
    "L9",
    "L1d",
    "STLB",
    "uniform",
    "zipf:1",
    "zipf:1e308",
    "zipf-contiguous:0",
    "clustered:0",
    "clustered:18446744073709551615",
    "degenerate",
    "file:x",
    "u64+f64",
    "u8+u8",
    "multiscan",
    "partialSort",
    "privateTables",
    "sharedSets",
    "plainRadix",
    "4KiB",
    "2MiB",
    "&a x",
    "*a",
    "!!int 1",
    "<<",
    "---",
    "| x",
    "- -",
    "x.costs.yaml",
    "../../../../etc/passwd",
    "\"\\e[2J\"",
    "\"a\\nb\"",
    "\"\\0\"",
    "\"\\x9b2J\"",
    "\"\\u202e\"",
    "\"\\ud800\"",
    "'\x1b[2J'",
    "\xe2\x80\xaegnp",
    "%s%n",
    "{:1000000000}",
    "$(touch PWNED)",
};

constexpr std::string_view kJson[] = {
    "null",
    "true",
    "-1",
    "0",
    "1.5",
    "1e308",
    "-1e308",
    "1e309",
    "-1e999",
    "1e-308",
    "5e-324",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "1e400",
    "\"\"",
    "\"nan\"",
    "\"2^26\"",
    "[]",
    "{}",
    "[0]",
    "[[]]",
    "[null]",
    "[1e308,1e308]",
    "[1e-308,1e-308]",
    "[-1]",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\u001b[2J\"",
    "\"file:/etc/passwd\"",
    "\"zipf:1e308\"",
    "\"u64+f64\"",
    "\"gather\"",
};

constexpr std::string_view kBytes[] = {
    "\n",
    "\r\n",
    "\r",
    "\0"sv,
    "\xc3\x28",
    "\xff",
    "\xed\xa0\x80",
    "'",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ": ",
    "- ",
    "#",
    ",",
    "%",
    "&a ",
    "*a",
    "!!x ",
    "-",
    "e999",
    "\t",
    "\x1b[2J",
    "\\",
    "=",
    "9999999999999999999999",
    "file",
    "\xef\xbb\xbf",
};

constexpr std::string_view kFields[] = {
    "\xff\xff\xff\xff"sv,   "\0\0\0\0"sv,
    "\x7f\xff\xff\xff"sv,   "\xff\xff\xff\x7f"sv,
    "\x80\0\0\0"sv,         "\xff\xff\xff\xff\xff\xff\xff\xff"sv,
    "\0\0\0\0\0\0\0\0"sv,   "\xff\xff\xff\xff\xff\xff\xff\x7f"sv,
    "\0\0\0\0\0\0\0\x80"sv,
};

}  // namespace

std::span<const std::string_view> nasty_numbers() {
  return kNumbers;
}
std::span<const std::string_view> nasty_units() {
  return kUnits;
}
std::span<const std::string_view> nasty_words() {
  return kWords;
}
std::span<const std::string_view> nasty_json() {
  return kJson;
}
std::span<const std::string_view> nasty_bytes() {
  return kBytes;
}
std::span<const std::string_view> nasty_fields() {
  return kFields;
}

}  // namespace presort::attack
