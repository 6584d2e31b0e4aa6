import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inBatches } from './batches.ts'

test('groups keep their order, and each is in exactly one batch', () => {
  const groups = fc.array(fc.record({ addresses: fc.integer({ min: 0, max: 120 }) }))
  fc.assert(
    fc.property(groups, fc.integer({ min: 1, max: 100 }), (all, most) => {
      expect(inBatches(all, most).flat()).toEqual(all)
    }),
  )
})

test('a batch of groups never exceeds the limit and always has too little room for the next group', () => {
  const groups = fc.array(fc.record({ addresses: fc.integer({ min: 1, max: 120 }) }), { minLength: 1 })
  const sizeOf = (batch: readonly { addresses: number }[]) => batch.reduce((sum, { addresses }) => sum + addresses, 0)
  fc.assert(
    fc.property(groups, fc.integer({ min: 1, max: 100 }), (all, most) => {
      const batches = inBatches(all, most)
      for (const [index, batch] of batches.entries()) {
        if (batch.length > 1) expect(sizeOf(batch)).toBeLessThanOrEqual(most)
        const next = batches[index + 1]?.[0]
        if (next) expect(sizeOf(batch) + next.addresses).toBeGreaterThan(most)
      }
    }),
  )
})
