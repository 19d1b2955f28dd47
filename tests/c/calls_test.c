/* Every function of presort.h against a loop, for every type, and what it refuses. */
#include "presort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int failures = 0;
static uint64_t state;

static void check(int right, const char* what, const char* where) {
  if (!right) {
    fprintf(stderr, "FAILED: %s: %s\n", where, what);
    ++failures;
  }
}

static uint64_t draw(uint64_t below) { /* xorshift64 */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % below;
}

enum { kMostInputs = 3000, kMostBuckets = 70000 };
static const size_t kBytes[] = {4, 8, 4, 8, 4, 8}; /* of a presort_type */

static void put_integer(presort_type type, void* array, size_t i, uint64_t value) {
  if (kBytes[type] == 4) {
    ((uint32_t*)array)[i] = (uint32_t)value;
  } else {
    ((uint64_t*)array)[i] = value;
  }
}

/* One loop for each type: the results are those, in every bit. */
#define DEFINE_LOOPS(NAME, T)                                                                 \
  static void fill_##NAME(T* to, size_t n, int low) {                                         \
    for (size_t i = 0; i < n; ++i) to[i] = (T)((int)draw(2000) + low) / (T)(low < 0 ? 1 : 7); \
  }                                                                                           \
  static void reduce_##NAME(const uint32_t* labels, const T* values, size_t n, T* to,         \
                            presort_operator op) {                                            \
    for (size_t i = 0; i < n; ++i) {                                                          \
      T* const a = &to[labels[i]];                                                            \
      const T b = values[i];                                                                  \
      if (op == PRESORT_SUM) *a = *a + b;                                                     \
      if (op == PRESORT_PRODUCT) *a = *a * b;                                                 \
      if (op == PRESORT_MIN) *a = b < *a ? b : *a;                                            \
      if (op == PRESORT_MAX) *a = *a < b ? b : *a;                                            \
    }                                                                                         \
  }                                                                                           \
  static void scan_##NAME(const uint32_t* labels, const T* values, size_t n, T* through,      \
                          T* results, int inclusive) {                                        \
    for (size_t i = 0; i < n; ++i) {                                                          \
      const T before = through[labels[i]];                                                    \
      through[labels[i]] = before + values[i];                                                \
      results[i] = inclusive ? through[labels[i]] : before;                                   \
    }                                                                                         \
  }
DEFINE_LOOPS(u32, uint32_t)
DEFINE_LOOPS(u64, uint64_t)
DEFINE_LOOPS(i64, int64_t)
DEFINE_LOOPS(f32, float)
DEFINE_LOOPS(f64, double)

/* Signed overflow is undefined in a loop of C: 32-bit products wrap in 64 bits. */
static void fill_i32(int32_t* to, size_t n, int low) {
  for (size_t i = 0; i < n; ++i) to[i] = (int32_t)draw(2000) + low;
}
static void reduce_i32(const uint32_t* labels, const int32_t* values, size_t n, int32_t* to,
                       presort_operator op) {
  for (size_t i = 0; i < n; ++i) {
    int32_t* const a = &to[labels[i]];
    const int32_t b = values[i];
    if (op == PRESORT_SUM) *a = (int32_t)((uint32_t)*a + (uint32_t)b);
    if (op == PRESORT_PRODUCT) *a = (int32_t)((uint32_t)*a * (uint32_t)b);
    if (op == PRESORT_MIN) *a = b < *a ? b : *a;
    if (op == PRESORT_MAX) *a = *a < b ? b : *a;
  }
}
static void scan_i32(const uint32_t* labels, const int32_t* values, size_t n, int32_t* through,
                     int32_t* results, int inclusive) {
  for (size_t i = 0; i < n; ++i) {
    const int32_t before = through[labels[i]];
    through[labels[i]] = before + values[i];
    results[i] = inclusive ? through[labels[i]] : before;
  }
}

#define FOR_TYPE(type, call_u32, call_u64, call_i32, call_i64, call_f32, call_f64) \
  switch (type) {                                                                  \
    case PRESORT_U32: call_u32; break;                                             \
    case PRESORT_U64: call_u64; break;                                             \
    case PRESORT_I32: call_i32; break;                                             \
    case PRESORT_I64: call_i64; break;                                             \
    case PRESORT_F32: call_f32; break;                                             \
    case PRESORT_F64: call_f64; break;                                             \
  }

static void fill(presort_type type, void* to, size_t n, int low) {
  FOR_TYPE(type, fill_u32(to, n, 0), fill_u64(to, n, 0), fill_i32(to, n, low),
           fill_i64(to, n, low), fill_f32(to, n, low), fill_f64(to, n, low))
}
static void reduce(presort_type type, const uint32_t* labels, const void* values, size_t n,
                   void* to, presort_operator op) {
  FOR_TYPE(type, reduce_u32(labels, values, n, to, op), reduce_u64(labels, values, n, to, op),
           reduce_i32(labels, values, n, to, op), reduce_i64(labels, values, n, to, op),
           reduce_f32(labels, values, n, to, op), reduce_f64(labels, values, n, to, op))
}
static void scan(presort_type type, const uint32_t* labels, const void* values, size_t n,
                 void* through, void* results, int inclusive) {
  FOR_TYPE(type, scan_u32(labels, values, n, through, results, inclusive),
           scan_u64(labels, values, n, through, results, inclusive),
           scan_i32(labels, values, n, through, results, inclusive),
           scan_i64(labels, values, n, through, results, inclusive),
           scan_f32(labels, values, n, through, results, inclusive),
           scan_f64(labels, values, n, through, results, inclusive))
}

static uint32_t plain[kMostInputs];                  /* the labels, for the loops */
static uint64_t labels[kMostInputs];                 /* and as the type under test */
static uint64_t values[kMostInputs], table[kMostBuckets];
static uint64_t found[kMostBuckets], expected[kMostBuckets], start[kMostBuckets];
static uint64_t found_results[kMostInputs], expected_results[kMostInputs];

static void compare_all(presort_context* context, presort_type label_type, presort_type type,
                        size_t n, size_t m) {
  char where[80];
  snprintf(where, sizeof where, "labels of type %d, values of type %d, n=%zu, m=%zu",
           (int)label_type, (int)type, n, m);
  const size_t width = kBytes[type];
  for (size_t i = 0; i < n; ++i) {
    plain[i] = (uint32_t)draw(m);
    put_integer(label_type, labels, i, plain[i]);
  }
  fill(type, values, n, -1000);
  fill(type, start, m, -1000);

  for (int op = PRESORT_SUM; op <= PRESORT_MAX; ++op) {
    if (op == PRESORT_PRODUCT && type == PRESORT_I64) {
      continue; /* would overflow in the loop */
    }
    memcpy(found, start, m * width);
    memcpy(expected, start, m * width);
    reduce(type, plain, values, n, expected, (presort_operator)op);
    check(presort_multireduce(context, label_type, labels, n, type, values, m, found,
                              (presort_operator)op) == PRESORT_OK,
          presort_message(context), where);
    check(memcmp(found, expected, m * width) == 0, "multireduce", where);
  }

  for (int inclusive = 0; inclusive <= 1; ++inclusive) {
    memcpy(found, start, m * width);
    memcpy(expected, start, m * width);
    scan(type, plain, values, n, expected, expected_results, inclusive);
    check(presort_multiscan(context, label_type, labels, n, type, values, m, found, found_results,
                            inclusive) == PRESORT_OK,
          presort_message(context), where);
    check(memcmp(found, expected, m * width) == 0, "multiscan's buckets", where);
    check(memcmp(found_results, expected_results, n * width) == 0, "multiscan", where);
  }

  memcpy(found, start, m * width);
  memcpy(expected, start, m * width);
  for (size_t i = 0; i < n; ++i) {
    memcpy((char*)expected + plain[i] * width, (char*)values + i * width, width);
    memcpy((char*)expected_results + i * width, (char*)start + plain[i] * width, width);
  }
  check(presort_scatter(context, label_type, labels, n, type, values, m, found) == PRESORT_OK,
        presort_message(context), where);
  check(memcmp(found, expected, m * width) == 0, "scatter", where);
  memcpy(table, start, m * width);
  check(presort_gather(context, label_type, labels, n, type, m, table, found_results) == PRESORT_OK,
        presort_message(context), where);
  check(memcmp(found_results, expected_results, n * width) == 0, "gather", where);

  if (type <= PRESORT_I64) {
    memset(found, 0, m * width);
    check(presort_histogram(context, label_type, labels, n, type, m, found) == PRESORT_OK,
          presort_message(context), where);
    memset(expected, 0, m * width);
    check(presort_multitag(context, label_type, labels, n, type, m, expected, found_results) ==
              PRESORT_OK,
          presort_message(context), where);
    check(memcmp(found, expected, m * width) == 0, "multitag's counts", where);
    memset(start, 0, m * sizeof *start);
    for (size_t i = 0; i < n; ++i) {
      put_integer(type, expected_results, i, start[plain[i]]++);
    }
    check(memcmp(found_results, expected_results, n * width) == 0, "multitag", where);
    for (size_t k = 0; k < m; ++k) {
      put_integer(type, expected, k, start[k]);
    }
    check(memcmp(found, expected, m * width) == 0, "histogram", where);
  }
}

/* Sums by key against sums by a loop: group g of the loop has key_of[g]. Keys are any numbers of their type. */
static uint64_t key_of[kMostInputs], sums[kMostInputs], counts[kMostInputs];

static uint64_t integer_of(presort_type type, const void* array, size_t i) {
  return kBytes[type] == 4 ? ((const uint32_t*)array)[i] : ((const uint64_t*)array)[i];
}

static void compare_groups(presort_context* context, presort_type key_type, presort_type type,
                           size_t n, size_t different) {
  char where[80];
  snprintf(where, sizeof where, "keys of type %d, values of type %d, n=%zu, at most %zu groups",
           (int)key_type, (int)type, n, different);
  const size_t width = kBytes[type];
  for (size_t g = 0; g < different; ++g) {
    /* An odd factor: keys differ in 32 bits and in 64, and half of them are negative. */
    put_integer(key_type, key_of, g, g * UINT64_C(0x9e3779b97f4a7c15) - 1);
  }
  for (size_t i = 0; i < n; ++i) {
    plain[i] = (uint32_t)draw(different);
    put_integer(key_type, labels, i, integer_of(key_type, key_of, plain[i]));
  }
  fill(type, values, n, -1000);
  memset(sums, 0, sizeof sums);
  memset(counts, 0, sizeof counts);
  reduce(type, plain, values, n, sums, PRESORT_SUM);
  size_t expected_groups = 0;
  for (size_t i = 0; i < n; ++i) {
    expected_groups += counts[plain[i]]++ == 0;
  }
  presort_groups* groups = NULL;
  check(presort_group_sum(context, key_type, labels, n, type, values, &groups) == PRESORT_OK,
        presort_message(context), where);
  const size_t count = presort_groups_count(groups);
  check(count == expected_groups, "number of groups", where);
  check((presort_groups_keys(groups) == NULL) == (count == 0), "keys of no groups", where);
  for (size_t k = 0; k < count; ++k) {
    size_t g = 0;
    while (g < different && integer_of(key_type, key_of, g) !=
                                integer_of(key_type, presort_groups_keys(groups), k)) {
      ++g;
    }
    if (g == different || counts[g] == 0) {
      check(0, "a key that no input has, or one that stands twice", where);
      break;
    }
    check(memcmp((const char*)presort_groups_sums(groups) + k * width, (char*)sums + g * width,
                 width) == 0,
          "a group's sum", where);
    check(presort_groups_counts(groups)[k] == counts[g], "a group's count", where);
    counts[g] = 0; /* found */
  }
  presort_groups_destroy(groups);
}

static void compare_all_groups(presort_context* context) {
  const size_t sizes[] = {0, 1, 2, 63, 64, 65, kMostInputs};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    for (int key_type = PRESORT_U32; key_type <= PRESORT_I64; ++key_type) {
      for (int type = PRESORT_U32; type <= PRESORT_F64; ++type) {
        compare_groups(context, (presort_type)key_type, (presort_type)type, sizes[s], 1 + draw(300));
      }
    }
  }
}

static void check_refusals_of_groups(presort_context* context) {
  const uint32_t keys[] = {7, 7};
  const double ones[] = {1, 1};
  presort_groups* groups = (presort_groups*)&keys;
  check(presort_group_sum(context, PRESORT_F32, keys, 2, PRESORT_F64, ones, &groups) ==
                PRESORT_INPUT_ERROR &&
            strstr(presort_message(context), "keys: found") != NULL && groups == NULL,
        presort_message(context), "keys of f32");
  check(presort_group_sum(context, PRESORT_U32, keys, 2, PRESORT_F64, NULL, &groups) ==
                PRESORT_INPUT_ERROR &&
            strstr(presort_message(context), "values: found NULL") != NULL,
        presort_message(context), "values of NULL");
  check(presort_group_sum(context, (presort_type)9, keys, 2, PRESORT_F64, ones, &groups) ==
            PRESORT_INPUT_ERROR,
        "a type that there is not", "groups");
  check(presort_group_sum(context, PRESORT_U32, keys, 2, PRESORT_F64, ones, NULL) ==
                PRESORT_INPUT_ERROR &&
            strstr(presort_message(context), "groups: found NULL") != NULL,
        presort_message(context), "no place for groups");
  check(presort_group_sum(NULL, PRESORT_U32, keys, 2, PRESORT_F64, ones, &groups) ==
            PRESORT_INPUT_ERROR,
        "no context", "groups");
  check(presort_groups_count(NULL) == 0 && presort_groups_keys(NULL) == NULL &&
            presort_groups_sums(NULL) == NULL && presort_groups_counts(NULL) == NULL,
        "groups of NULL", "groups");
  presort_groups_destroy(NULL);
}

static void check_refusals(presort_context* context) {
  const uint32_t right[] = {0, 1};
  const int32_t negative[] = {0, -7};
  const float ones[] = {1, 1};
  float sums[] = {5, 5};
  presort_status status = presort_multireduce(context, PRESORT_I32, negative, 2, PRESORT_F32, ones,
                                              2, sums, PRESORT_SUM);
  check(status == PRESORT_LABEL_ERROR, "a negative label", "refusals");
  check(strcmp(presort_message(context), "label -7 at index 1 is negative") == 0,
        presort_message(context), "refusals");
  check(sums[0] == 5 && sums[1] == 5, "written in spite of a refusal", "refusals");
  status = presort_multireduce(context, PRESORT_F32, right, 2, PRESORT_F32, ones, 2, sums,
                               PRESORT_SUM);
  check(status == PRESORT_INPUT_ERROR && strstr(presort_message(context), "labels: found") != NULL,
        presort_message(context), "labels of f32");
  status = presort_multireduce(context, PRESORT_U32, NULL, 2, PRESORT_F32, ones, 2, sums,
                               PRESORT_SUM);
  check(status == PRESORT_INPUT_ERROR && strstr(presort_message(context), "NULL") != NULL,
        presort_message(context), "labels of NULL");
  status = presort_multireduce(context, PRESORT_U32, right, 2, PRESORT_F32, sums, 2, sums,
                               PRESORT_SUM);
  check(status == PRESORT_INPUT_ERROR, "arrays that overlap", "refusals");
  check(presort_histogram(context, PRESORT_U32, right, 2, PRESORT_F32, 2, sums) ==
            PRESORT_INPUT_ERROR,
        "counts of f32", "refusals");
  check(presort_use_plan(context, "sortBits=99") == PRESORT_INPUT_ERROR, "a plan", "refusals");
  check(presort_use_plan(context, NULL) == PRESORT_INPUT_ERROR, "no plan", "refusals");
  check(presort_choose_from(context, "/nonexistent") == PRESORT_INPUT_ERROR, "a file", "refusals");
  check(presort_set_threads(context, -1) == PRESORT_INPUT_ERROR, "-1 threads", "refusals");
  check(presort_create(NULL) == PRESORT_INPUT_ERROR, "no place for a context", "refusals");
  check(presort_release(NULL) == PRESORT_INPUT_ERROR, "no context", "refusals");
  presort_destroy(NULL);
}

int main(void) {
  const char* const given = getenv("PRESORT_PROPERTY_SEED");
  state = given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
  state = state * 2 + 1;
  fprintf(stderr, "random cases: PRESORT_PROPERTY_SEED=%llu repeats them\n",
          (unsigned long long)(state / 2));
  presort_context* context;
  check(presort_create(&context) == PRESORT_OK, "create", "main");
  check(strcmp(presort_last_plan(context), "") == 0, "a plan before any call", "main");
  char version[40];
  snprintf(version, sizeof version, "%d.%d.%d", PRESORT_VERSION_MAJOR, PRESORT_VERSION_MINOR,
           PRESORT_VERSION_PATCH);
  check(strcmp(presort_version(), version) == 0, "the header's version is not the library's", "main");
  const size_t sizes[] = {0, 1, 63, 64, 65, kMostInputs};
  const char* const plans[] = {NULL, "sortBits=3", "sortBits=0,prefetchDistance=16"};
  for (size_t p = 0; p < 3; ++p) {
    if (plans[p] != NULL) {
      check(presort_use_plan(context, plans[p]) == PRESORT_OK, presort_message(context), plans[p]);
    }
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
      for (int label_type = PRESORT_U32; label_type <= PRESORT_I64; ++label_type) {
        for (int type = PRESORT_U32; type <= PRESORT_F64; ++type) {
          compare_all(context, (presort_type)label_type, (presort_type)type, sizes[s],
                      16 + draw(kMostBuckets - 16));
        }
      }
    }
  }
  check(strstr(presort_last_plan(context), "prefetchDistance=16") != NULL,
        presort_last_plan(context), "main");
  compare_all_groups(context);
  check(strstr(presort_last_plan(context), "prefetchDistance=16") != NULL,
        "sums by key change the last plan", "main");
  check(presort_choose_by_rule(context) == PRESORT_OK, "by rule", "main");
  check(presort_set_threads(context, 2) == PRESORT_OK, presort_message(context), "two threads");
  compare_all(context, PRESORT_U32, PRESORT_F32, kMostInputs, 5000);
  compare_all_groups(context);
  check(presort_set_checked(context, 0) == PRESORT_OK, "unchecked", "main");
  compare_all(context, PRESORT_I64, PRESORT_U64, kMostInputs, 5000);
  check(presort_set_checked(context, 1) == PRESORT_OK, "checked", "main");
  check_refusals(context);
  check_refusals_of_groups(context);
  presort_destroy(context);
  if (failures == 0) {
    puts("all calls are right");
  }
  return failures != 0;
}
