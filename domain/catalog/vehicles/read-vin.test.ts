import { expect, test } from 'vitest'
import type { GrayPicture, ReadLine } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { readVinPhoto, vinIn, vinInBarcode } from './read-vin.ts'

const vin = '2HKRW2H53KH612345'
const line = (text: string): ReadLine => ({ text, confidence: 70 })

test.for([
  'VIN: 2HKRW2H53KH612345',
  '2HKRW2H5 3KH61 2345 TYPE PASSENGER',
  'V.I.N. 2HKRW2H53KH612345.',
  // O and I are on no VIN.
  '2HKRW2H53KH6I2345',
])('"%s" has the VIN', (text) => {
  expect(vinIn([line('MFD BY HONDA OF CANADA MFG'), line(text)])).toBe(vin)
})

test.for([
  '2HKRW2H54KH612345',
  '2HKRW2H53KH61234',
  '2HKRW2H53KH6123456',
  'TIRE AND LOADING INFORMATION',
  'A'.repeat(10_000),
  '2 '.repeat(5_000),
])('"%s" has no VIN', (text) => {
  expect(vinIn([line(text)])).toBeUndefined()
})

test('a barcode has the VIN, an I before it, or other data around it', () => {
  expect(vinInBarcode(vin)).toBe(vin)
  expect(vinInBarcode(`I${vin}`)).toBe(vin)
  expect(vinInBarcode(`@\nANSI 636035\nVAD${vin}\nVAL2019`)).toBeUndefined()
  expect(vinInBarcode(`@\nANSI 636035\nVIN ${vin}\nVAL2019`)).toBe(vin)
  expect(vinInBarcode('https://example.com')).toBeUndefined()
})

test('a photo is read again with even light, and not after it was stopped', async () => {
  const photo: GrayPicture = { width: 40, height: 40, pixels: new Uint8ClampedArray(1_600).fill(90) }
  const readAs = async (answers: string[], goesOn: (share: number) => boolean = () => true) => {
    let asked = 0
    const read = () => Promise.resolve([line(answers[asked++] ?? '')])
    return { found: await readVinPhoto(photo, { read, goesOn }), asked }
  }
  expect(await readAs([vin])).toEqual({ found: vin, asked: 1 })
  expect(await readAs(['', vin])).toEqual({ found: vin, asked: 2 })
  expect(await readAs(['', ''])).toEqual({ found: undefined, asked: 2 })
  expect(await readAs([vin], () => false)).toEqual({ found: undefined, asked: 1 })
})
