// Values that have broken readers before: numbers, units, words, names, bytes.
#pragma once

#include <span>
#include <string_view>

namespace presort::inline v0::attack {

std::span<const std::string_view> nasty_numbers();
std::span<const std::string_view> nasty_units();
std::span<const std::string_view> nasty_words();
std::span<const std::string_view> nasty_json();
std::span<const std::string_view> nasty_bytes();   // byte strings to insert into a file
std::span<const std::string_view> nasty_fields();  // byte strings to write over lengths and counts

}  // namespace presort::attack
