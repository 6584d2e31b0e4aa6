import { expect, test } from 'vitest'
import { isVinChecked, readVin, vinEnd } from './vin.ts'

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
