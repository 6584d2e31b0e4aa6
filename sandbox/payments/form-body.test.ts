import { expect, test } from 'vitest'
import { parseFormBody } from './form-body.ts'

test('nested keys become objects and lists', () => {
  const body =
    'amount=1299&metadata[order no]=7&line_items[0][quantity]=2&line_items[0][price_data][unit_amount]=500&line_items[1][quantity]=1&expand[]=a&expand[]=b'
  expect(parseFormBody(body)).toEqual({
    amount: '1299',
    metadata: { 'order no': '7' },
    line_items: [{ quantity: '2', price_data: { unit_amount: '500' } }, { quantity: '1' }],
    expand: ['a', 'b'],
  })
  expect(parseFormBody('')).toEqual({})
  expect(parseFormBody('metadata=')).toEqual({ metadata: '' })
  expect(parseFormBody('a[1]=x')).toEqual({ a: { 1: 'x' } })
})

test.each([
  'a[b=1',
  'a]b=1',
  '[a]=1',
  '=1',
  'a=1&a[b]=2',
  'a[b]=1&a=2',
  '__proto__[x]=1',
  'a[__proto__][x]=1',
  `a${'[b]'.repeat(8)}=1`,
  'a=1&'.repeat(1001),
])('a malformed body is refused: %.20s', (body) => {
  expect(parseFormBody(body)).toBeNull()
})
