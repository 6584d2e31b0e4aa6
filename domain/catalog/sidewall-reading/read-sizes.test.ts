import { expect, test } from 'vitest'
import { believable, isSure, mergeSizes, readSizes } from './read-sizes.ts'

const known = new Set([
  '225/65R17',
  '205/55R16',
  'LT275/70R18',
  '275/70R18',
  '235/45R18',
  '255/35R19',
  '35X12.50R17LT',
  'ST205/75R15',
  '285/75R16',
])

test.for([
  ['plain', '225/65R17 102H', '225/65R17'],
  ['in small letters and with spaces', '225 / 65 r 17', '225/65R17'],
  ['among other words', 'KESTREL ALLTIDE 225/65R17 102H M+S', '225/65R17'],
  ['O for 0', '2O5/55R16 91V', '205/55R16'],
  ['S for 5', '22S/6SR17', '225/65R17'],
  ['I and L for 1', '225/65RI7', '225/65R17'],
  ['B for 8', '235/45R1B', '235/45R18'],
  ['stroke lost', '22565R17 102H', '225/65R17'],
  ['stroke read as 1', '225165R17', '225/65R17'],
  ['R read as A', '225/65A17', '225/65R17'],
  ['R read as 8', '205/55816', '205/55R16'],
  ['ZR', '255/35ZR19 (96Y)', '255/35R19'],
  ['light truck', 'LT275/70R18 125/122S', 'LT275/70R18'],
  ['a scratch in front', 'T225/65R17', '225/65R17'],
  ['a digit too many in front', '1225/65R17', '225/65R17'],
  ['trailer', 'ST205/75R15', 'ST205/75R15'],
  ['inches', '35X12.50R17LT 121R', '35X12.50R17LT'],
  ['inches with a comma', '35X12,50R17', '35X12.50R17LT'],
  ['a sign of multiplication', '35×12.50R17LT', '35X12.50R17LT'],
] as const)('%s', ([, text, designation]) => {
  expect(readSizes([{ text, confidence: 80 }], known).map((size) => size.designation)).toEqual([designation])
})

test.for([
  'MAX LOAD 690 KG (1521 LBS)',
  'MAX PRESS 350 KPA (51 PSI)',
  'DOT U2LL LMLR 5107',
  'TREADWEAR 500 TRACTION A',
  '225/65',
  '',
  // Correcting it gives a size, but not a known one.
  '2I5/65R17',
  '225/6ORI7',
  'Z1S/4OR1B',
])('no size in %o', (text) => {
  expect(readSizes([{ text, confidence: 90 }], known)).toEqual([])
})

test('a size without corrections counts even if unknown, after known ones', () => {
  const sizes = readSizes(
    [
      { text: '315/35R22', confidence: 99 },
      { text: '205/55R16', confidence: 20 },
    ],
    known,
  )
  expect(sizes.map(({ designation, isKnown }) => [designation, isKnown])).toEqual([
    ['205/55R16', true],
    ['315/35R22', false],
  ])
})

test('corrections lower the confidence, and repeated readings raise it', () => {
  const confidenceOf = (...texts: string[]) =>
    readSizes(
      texts.map((text) => ({ text, confidence: 50 })),
      known,
    )[0]?.confidence ?? 0
  expect(confidenceOf('225/65R17')).toBe(80)
  expect(confidenceOf('22S/65R17')).toBe(68)
  expect(confidenceOf('225/65R17', '225/65R17 102H')).toBe(96)
})

test('two sizes on two tires stay separate, most certain first', () => {
  const one = { designation: '225/65R17', slug: '225-65r17', confidence: 70, isKnown: true }
  const other = { designation: '205/55R16', slug: '205-55r16', confidence: 90, isKnown: true }
  expect(mergeSizes([one, other])).toEqual([other, one])
})

const size = (designation: string, confidence: number, isKnown = true) => ({
  designation,
  slug: designation.toLowerCase(),
  confidence,
  isKnown,
})

test('restores leading letters lost in one view, but not an extra or missing digit', () => {
  const merged = mergeSizes([size('275/70R18', 76), size('LT275/70R18', 60), size('275/75R18', 60)])
  expect(merged.map(({ designation, confidence }) => [designation, confidence])).toEqual([
    ['LT275/70R18', 90],
    ['275/75R18', 60],
  ])
  // An unknown size does not cast doubt on a known one.
  expect(mergeSizes([size('225/65R17', 70), size('LT225/65R17', 90, false)])[0]?.designation).toBe('225/65R17')
})

test('one clear reading of a known size, or two matching ones, is enough', () => {
  const [one, other] = [size('225/65R17', 60), size('205/55R16', 60)]
  expect(
    [
      [],
      [one],
      [size('225/65R17', 85)],
      mergeSizes([one, one]),
      mergeSizes([one, other]),
      [size('315/35R22', 99, false)],
    ].map(isSure),
  ).toEqual([false, false, true, true, false, false])
})

test('hides guesses', () => {
  const sizes = [
    size('225/65R17', 60),
    size('205/55R16', 51),
    size('206/55R16', 84, false),
    size('315/35R22', 85, false),
  ]
  expect(believable(sizes, known).map(({ designation }) => designation)).toEqual(['225/65R17', '315/35R22'])
})

test('shows the lettered size next to plain numbers', () => {
  const shown = believable([size('275/70R18', 88), size('225/65R17', 60)], known)
  expect(shown.map(({ designation, confidence }) => [designation, confidence])).toEqual([
    ['275/70R18', 88],
    ['225/65R17', 60],
    ['LT275/70R18', 44],
  ])
  expect(believable([size('LT275/70R18', 88)], known)).toHaveLength(1)
})
