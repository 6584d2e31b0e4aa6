import { expect, test } from 'vitest'
import { z } from 'zod'
import { decimal, dollars, optional, required, sku, text, whole, yesNo } from './cells.ts'
import { dotWeek, name, size, speed } from './tire-cells.ts'

test.each([
  ['129.99', 12_999],
  ['129.9', 12_990],
  ['129', 12_900],
  ['0.01', 1],
  ['10000', 1_000_000],
  ['10000.01', undefined],
  ['0', undefined],
  ['129.999', undefined],
  ['1,299.00', undefined],
  ['$129', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['12.', undefined],
])('a price of %s is %s cents', (text, cents) => {
  expect(dollars(1).read(text)).toBe(cents)
})

test('a price above the limit is refused with the limit, not as unreadable', () => {
  const read = (text: string) => required(dollars(1)).safeParse(text).error?.issues[0]?.message
  expect(read('10000.01')).toBe('is above the limit of $10,000.00')
  expect(read('123456.00')).toBe('is above the limit of $10,000.00')
  expect(read('ten')).toBe('is not a price')
})

test('amounts may be empty where a price may not', () => {
  expect(dollars(0).read('0')).toBe(0)
})

test.each([
  ['kest-100001', 'KEST-100001'],
  ['A.b_c-1', 'A.B_C-1'],
  ['=1+1', undefined],
  ['-1', undefined],
  ['a b', undefined],
  ['', undefined],
  ['a'.repeat(41), undefined],
])('SKU %s reads as %s', (text, read) => {
  expect(sku.read(text)).toBe(read)
})

test('numbers stay within their range and decimals', () => {
  expect(whole(1, 40).read('40')).toBe(40)
  for (const text of ['0', '41', '4.0', '+4', '0x4', ' 4', '']) expect(whole(1, 40).read(text)).toBeUndefined()
  expect(decimal(1, 40, 1, 'inches').read('7.5')).toBe(7.5)
  for (const text of ['7.55', '41', '.5', '7,5', 'NaN']) expect(decimal(1, 40, 1, 'inches').read(text)).toBeUndefined()
  expect(yesNo.read('Yes')).toBe(true)
  expect(yesNo.read('no')).toBe(false)
  expect(yesNo.read('1')).toBeUndefined()
})

test('text is one plain line', () => {
  expect(text(5).read('a=b c')).toBe('a=b c')
  for (const bad of ['abcdef', 'a\nb', 'a\u0007', 'a\u202eb']) expect(text(5).read(bad)).toBeUndefined()
})

test.each([
  ['225/65R17', '225/65R17', '225-65r17', 'P'],
  ['P225/65 R17', '225/65R17', '225-65r17', 'P'],
  ['lt275/70r18', 'LT275/70R18', 'lt275-70r18', 'LT'],
  ['35x12.50r17lt', '35X12.50R17LT', '35x12-50r17', 'FLOTATION'],
  ['11R22.5', '11R22.5', '11r22-5', 'COMMERCIAL'],
])('size %s is %s', (text, designation, slug, kind) => {
  expect(size.read(text)).toMatchObject({ designation, slug, kind })
})

test('refuses a size cell with more than the size, or without a known diameter', () => {
  for (const text of ['225/65R17 102H', '225/65R17 XL', 'LT275/70R18 E', '7.50R16LT', '225/65', 'P', ''])
    expect(size.read(text)).toBeUndefined()
})

test('speed ratings match the table', () => {
  expect(speed.read('h')).toBe('H')
  expect(speed.read('(y)')).toBe('(Y)')
  expect(speed.read('ZR')).toBeUndefined()
  expect(speed.read('X')).toBeUndefined()
})

test('names must leave something for a slug', () => {
  expect(name.read('Alder & Stone')).toEqual({ name: 'Alder & Stone', slug: 'alder-and-stone' })
  for (const text of ['###', '', 'a\tb', 'x'.repeat(61)]) expect(name.read(text)).toBeUndefined()
})

test.each([
  ['2326', '2026-06-01'],
  ['0126', '2025-12-29'],
  ['4726', '2026-11-16'],
  ['4826', undefined],
  ['0026', undefined],
  ['5426', undefined],
  ['26', undefined],
])('DOT week %s begins on %s', (text, monday) => {
  expect(dotWeek(Temporal.PlainDate.from('2026-11-20')).read(text)).toBe(monday)
})

test('reports an empty cell, or uses its default', () => {
  const row = z.object({ must: required(whole(1, 9)), may: optional(whole(1, 9), 4) })
  expect(row.parse({ must: '3', may: '' })).toEqual({ must: 3, may: 4 })
  expect(row.safeParse({ must: '', may: '10' }).error?.issues).toMatchObject([
    { path: ['must'], message: 'is empty', params: { expected: 'a whole number from 1 to 9' } },
    { path: ['may'], message: 'is not a whole number in that range' },
  ])
})
