import { expect, test } from 'vitest'
import { readVectors } from './fixtures/vectors.ts'
import { judgeFitment } from './fitment.ts'

const vectors = readVectors()

test('the acceptance table is complete', () => {
  expect(vectors).toHaveLength(169)
})

test.each(vectors)('$id $why', ({ input, expected }) => {
  const { front, rear, verdict, rules, conditions, notes } = judgeFitment(input)
  expect({
    front: front?.verdict ?? '',
    rear: rear?.verdict ?? '',
    verdict,
    conditions: [...new Set(conditions.map(({ code }) => code))].toSorted(),
    notes: notes.map(({ code }) => code).toSorted(),
  }).toEqual({
    front: expected.front,
    rear: expected.rear,
    verdict: expected.verdict,
    conditions: expected.conditions,
    notes: expected.notes,
  })
  expect(rules).toEqual(expect.arrayContaining(expected.rules))
})
