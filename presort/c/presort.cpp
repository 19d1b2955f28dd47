#include "presort/c/presort.h"

#include <array>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "presort/arrays/calls.h"
#include "presort/arrays/context.h"
#include "presort/arrays/group.h"
#include "presort/core/error.h"
#include "presort/status.h"

using presort::InputError;
using presort::LabelError;
using presort::ScalarType;
using presort::Scan;
using presort::Status;
using presort::StatusCode;
using presort::arrays::Input;
using presort::arrays::Operator;
using presort::arrays::Output;

struct presort_context {
  presort::arrays::Context kept;
  presort::cpu::Checks checks = presort::cpu::Checks::on;
  std::string message;
  std::string plan;
};

struct presort_groups {
  presort::arrays::Groups found;
};

namespace {

presort_status status_of_code(StatusCode code) {
  switch (code) {
    case StatusCode::ok:
      return PRESORT_OK;
    case StatusCode::input:
      return PRESORT_INPUT_ERROR;
    case StatusCode::label:
      return PRESORT_LABEL_ERROR;
    case StatusCode::environment:
      return PRESORT_ENVIRONMENT_ERROR;
    case StatusCode::stopped:
    case StatusCode::other:
      break;
  }
  return PRESORT_OTHER_ERROR;
}

// Runs f() and keeps its error, if there is one, in the context.
template <class F>
presort_status guarded(presort_context* context, F&& f) {
  if (context == nullptr) {
    return PRESORT_INPUT_ERROR;
  }
  Status status = presort::status_of(std::forward<F>(f));
  if (!status) {
    context->message = std::move(status.message);
  }
  return status_of_code(status.code);
}

ScalarType type_of(const char* argument, presort_type type) {
  constexpr std::array kTypes = {ScalarType::u32, ScalarType::u64, ScalarType::i32,
                                 ScalarType::i64, ScalarType::f32, ScalarType::f64};
  const auto i = static_cast<unsigned>(type);
  if (i >= kTypes.size()) {
    throw InputError(std::string(argument) + ": found " + std::to_string(i) +
                     ", accepted: 0 to 5, the values of presort_type");
  }
  return kTypes[i];
}

Operator operator_of(presort_operator op) {
  constexpr std::array kOperators = {Operator::sum, Operator::product, Operator::least,
                                     Operator::greatest};
  const auto i = static_cast<unsigned>(op);
  if (i >= kOperators.size()) {
    throw InputError("op: found " + std::to_string(i) +
                     ", accepted: 0 to 3, the values of presort_operator");
  }
  return kOperators[i];
}

void check_pointer(const char* argument, const void* data, size_t length) {
  if (data == nullptr && length > 0) {
    throw InputError(std::string(argument) + ": found NULL, accepted: an array of " +
                     std::to_string(length) + " elements");
  }
}

Input input(const char* argument, presort_type type, const void* data, size_t length) {
  check_pointer(argument, data, length);
  return {data, length, type_of(argument, type)};
}

Output output(const char* argument, presort_type type, void* data, size_t length) {
  check_pointer(argument, data, length);
  return {data, length, type_of(argument, type)};
}

const char* text(const char* argument, const char* given) {
  if (given == nullptr) {
    throw InputError(std::string(argument) + ": found NULL, accepted: a text");
  }
  return given;
}

// Runs call(source, options) with the state that the context keeps, and notes the plan.
template <class Call>
presort_status run(presort_context* context, const Call& call) {
  return guarded(context, [&] {
    const presort::PlanChoice choice =
        call(context->kept.source(), context->kept.options(context->checks));
    context->kept.note(choice);
  });
}

}  // namespace

const char* presort_version(void) {
  return PRESORT_VERSION;
}

presort_status presort_create(presort_context** context) {
  if (context == nullptr) {
    return PRESORT_INPUT_ERROR;
  }
  *context = new (std::nothrow) presort_context;
  return *context != nullptr ? PRESORT_OK : PRESORT_ENVIRONMENT_ERROR;
}

void presort_destroy(presort_context* context) {
  delete context;
}

const char* presort_message(const presort_context* context) {
  return context != nullptr ? context->message.c_str() : "context: found NULL";
}

const char* presort_last_plan(presort_context* context) {
  if (context == nullptr || !context->kept.last()) {
    return "";
  }
  // The text on a call's plan is made on request, because making it takes longer than a short call.
  const Status status =
      presort::status_of([&] { context->plan = presort::arrays::describe(*context->kept.last()); });
  return status ? context->plan.c_str() : "";
}

presort_status presort_choose_from(presort_context* context, const char* tuned_file) {
  return guarded(context, [&] { context->kept.choose_from(text("tuned_file", tuned_file)); });
}

presort_status presort_use_plan(presort_context* context, const char* plan) {
  return guarded(context, [&] { context->kept.use_plan(text("plan", plan)); });
}

presort_status presort_choose_by_rule(presort_context* context) {
  return guarded(context, [&] { context->kept.choose_by_rule(); });
}

presort_status presort_set_threads(presort_context* context, int threads) {
  return guarded(context, [&] { context->kept.set_threads(threads); });
}

presort_status presort_set_checked(presort_context* context, int checked) {
  return guarded(context, [&] {
    context->checks = checked != 0 ? presort::cpu::Checks::on : presort::cpu::Checks::off;
  });
}

presort_status presort_release(presort_context* context) {
  return guarded(context, [&] { context->kept.release(); });
}

presort_status presort_multireduce(presort_context* context, presort_type label_type,
                                   const void* labels, size_t n, presort_type value_type,
                                   const void* values, size_t m, void* buckets,
                                   presort_operator op) {
  return run(context, [&](const auto& source, const auto& options) {
    return presort::arrays::multireduce(
        input("labels", label_type, labels, n), input("values", value_type, values, n),
        output("buckets", value_type, buckets, m), operator_of(op), source, options);
  });
}

presort_status presort_scatter(presort_context* context, presort_type label_type,
                               const void* labels, size_t n, presort_type value_type,
                               const void* values, size_t m, void* buckets) {
  return run(context, [&](const auto& source, const auto& options) {
    return presort::arrays::scatter(input("labels", label_type, labels, n),
                                    input("values", value_type, values, n),
                                    output("buckets", value_type, buckets, m), source, options);
  });
}

presort_status presort_gather(presort_context* context, presort_type label_type, const void* labels,
                              size_t n, presort_type value_type, size_t m, const void* table,
                              void* results) {
  return run(context, [&](const auto& source, const auto& options) {
    return presort::arrays::gather(input("labels", label_type, labels, n),
                                   input("table", value_type, table, m),
                                   output("results", value_type, results, n), source, options);
  });
}

presort_status presort_histogram(presort_context* context, presort_type label_type,
                                 const void* labels, size_t n, presort_type count_type, size_t m,
                                 void* counts) {
  return run(context, [&](const auto& source, const auto& options) {
    return presort::arrays::histogram(input("labels", label_type, labels, n),
                                      output("counts", count_type, counts, m), source, options);
  });
}

presort_status presort_multiscan(presort_context* context, presort_type label_type,
                                 const void* labels, size_t n, presort_type value_type,
                                 const void* values, size_t m, void* buckets, void* results,
                                 int inclusive) {
  return run(context, [&](const auto& source, const auto& options) {
    return presort::arrays::multiscan(
        inclusive != 0 ? Scan::inclusive : Scan::exclusive, input("labels", label_type, labels, n),
        input("values", value_type, values, n), output("buckets", value_type, buckets, m),
        output("results", value_type, results, n), source, options);
  });
}

presort_status presort_multitag(presort_context* context, presort_type label_type,
                                const void* labels, size_t n, presort_type count_type, size_t m,
                                void* counts, void* results) {
  return run(context, [&](const auto& source, const auto& options) {
    return presort::arrays::multitag(input("labels", label_type, labels, n),
                                     output("counts", count_type, counts, m),
                                     output("results", count_type, results, n), source, options);
  });
}

presort_status presort_group_sum(presort_context* context, presort_type key_type, const void* keys,
                                 size_t n, presort_type value_type, const void* values,
                                 presort_groups** groups) {
  if (groups != nullptr) {
    *groups = nullptr;
  }
  return guarded(context, [&] {
    if (groups == nullptr) {
      throw InputError("groups: found NULL, accepted: a place for a pointer");
    }
    auto made = std::make_unique<presort_groups>();
    made->found = presort::arrays::group_sum(input("keys", key_type, keys, n),
                                             input("values", value_type, values, n),
                                             context->kept.options(context->checks));
    *groups = made.release();
  });
}

size_t presort_groups_count(const presort_groups* groups) {
  return groups != nullptr ? groups->found.count : 0;
}

const void* presort_groups_keys(const presort_groups* groups) {
  return presort_groups_count(groups) > 0 ? groups->found.keys : nullptr;
}

const void* presort_groups_sums(const presort_groups* groups) {
  return presort_groups_count(groups) > 0 ? groups->found.sums : nullptr;
}

const uint64_t* presort_groups_counts(const presort_groups* groups) {
  return presort_groups_count(groups) > 0 ? groups->found.counts : nullptr;
}

void presort_groups_destroy(presort_groups* groups) {
  delete groups;
}
