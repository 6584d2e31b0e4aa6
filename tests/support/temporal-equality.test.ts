/** Tests that assertions distinguish Temporal values. */
import { expect, test } from 'vitest'

test.for([
  ['instants', Temporal.Instant.from('2026-11-20T15:00:00Z'), Temporal.Instant.from('2026-11-20T15:00:01Z')],
  ['days', Temporal.PlainDate.from('2026-11-20'), Temporal.PlainDate.from('2026-11-21')],
  ['types', Temporal.PlainDate.from('2026-11-20'), Temporal.PlainDateTime.from('2026-11-20')],
] as const)('toMatchObject distinguishes %s', ([, one, other]) => {
  expect({ at: one, by: 'dana' }).toMatchObject({ at: one })
  expect({ at: one, by: 'dana' }).not.toMatchObject({ at: other })
})
