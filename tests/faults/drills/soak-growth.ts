/** Whether figures that are taken again and again stay level. */

/** Of one moment; `bytes` and `orders` are of the database. */
export type Sample = Record<string, number> & { bytes: number; orders: number }

export type Growth = { first: number; last: number; growth: number }

/**
 * Returns each figure's first and last value and its linear trend from the first sample to the last, as a fraction of
 * its mean. Replaces bytes and orders with the bytes added per order between samples.
 */
export function growthOf(samples: readonly Sample[]): Record<string, Growth> {
  const [first] = samples
  if (!first) return {}
  const names = Object.keys(first).filter((name) => name !== 'bytes' && name !== 'orders')
  const added = samples.slice(1).flatMap((sample, index) => {
    const before = samples[index]
    return before && sample.orders > before.orders
      ? [Math.round((sample.bytes - before.bytes) / (sample.orders - before.orders))]
      : []
  })
  return {
    ...Object.fromEntries(names.map((name) => [name, trendOf(samples.map((sample) => sample[name] ?? 0))])),
    'bytes an order': trendOf(added),
  }
}

function trendOf(values: readonly number[]): Growth {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const middle = (values.length - 1) / 2
  const [above, below] = values.reduce(
    ([up, down], value, at) => [up + (at - middle) * (value - mean), down + (at - middle) ** 2],
    [0, 0],
  )
  const slope = below === 0 ? 0 : above / below
  return {
    first: values[0] ?? 0,
    last: values.at(-1) ?? 0,
    growth: mean === 0 ? 0 : (slope * (values.length - 1)) / mean,
  }
}
