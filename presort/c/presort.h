/* presort for programs in C, and in every language that calls C: operations by label that pre-sort
 * their inputs where that is faster. With j such that labels[j] == k:
 *   presort_multireduce   buckets[k] = buckets[k] op values[j] for every j, in order
 *   presort_scatter       buckets[k] = values[j] of the last j
 *   presort_gather        results[i] = table[labels[i]]
 *   presort_histogram     counts[k] += the number of j
 *   presort_multiscan     results[i] = buckets[labels[i]] before (or after) its own value is added
 *   presort_multitag      results[i] = counts[labels[i]] + the number of j < i
 * and by key, where keys are any integers:
 *   presort_group_sum     for each different key: the key, the sum of its values, and their number
 *
 *   presort_context* context;
 *   if (presort_create(&context) != PRESORT_OK) { ... }
 *   if (presort_multireduce(context, PRESORT_U32, labels, n, PRESORT_F32, values, m, sums,
 *                           PRESORT_SUM) != PRESORT_OK) {
 *     fprintf(stderr, "%s\n", presort_message(context));
 *   }
 *   presort_destroy(context);
 *
 * Arrays   have n or m elements of the type that is named, aligned to their size; those that are
 *          written overlap no other. NULL is accepted where there are no elements
 * Labels   PRESORT_U32, U64, I32 or I64, 0 to m - 1
 * Values   any type; what they go into has the same one. Integers wrap. Counts are U32, U64, I32 or I64
 * Results  are those of a loop in the order of the inputs, in every bit, sums of F32 and F64 too
 * Errors   a status other than PRESORT_OK, and a sentence in presort_message. Nothing is written then.
 *          No exception leaves a call, and nothing ends the process
 * Threads  a context is used by one thread at a time; different contexts by any number
 */
#ifndef PRESORT_H
#define PRESORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PRESORT_VERSION_MAJOR 0
#define PRESORT_VERSION_MINOR 1
#define PRESORT_VERSION_PATCH 0

typedef enum presort_status {
  PRESORT_OK = 0,
  PRESORT_INPUT_ERROR = 1,       /* an argument: a type, a plan, a file, an array that overlaps */
  PRESORT_LABEL_ERROR = 2,       /* a label that is below 0 or not below m */
  PRESORT_ENVIRONMENT_ERROR = 3, /* memory or threads cannot be had */
  PRESORT_OTHER_ERROR = 4
} presort_status;

typedef enum presort_type {
  PRESORT_U32 = 0,
  PRESORT_U64 = 1,
  PRESORT_I32 = 2,
  PRESORT_I64 = 3,
  PRESORT_F32 = 4,
  PRESORT_F64 = 5
} presort_type;

typedef enum presort_operator {
  PRESORT_SUM = 0,
  PRESORT_PRODUCT = 1,
  PRESORT_MIN = 2, /* the number if one of two is NaN, unless the bucket began with the NaN */
  PRESORT_MAX = 3
} presort_operator;

/* Scratch memory, threads, and where plans come from, kept from call to call. */
typedef struct presort_context presort_context;

/* "0.1.0", of the library that is loaded. */
const char* presort_version(void);

/* *context is NULL when there is no memory for one (PRESORT_ENVIRONMENT_ERROR). */
presort_status presort_create(presort_context** context);
void presort_destroy(presort_context* context); /* NULL: nothing */

/* What was wrong with the last call that failed; "" if none has. Valid until the next call. */
const char* presort_message(const presort_context* context);

/* The plan that the last call ran, and why: "sortBits=8,..., by rule, for ..."; "" before the first.
 * Valid until the next call. */
const char* presort_last_plan(presort_context* context);

/* Where plans come from. By rule, from a sample of the labels, unless one of these is called. */
presort_status presort_choose_from(presort_context* context, const char* tuned_file);
presort_status presort_use_plan(presort_context* context, const char* plan); /* "sortBits=9" */
presort_status presort_choose_by_rule(presort_context* context);

/* A team of threads that is kept; 0, the default: as many as a plan says, started for each call. */
presort_status presort_set_threads(presort_context* context, int threads);

/* Labels are checked, one more pass over them, unless told not to (checked = 0). With labels that are
 * no buckets, unchecked calls have undefined behaviour. */
presort_status presort_set_checked(presort_context* context, int checked);

/* Gives the scratch memory back: up to 2.2 times the inputs of the largest call. */
presort_status presort_release(presort_context* context);

presort_status presort_multireduce(presort_context* context, presort_type label_type,
                                   const void* labels, size_t n, presort_type value_type,
                                   const void* values, size_t m, void* buckets,
                                   presort_operator op);

presort_status presort_scatter(presort_context* context, presort_type label_type,
                               const void* labels, size_t n, presort_type value_type,
                               const void* values, size_t m, void* buckets);

presort_status presort_gather(presort_context* context, presort_type label_type, const void* labels,
                              size_t n, presort_type value_type, size_t m, const void* table,
                              void* results);

presort_status presort_histogram(presort_context* context, presort_type label_type,
                                 const void* labels, size_t n, presort_type count_type, size_t m,
                                 void* counts);

/* inclusive = 0: before the input's own value is added; else after it. */
presort_status presort_multiscan(presort_context* context, presort_type label_type,
                                 const void* labels, size_t n, presort_type value_type,
                                 const void* values, size_t m, void* buckets, void* results,
                                 int inclusive);

presort_status presort_multitag(presort_context* context, presort_type label_type,
                                const void* labels, size_t n, presort_type count_type, size_t m,
                                void* counts, void* results);

/* The groups of presort_group_sum, which own their arrays. */
typedef struct presort_groups presort_groups;

/* Sums of values by key: SQL's GROUP BY. Keys are U32, U64, I32 or I64, all of them legal. Groups stand in
 * no particular order; a sum is that of one loop over the inputs, in every bit, and integers wrap. Runs on
 * the threads of presort_set_threads, or on the caller's; takes no plan, so presort_last_plan stays as it was.
 * *groups is NULL if the call fails; else the caller destroys it, before or after the context. */
presort_status presort_group_sum(presort_context* context, presort_type key_type, const void* keys,
                                 size_t n, presort_type value_type, const void* values,
                                 presort_groups** groups);

/* Number of groups; 0 for NULL. */
size_t presort_groups_count(const presort_groups* groups);

/* Arrays of presort_groups_count elements, of the types of keys and of values; counts are the numbers of
 * inputs of each group. NULL where there are no groups. Valid until the groups are destroyed. */
const void* presort_groups_keys(const presort_groups* groups);
const void* presort_groups_sums(const presort_groups* groups);
const uint64_t* presort_groups_counts(const presort_groups* groups);

void presort_groups_destroy(presort_groups* groups); /* NULL: nothing */

#ifdef __cplusplus
}
#endif

#endif
