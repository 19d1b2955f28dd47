/* Sums by label, and what a wrong label says. */
#include <presort.h>
#include <stdio.h>

int main(void) {
  const uint32_t labels[] = {1, 2, 1}, wrong[] = {0, 3, 1};
  const double values[] = {2, 4, 4};
  double sums[3] = {0, 0, 0};
  presort_context* context;
  if (presort_create(&context) != PRESORT_OK ||
      presort_multireduce(context, PRESORT_U32, labels, 3, PRESORT_F64, values, 3, sums,
                          PRESORT_SUM) != PRESORT_OK) {
    return 1;
  }
  printf("%g %g %g; ", sums[0], sums[1], sums[2]);
  if (presort_multireduce(context, PRESORT_U32, wrong, 3, PRESORT_F64, values, 3, sums,
                          PRESORT_SUM) != PRESORT_LABEL_ERROR) {
    return 1;
  }
  printf("%s\n", presort_message(context));
  presort_destroy(context);
  return 0;
}
