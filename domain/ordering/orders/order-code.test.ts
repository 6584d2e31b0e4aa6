import { expect, test } from 'vitest'
import { orderCodeOf } from './order-code.server.ts'
import { maskEmail, parseOrderCode } from './order-code.ts'

test.for<[string, string]>([
  ['dana@example.com', 'd•••@example.com'],
  ['d@example.com', 'd•••@example.com'],
  ['"a@b"@example.com', '"•••@example.com'],
  ['😀dana@example.com', '😀•••@example.com'],
])('%s is shown as %s', ([email, masked]) => {
  expect(maskEmail(email)).toBe(masked)
})

test.for<[string | null | undefined, string | undefined]>([
  ['042617', '042617'],
  [' 042 617 ', '042617'],
  ['042-617', '042617'],
  ['42617', undefined],
  ['0426170', undefined],
  ['O42617', undefined],
  ['٠٤٢٦١٧', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('the typed code %j is %j', ([text, code]) => {
  expect(parseOrderCode(text)).toBe(code)
})

test('a code has six digits, and is another for every id and every secret', () => {
  const ids = Array.from({ length: 500 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`)
  const codes = ids.map((id) => orderCodeOf('a secret', id))
  expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([])
  expect(new Set(codes).size).toBeGreaterThan(490)
  expect(codes.some((code) => code.startsWith('0'))).toBe(true)
  expect(orderCodeOf('a secret', ids[0]!)).toBe(codes[0])
  expect(ids.filter((id, index) => orderCodeOf('another secret', id) === codes[index]).length).toBeLessThan(3)
})
