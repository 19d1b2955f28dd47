// RapidCheck inside doctest: a property that fails fails the test case.
#pragma once

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <string>

namespace presort::inline v0::test {

template <class Property>
void holds(const std::string& description, Property property) {
  CHECK_MESSAGE(rc::check(description, property), description);
}

// Draws a number in [low, high]; a failing case shrinks towards low.
template <class T>
T between(T low, T high) {
  return *rc::gen::inRange<T>(low, static_cast<T>(high + 1));
}

}  // namespace presort::test
