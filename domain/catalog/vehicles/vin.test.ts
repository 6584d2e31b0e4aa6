import { expect, test } from 'vitest'
import { isVinChecked, readVin, resemblesVin, vinEnd, vinInSearch } from './vin.ts'

test.for<[string, string | undefined]>([
  ['1HGCM82633A004352', '1HGCM82633A004352'],
  [' 1hgcm826 33a-004352 ', '1HGCM82633A004352'],
  ['1HGCM82633A00435', undefined],
  ['1HGCM82633A0043521', undefined],
  // O is no character of a VIN.
  ['1HGCM82633AO04352', undefined],
  ['', undefined],
])('a VIN is read from %j', ([text, vin]) => {
  expect(readVin(text)).toBe(vin)
})

test.for<[string, string | undefined]>([
  ['3a004352', '3A004352'],
  ['1HGCM82633A004352', '3A004352'],
  ['3A00435', undefined],
  ['3A0043 52', '3A004352'],
  ['IA004352', undefined],
])('the end of a VIN is read from %j', ([text, end]) => {
  expect(vinEnd(text)).toBe(end)
})

test.for([
  ['1M8GDM9AXKP042788', true],
  ['11111111111111111', true],
  ['1M8GDM9A1KP042788', false],
  ['1M8GDM9AXKP042789', false],
] as const)('the check digit of %s is right: %s', ([vin, isRight]) => {
  expect(isVinChecked(vin)).toBe(isRight)
})

test.for<[string, string | undefined]>([
  ['2HKRW2H53KH612345', '2HKRW2H53KH612345'],
  [' 2hkrw2h5 3kh 612345 ', '2HKRW2H53KH612345'],
  // A wrong check digit is reported for one word, and words that only have the length of a VIN are another search.
  ['2HKRW2H54KH612345', '2HKRW2H54KH612345'],
  ['dually ram 2500 2019', undefined],
  ['2019 ram 2500 dually', undefined],
  ['2019ram2500dually', undefined],
  ['225/65R17', undefined],
  ['', undefined],
])('a search is a VIN or not: %j', ([text, vin]) => {
  expect(vinInSearch(text)).toBe(vin)
})

test.for([
  ['2HKRW2H53KH6', true],
  ['2HKRW2H53KH612345', true],
  ['2hkrw2h53kh-612345', true],
  ['2HKRW2H53K', false],
  ['22565172256', false],
  ['2021 toyota rav4', false],
  ['alltideas222', false],
  ['KEST-123456', false],
] as const)('no suggestions are requested while a VIN is typed: %j', ([text, isMostOfVin]) => {
  expect(resemblesVin(text)).toBe(isMostOfVin)
})
