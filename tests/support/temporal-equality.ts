/**
 * Vitest setup that compares Temporal values in `toMatchObject`, which otherwise treats any two as equal because they
 * have no enumerable properties.
 */
import { expect } from 'vitest'

const types = [
  Temporal.Duration,
  Temporal.Instant,
  Temporal.PlainDate,
  Temporal.PlainDateTime,
  Temporal.PlainMonthDay,
  Temporal.PlainTime,
  Temporal.PlainYearMonth,
  Temporal.ZonedDateTime,
]

const typeOf = (value: unknown) => types.find((type) => value instanceof type)

expect.addEqualityTesters([
  (one: unknown, other: unknown) => {
    const [type, otherType] = [typeOf(one), typeOf(other)]
    return type && otherType ? type === otherType && String(one) === String(other) : undefined
  },
])
