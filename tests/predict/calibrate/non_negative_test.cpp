#include "presort/predict/calibrate/non_negative.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

namespace non_negative_test {

using namespace presort::predict;

namespace {

using Rows = std::vector<std::vector<double>>;
using Vector = std::vector<double>;

double error_of(const Rows& rows, const Vector& right, const Vector& x) {
  double sum = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    double residual = -right[i];
    for (size_t k = 0; k < x.size(); ++k) {
      residual += rows[i][k] * x[k];
    }
    sum += residual * residual;
  }
  return sum;
}

// Solves the square system by elimination; false where it is nearly singular.
bool eliminate(Rows a, Vector b, Vector& x) {
  const size_t count = b.size();
  for (size_t c = 0; c < count; ++c) {
    size_t pivot = c;
    for (size_t r = c; r < count; ++r) {
      pivot = std::abs(a[r][c]) > std::abs(a[pivot][c]) ? r : pivot;
    }
    if (std::abs(a[pivot][c]) < 1e-9) {
      return false;
    }
    std::swap(a[c], a[pivot]);
    std::swap(b[c], b[pivot]);
    for (size_t r = 0; r < count; ++r) {
      const double factor = r == c ? 0 : a[r][c] / a[c][c];
      for (size_t k = c; k < count; ++k) {
        a[r][k] -= factor * a[c][k];
      }
      b[r] -= factor * b[c];
    }
  }
  x.resize(count);
  for (size_t c = 0; c < count; ++c) {
    x[c] = b[c] / a[c][c];
  }
  return true;
}

// Oracle: the least squared error over all sets of columns that may differ from 0, by the normal
//         equations.
double brute_force(const Rows& rows, const Vector& right) {
  const size_t columns = rows.front().size();
  double best = error_of(rows, right, Vector(columns, 0.0));
  for (size_t set = 1; set < size_t{1} << columns; ++set) {
    std::vector<size_t> free;
    for (size_t k = 0; k < columns; ++k) {
      if ((set >> k & 1) != 0) {
        free.push_back(k);
      }
    }
    Rows normal(free.size(), Vector(free.size(), 0.0));
    Vector b(free.size(), 0.0);
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t r = 0; r < free.size(); ++r) {
        b[r] += rows[i][free[r]] * right[i];
        for (size_t c = 0; c < free.size(); ++c) {
          normal[r][c] += rows[i][free[r]] * rows[i][free[c]];
        }
      }
    }
    Vector some;
    Vector x(columns, 0.0);
    if (!eliminate(normal, b, some)) {
      continue;
    }
    bool negative = false;
    for (size_t k = 0; k < free.size(); ++k) {
      x[free[k]] = some[k];
      negative = negative || some[k] < 0;
    }
    best = negative ? best : std::min(best, error_of(rows, right, x));
  }
  return best;
}

double number() {
  return *rc::gen::inRange(-1000, 1001) / 100.0;
}

}  // namespace

TEST_CASE("no choice of columns gives a smaller error") {
  CHECK(rc::check([] {
    const auto columns = static_cast<size_t>(*rc::gen::inRange(1, 7));
    Rows rows(static_cast<size_t>(*rc::gen::inRange(1, 13)), Vector(columns));
    Vector right(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      right[i] = number();
      for (double& value : rows[i]) {
        value = number();
      }
    }
    const Vector x = non_negative_least_squares(rows, right);
    RC_ASSERT(x.size() == columns);
    for (const double value : x) {
      RC_ASSERT(value >= 0);
    }
    const double best = brute_force(rows, right);
    RC_ASSERT(error_of(rows, right, x) <= best * (1 + 1e-6) + 1e-6);
  }));
}

TEST_CASE("what is negative without the bound becomes 0, and the rest makes up for it") {
  // Without bounds the solution is x = (2, -1); with x >= 0 it is the projection of (1, 3) on the
  // first column.
  const Rows rows = {{1, 1}, {1, -1}};
  const Vector x = non_negative_least_squares(rows, {1, 3});
  CHECK(x[0] == doctest::Approx(2));
  CHECK(x[1] == 0);
}

TEST_CASE("columns that say the same, and columns of zeros, do not hinder the others") {
  const Rows rows = {{1, 1, 0, 2}, {2, 2, 0, 1}};
  const Vector right = {5, 4};
  CHECK(error_of(rows, right, non_negative_least_squares(rows, right)) < 1e-12);
  CHECK(non_negative_least_squares({{0.0, 0.0}}, {3.0}) == Vector{0, 0});
}

}  // namespace non_negative_test
