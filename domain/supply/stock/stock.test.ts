import { expect, test } from 'vitest'
import { sizeDigits } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { adjustmentForm, adjustmentOf, stockWords } from './stock.ts'

const kept = { free: 10, allocated: 4 }

test('a count is compared with everything on the shelf, other reasons add or subtract', () => {
  expect(adjustmentOf(kept, 'count', 14)).toMatchObject({ ok: true, value: 0 })
  expect(adjustmentOf(kept, 'count', 12)).toMatchObject({ ok: true, value: -2 })
  expect(adjustmentOf(kept, 'count', 20)).toMatchObject({ ok: true, value: 6 })
  expect(adjustmentOf(kept, 'damaged', 10)).toMatchObject({ ok: true, value: -10 })
  expect(adjustmentOf(kept, 'lost', 1)).toMatchObject({ ok: true, value: -1 })
  expect(adjustmentOf(kept, 'found', 3)).toMatchObject({ ok: true, value: 3 })
  expect(adjustmentOf(kept, 'returned', 4)).toMatchObject({ ok: true, value: 4 })
})

test('allocated units can’t be adjusted away, and zero adjustments are rejected', () => {
  for (const [reason, units] of [
    ['damaged', 11],
    ['lost', 14],
    ['count', 3],
  ] as const)
    expect(adjustmentOf(kept, reason, units)).toEqual({ ok: false, reason: 'below-allocated', detail: kept })
  expect(adjustmentOf(kept, 'count', 4)).toMatchObject({ ok: true, value: -10 })
  expect(adjustmentOf(kept, 'found', 0)).toMatchObject({ ok: false, reason: 'none' })
})

test('the form accepts only whole units', () => {
  const read = (units: string) =>
    adjustmentForm.safeParse({
      key: '018f3c1e-0000-7000-8000-000000000001',
      warehouse: '1',
      reason: 'found',
      units,
      note: ' ',
    })
  expect(read(' 12 ').data).toMatchObject({ units: 12, note: null })
  for (const units of ['', '-1', '1.5', '1e3', '100001', '9999999', 'ten'])
    expect(read(units).success, units).toBe(false)
})

test('sizes are recognized however they are typed', () => {
  expect(['225/65R17', '2256517', '225/65', 'LT275/65R18', '35X12.50R17LT', '225/65ZR17'].map(sizeDigits)).toEqual([
    '2256517',
    '2256517',
    '22565',
    '2756518',
    '35125017',
    '2256517',
  ])
  expect(['kestrel', 'KES-22565', '17'].map(sizeDigits)).toEqual([null, null, null])
  expect(stockWords('  Kestrel   Tour\t225/65R17 a b c d ')).toEqual(['Kestrel', 'Tour', '225/65R17', 'a', 'b'])
})
