/**
 * How time grows: the exponent e of time ~ size^e between the last two sizes. The first is left out, because the
 * compiler of V8 is still at work there, which makes anything look better than linear.
 */
export function growthOf(sizes, times) {
  const [size, larger] = sizes.slice(-2);
  const [time, longer] = times.slice(-2);
  return Math.log(Math.max(longer, 1) / Math.max(time, 1)) / Math.log(larger / size);
}
