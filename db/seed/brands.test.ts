import { expect, test } from 'vitest'
import { brands } from './brands.ts'
import { makeLines } from './lines.ts'
import { isConfusable, realTireBrands } from './real-names.testing.ts'

test('no brand can be taken for a real one', () => {
  const confusable = brands.flatMap((brand) =>
    realTireBrands.filter((real) => isConfusable(brand.name, real)).map((real) => `${brand.name} / ${real}`),
  )
  expect(confusable).toEqual([])
})

test('the name check finds confusable names', () => {
  expect(isConfusable('Goodyeer', 'Goodyear')).toBe(true)
  expect(isConfusable('Coopers', 'Cooper')).toBe(true)
  expect(isConfusable('Bridge Stone', 'Bridgestone')).toBe(true)
  expect(isConfusable('Kestrel', 'Continental')).toBe(false)
})

test('every tier has brands, with distinct wordmark styles', () => {
  expect(brands.length).toBeGreaterThanOrEqual(40)
  expect(new Set(brands.map((brand) => brand.slug)).size).toBe(brands.length)
  expect(new Set(brands.map((brand) => JSON.stringify(brand.wordmark))).size).toBeGreaterThan(40)
  for (const tier of ['value', 'mid', 'premium'] as const)
    expect(brands.filter((brand) => brand.tier === tier).length).toBeGreaterThan(10)
  for (const { wordmark } of brands) {
    expect(wordmark.weight).toBeGreaterThanOrEqual(100)
    expect(wordmark.weight).toBeLessThanOrEqual(900)
    // The width axis of the display face.
    expect(wordmark.stretch).toBeGreaterThanOrEqual(62)
    expect(wordmark.stretch).toBeLessThanOrEqual(125)
  }
})

test('the lines mentioned on pages exist', () => {
  const names = new Set(makeLines().map((line) => `${line.brand.name} ${line.name}`))
  const wanted = [
    'Kestrel Alltide AS2',
    'Alder & Stone Greyline CX',
    'Alder & Stone Vantage RS',
    'Tarn Fellgrip AW',
    'Tarn Fellgrip W3',
    'Northpass Meridian HT',
    'Northpass Scree AT',
    'Beckett Longhaul 80',
    'Corvane Passage',
  ]
  expect(wanted.filter((name) => !names.has(name))).toEqual([])
})

test('lines are distinct, many, and in every category', () => {
  const lines = makeLines()
  expect(lines.length).toBeGreaterThanOrEqual(400)
  expect(new Set(lines.map((line) => `${line.brand.slug}/${line.slug}`)).size).toBe(lines.length)
  expect(new Set(lines.map((line) => line.profile.slug)).size).toBe(20)
})

test('markings match the kind of tread', () => {
  for (const line of makeLines()) {
    expect(line.winter).toBe(line.profile.tread === 'winter')
    if (line.winter || line.profile.tread === 'all-weather') expect(line.three_peak, line.name).toBe(true)
    if (line.profile.tread === 'summer' || line.profile.tread === 'trailer') {
      expect(line.m_plus_s, line.name).toBe(false)
      expect(line.three_peak, line.name).toBe(false)
    }
  }
})

test('more generations add lines without changing the first', () => {
  const [once, thrice] = [makeLines(1), makeLines(3)]
  expect(thrice.slice(0, once.length)).toEqual(once)
  expect(new Set(thrice.map((line) => `${line.brand.slug}/${line.slug}`)).size).toBe(3 * once.length)
})
