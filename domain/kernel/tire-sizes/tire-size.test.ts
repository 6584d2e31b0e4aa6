import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '#tests/support/law-runs.ts'
import { parseTire, parseTireSize, serviceDescription, tireDesignation, type TireMarking } from './tire-marking.ts'
import {
  hasSameDimensions,
  isSameSize,
  parseSizeSlug,
  sizeDesignation,
  sizeSlug,
  tireGeometry,
  type TireSize,
} from './tire-size.ts'

const size = (text: string): TireSize => parseTireSize(text) ?? expect.fail(`${text} does not parse`)
const marking = (text: string): TireMarking => parseTire(text) ?? expect.fail(`${text} does not parse`)

type Listed = Record<
  'size' | 'kind' | 'rim_in' | 'section_width_mm' | 'sidewall_mm' | 'overall_diameter_mm' | 'revs_per_mile',
  string
>
const listedSizes: Listed[] = parse(readFileSync(new URL('fixtures/tire-sizes.csv', import.meta.url)), {
  columns: true,
})

const kindsInList: Record<string, string[]> = {
  P: ['passenger', 'c'],
  LT: ['lt'],
  ST: ['st'],
  COM: ['commercial'],
  SPARE: ['spare'],
}

test('the list of sizes is complete', () => {
  expect(listedSizes).toHaveLength(305)
})

test.each(listedSizes)('$size parses, prints and has one slug', ({ size: text, ...listed }) => {
  const parsed = size(text)
  expect(sizeDesignation(parsed)).toBe(parsed.form === 'flotation' ? `${text}LT` : text)
  expect(parseSizeSlug(sizeSlug(parsed))).toEqual(parsed)
  expect(kindsInList[listed.kind]).toContain(parsed.kind)
  const geometry = tireGeometry(parsed)
  expect(geometry.rimIn).toBe(Number(listed.rim_in))
  expect(Math.abs(geometry.sectionWidthMm - Number(listed.section_width_mm))).toBeLessThan(1)
  // The height of 11R22.5 and 11R24.5 is a rule of thumb; all others are exact.
  const tolerance = parsed.form === 'numeric' ? 3 : 1
  expect(Math.abs((geometry.sidewallMm ?? 0) - Number(listed.sidewall_mm))).toBeLessThan(tolerance)
  expect(Math.abs((geometry.overallDiameterMm ?? 0) - Number(listed.overall_diameter_mm))).toBeLessThan(tolerance)
  expect(Math.abs((geometry.revsPerMile ?? 0) - Number(listed.revs_per_mile))).toBeLessThanOrEqual(1)
})

test.each([
  ['P265/70R17 113S', { kind: 'passenger', widthMm: 265, aspect: 70, rimIn: 17 }, { loadIndex: 113, speed: 'S' }, 803],
  ['225/65R17 102H', { kind: 'passenger', widthMm: 225, aspect: 65, rimIn: 17 }, { loadIndex: 102, speed: 'H' }, 724],
  [
    'LT275/70R18 125/122S E',
    { kind: 'lt', widthMm: 275, aspect: 70, rimIn: 18 },
    { loadIndex: 125, dualLoadIndex: 122, speed: 'S', loadRange: 'E' },
    842,
  ],
  [
    '255/35ZR19 (96Y) XL',
    { kind: 'passenger', widthMm: 255, aspect: 35, rimIn: 19 },
    { loadIndex: 96, speed: '(Y)', loadClass: 'XL' },
    661,
  ],
  [
    '245/40R19 98W XL',
    { kind: 'passenger', widthMm: 245, aspect: 40, rimIn: 19 },
    { loadIndex: 98, speed: 'W', loadClass: 'XL' },
    679,
  ],
  [
    'HL265/40R22 109V',
    { kind: 'passenger', widthMm: 265, aspect: 40, rimIn: 22 },
    { loadIndex: 109, speed: 'V', loadClass: 'HL' },
    771,
  ],
  [
    '235/65R16C 121/119R',
    { kind: 'c', widthMm: 235, aspect: 65, rimIn: 16 },
    { loadIndex: 121, dualLoadIndex: 119, speed: 'R' },
    712,
  ],
  ['35X12.50R20LT 121Q', { kind: 'lt', diameterIn: 35, widthIn: 12.5, rimIn: 20 }, { loadIndex: 121, speed: 'Q' }, 889],
  [
    '31X10.50R15LT 109S C',
    { kind: 'lt', diameterIn: 31, widthIn: 10.5, rimIn: 15 },
    { loadIndex: 109, speed: 'S', loadRange: 'C' },
    787,
  ],
  ['ST225/75R15 113M D', { kind: 'st', widthMm: 225, rimIn: 15 }, { loadIndex: 113, speed: 'M', loadRange: 'D' }, 719],
  ['ST225/75R15 113 D', { kind: 'st', widthMm: 225, rimIn: 15 }, { loadIndex: 113, loadRange: 'D' }, 719],
  [
    '11R22.5 146/143L G',
    { kind: 'commercial', widthIn: 11, rimIn: 22.5 },
    { loadIndex: 146, dualLoadIndex: 143, speed: 'L', loadRange: 'G' },
    1052,
  ],
  [
    '295/75R22.5 144/141L G',
    { kind: 'commercial', widthMm: 295, aspect: 75, rimIn: 22.5 },
    { loadIndex: 144, speed: 'L' },
    1014,
  ],
  [
    'T125/70D16 96M',
    { kind: 'spare', widthMm: 125, construction: 'bias', rimIn: 16 },
    { loadIndex: 96, speed: 'M' },
    581,
  ],
  ['305/30ZR20', { kind: 'passenger', widthMm: 305 }, { speed: 'ZR' }, 691],
  ['245/35ZR19 89Y', { kind: 'passenger', widthMm: 245 }, { loadIndex: 89, speed: 'Y' }, 654],
  ['LT245/75R16 C', { kind: 'lt', rimIn: 16 }, { loadRange: 'C' }, 774],
  [
    'LT245/75R16/E 120/116Q 10PR',
    { kind: 'lt', rimIn: 16 },
    { loadIndex: 120, dualLoadIndex: 116, speed: 'Q', loadRange: 'E' },
    774,
  ],
  [
    '235/60R18 103 H load range b extra load',
    { kind: 'passenger' },
    { loadIndex: 103, speed: 'H', loadClass: 'XL', loadRange: 'B' },
    739,
  ],
  ['225/45RF18 95V', { kind: 'passenger', construction: 'radial' }, { runFlat: true, speed: 'V' }, 660],
  ['225/45R18 95V XL ROF M+S', { kind: 'passenger' }, { runFlat: true, loadClass: 'XL' }, 660],
])('parses all of %s', (text, expectedSize, expectedService, diameter) => {
  const parsed = marking(text)
  expect(parsed.size).toMatchObject(expectedSize)
  expect(parsed).toMatchObject(expectedService)
  expect(Math.round(tireGeometry(parsed.size).overallDiameterMm ?? 0)).toBe(diameter)
})

test.each([
  '2256517',
  '225 65 17',
  '225/65 R17',
  '225/65r17',
  ' 225 / 65 R 17 ',
  '225-65-17',
  '225/65/17',
  '225/6517',
  'P225/65R17',
  '225/65ZR17',
  '225/65-17',
])('parses "%s" as 225/65R17', (text) => {
  expect(sizeDesignation(size(text))).toBe('225/65R17')
})

test.each([
  '35x12.50r17',
  '35X12.50R17LT',
  '35x12.5 r17',
  '35×12.50R17',
  'LT35x12.50R17',
  '35/12.50R17',
  '35 12.50 17',
  '35125017',
  '35x1250r17',
])('parses "%s" as 35X12.50R17LT', (text) => {
  expect(sizeDesignation(size(text))).toBe('35X12.50R17LT')
})

test.each([
  '',
  'R17',
  '17',
  '235x60 18',
  '235/60',
  '999/65R17',
  '225/65R77',
  '22565175',
  '225/65R17 banana',
  '225/65R17 102H 95V',
  '2X3R4',
  '22X10.50R15',
  '35X4.50R17',
  '35X12.50R35',
  '30R22.5',
  '3R15',
  '11R99',
  'ST',
  '225/65R17102H',
  '225/65R17 '.padEnd(400, '1'),
])('"%s" is not a tire', (text) => {
  expect(parseTire(text)).toBeUndefined()
})

test('a letter that is not a speed symbol leaves the speed unknown', () => {
  expect(marking('225/65R17 102A')).toMatchObject({ loadIndex: 102, speed: undefined })
  expect(marking('305/30R20 ZR RF')).toMatchObject({ speed: 'ZR', runFlat: true })
})

test('a load index outside the table is kept as written for the rules', () => {
  expect(marking('235/60R18 170H')).toMatchObject({ loadIndex: 170, speed: 'H' })
})

test.each([
  ['235/65R17', '235-65r17'],
  ['LT275/70R18', 'lt275-70r18'],
  ['35X12.50R17LT', '35x12-50r17'],
  ['38.5X14.50R16.5LT', '38-5x14-50r16-5'],
  ['31X10.50-15LT', '31x10-50-15'],
  ['11R22.5', '11r22-5'],
  ['225/70R19.5', '225-70r19-5'],
  ['235/65R16C', '235-65r16c'],
  ['ST225/75D15', 'st225-75d15'],
  ['T155/70D17', 't155-70d17'],
  ['7.50R16LT', '7-50r16lt'],
])('%s has the one slug %s', (designation, slug) => {
  const parsed = size(designation)
  expect(sizeSlug(parsed)).toBe(slug)
  expect(parseSizeSlug(slug)).toEqual(parsed)
  expect(parseSizeSlug(slug.toUpperCase())).toBeUndefined()
  expect(parseSizeSlug(`${slug}-`)).toBeUndefined()
})

test.each(['p235-65r17', 'hl265-40r22', '235-65zr17', '235-65-17', '35x12-50r17lt', '235/65r17', '', 'x'.repeat(500)])(
  '"%s" is not a slug',
  (slug) => {
    expect(parseSizeSlug(slug)).toBeUndefined()
  },
)

test('FR6: P, ZR and HL do not change the size; kind, width, aspect and rim do', () => {
  for (const same of ['P235/60R18', '235/60ZR18', 'HL235/60R18', '235/60D18'])
    expect(isSameSize(size('235/60R18'), size(same)), same).toBe(true)
  for (const other of ['LT235/60R18', '245/60R18', '235/55R18', '235/60R17', '235/60R18C'])
    expect(isSameSize(size('235/60R18'), size(other)), other).toBe(false)
  expect(isSameSize(size('31X10.50R15'), size('31X10.50R15LT'))).toBe(true)
  expect(isSameSize(size('11R22.5'), size('11R24.5'))).toBe(false)
  expect(isSameSize(size('7.50R16LT'), size('7.50R16'))).toBe(false)
  expect(hasSameDimensions(size('LT265/70R17'), size('265/70R17'))).toBe(true)
  expect(hasSameDimensions(size('33X12.50R17'), size('LT285/70R17'))).toBe(false)
  for (const other of ['33X10.50R15', '31X12.50R15', 'LT265/75R15'])
    expect(isSameSize(size('31X10.50R15'), size(other)), other).toBe(false)
})

test('a marking prints in one spelling that parses back to itself', () => {
  for (const text of [
    '265/70R17 113S',
    'LT275/70R18 125/122S E',
    '255/35R19 (96Y) XL',
    'HL265/40R22 109V',
    '305/30ZR20',
    '35X12.50R17LT 121Q E',
    '11R22.5 146/143L G',
  ]) {
    expect(tireDesignation(marking(text))).toBe(text)
  }
  expect(tireDesignation(marking('p235/60zr18 103h'))).toBe('235/60R18 103H')
  expect(serviceDescription({ loadIndex: 96, speed: '(Y)' })).toBe('(96Y)')
  expect(serviceDescription({})).toBe('')
})

test('the overall height of sizes that do not state it is unknown, not guessed', () => {
  expect(tireGeometry(size('7.50R16LT'))).toEqual({
    rimIn: 16,
    sectionWidthMm: 190.5,
    sidewallMm: undefined,
    overallDiameterMm: undefined,
    revsPerMile: undefined,
  })
})

test('any text quickly gives a tire or undefined', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'0123456789PLTSHRXZDC /-.()Y'.split('')), maxLength: 60 })
  fc.assert(
    fc.property(noise, (text) => {
      const parsed = parseTire(text)
      return parsed === undefined || isSameSize(size(sizeDesignation(parsed.size)), parsed.size)
    }),
    lawRuns,
  )
})
