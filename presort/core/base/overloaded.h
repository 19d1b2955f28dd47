// Several lambdas as one function object, for std::visit: each alternative of a variant has its own lambda.
#pragma once

namespace presort::inline v0 {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace presort
