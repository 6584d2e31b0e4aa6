import { expect, test } from 'vitest'
import { decodedName, hasDualRearWheels, modelNames } from './model-names.ts'

const decoded = (
  year: number,
  make: string,
  model: string,
  series: string | null = null,
  trim: string | null = null,
) => ({
  year,
  make,
  model,
  series,
  trim,
  body: null,
})

test.each([
  [decoded(2013, 'FORD', 'F-150'), 'ford f-150'],
  [decoded(2016, 'Ford', 'F-250'), 'ford f-250-super-duty'],
  [decoded(2015, 'Chevrolet', 'Silverado', '1500'), 'chevrolet silverado-1500'],
  [decoded(2015, 'CHEVROLET', 'Silverado', '2500 HD'), 'chevrolet silverado-2500hd'],
  [decoded(2014, 'Ram', '1500'), 'ram 1500'],
  [decoded(2014, 'Ram', 'Ram 1500'), 'ram 1500'],
  [decoded(2009, 'Ram', '1500'), 'dodge ram-1500'],
  [decoded(2013, 'BMW', '328i', '3-Series'), 'bmw 3-series'],
  [decoded(2018, 'Mercedes-Benz', 'C300'), 'mercedes-benz c-class'],
  [decoded(2019, 'Mercedes-Benz', 'GLC 300'), 'mercedes-benz glc'],
  [decoded(2003, 'Honda', 'Accord'), 'honda accord'],
])('%o may be %s', (read, name) => {
  expect(modelNames(read).map(({ makeSlug, modelSlug }) => `${makeSlug} ${modelSlug}`)).toContain(name)
})

test('the narrower model comes first, without duplicates', () => {
  const names = modelNames(decoded(2015, 'Chevrolet', 'Silverado', '1500')).map(({ modelSlug }) => modelSlug)
  expect(names).toEqual(['silverado-1500', 'silverado-1500hd', 'silverado'])
  expect(new Set(modelNames(decoded(2014, 'Ram', 'Ram 1500')).map(({ modelSlug }) => modelSlug)).size).toBe(2)
})

test('a display name and its rear-wheel details', () => {
  expect(decodedName(decoded(2003, 'Honda', 'Accord', null, 'EX-V6'))).toBe('2003 Honda Accord EX-V6')
  expect(decodedName(decoded(2017, 'Ford', 'Transit', '350'))).toBe('2017 Ford Transit 350')
  expect(hasDualRearWheels(decoded(2016, 'Ford', 'F-550', null, 'Super Duty - Dual Rear Wheel'))).toBe(true)
  expect(hasDualRearWheels(decoded(2016, 'Ford', 'F-250'))).toBe(false)
})
