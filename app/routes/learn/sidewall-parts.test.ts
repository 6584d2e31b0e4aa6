import { expect, test } from 'vitest'
import { parseTire } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { drawGuide, exampleTire, explainSidewall, writtenAs } from './sidewall-parts.ts'

const read = (text: string) => parseTire(text) ?? exampleTire
const written = (text: string) => explainSidewall(read(text)).map(({ id, written }) => `${id} ${written}`)

test('a passenger tire is explained from its width to its snow marking', () => {
  expect(written('225/65R17 102H')).toEqual([
    'width 225',
    'aspect 65',
    'construction R',
    'rim 17',
    'load 102',
    'speed H',
    'limits MAX LOAD 850 KG (1874 LBS) · MAX PRESS 350 KPA (51 PSI)',
    'grades TREADWEAR 620 TRACTION A TEMPERATURE A',
    'tin DOT 7B3 KXYZ92 2326',
    'mud M+S',
    'peaks Mountain and snowflake',
  ])
  expect(explainSidewall(exampleTire)[1]?.says).toBe(
    'The sidewall is 65 percent as high as the tire is wide: 5.8 in, and the whole tire 28.5 in tall.',
  )
})

test.for([
  [
    'LT275/70R18 125/122S E',
    ['kind LT', 'width 275', 'aspect 70', 'construction R', 'rim 18', 'load 125/122', 'speed S', 'range E'],
  ],
  ['35x12.5r17', ['height 35', 'width 12.50', 'construction R', 'rim 17', 'kind LT']],
  ['255/35ZR19 (96Y) XL', ['width 255', 'aspect 35', 'construction R', 'rim 19', 'load 96', 'speed (Y)', 'range XL']],
  ['305/30ZR20', ['width 305', 'aspect 30', 'construction ZR', 'rim 20']],
  ['HL245/40R19 101Y', ['kind HL', 'width 245', 'aspect 40', 'construction R', 'rim 19', 'load 101', 'speed Y']],
  ['235/65R16C 115/113R', ['width 235', 'aspect 65', 'construction R', 'rim 16', 'kind C', 'load 115/113', 'speed R']],
  ['7.50R16LT', ['width 7.5', 'construction R', 'rim 16', 'kind LT']],
] as const)('%s begins with what was typed', ([text, parts]) => {
  expect(written(text).slice(0, parts.length)).toEqual(parts)
})

test('markings that a kind of tire does not have are not claimed', () => {
  const trailer = explainSidewall(read('ST205/75R15 107/102M D')).map(({ id }) => id)
  expect(trailer).toContain('tin')
  for (const id of ['grades', 'mud', 'peaks'] as const) expect(trailer).not.toContain(id)
  expect(explainSidewall(read('LT275/70R18 125/122S E')).map(({ id }) => id)).not.toContain('grades')
})

test('renders each part once and skips sizes of unknown height', () => {
  for (const text of [
    '225/65R17 102H',
    'LT275/70R18 125/122S E',
    '35X12.50R17LT',
    'ST205/75R15 107/102M D',
    '11R22.5 146/143L G',
  ]) {
    const svg = drawGuide(read(text)) ?? ''
    for (const { id } of explainSidewall(read(text)))
      expect(svg.split(`class="mark mark-${id}"`), `${text} ${id}`).toHaveLength(2)
  }
  expect(drawGuide(read('255/35ZR19 (96Y)'))).toContain('<title>(96</title>')
  expect(drawGuide(read('7.50R16LT'))).toBeNull()
  expect(writtenAs(read('225 65 17 102h'))).toBe('225/65R17 102H')
})
