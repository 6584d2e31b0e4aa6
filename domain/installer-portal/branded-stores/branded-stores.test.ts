import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenColors } from '#domain/kernel/settings/settings.ts'
import { contrastOf, leastContrast } from '#platform/contrast.ts'
import { askedStore, brandedStoreForm, dealerCodeOf } from './branded-stores.ts'
import { headlineColor, storeColorFaults, textOn } from './store-colors.ts'
import { hostNameOf } from './visits.ts'

const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('for any color, text on the bar and on buttons reads, or the nearest color that does is named', () => {
  fc.assert(
    fc.property(color, color, (brand, accent) => {
      const faults = storeColorFaults({ brand, accent })
      const used = {
        brand: faults.find((fault) => fault.color === 'brand')?.nearest ?? brand,
        accent: faults.find((fault) => fault.color === 'accent')?.nearest ?? accent,
      }
      expect(storeColorFaults(used)).toEqual([])
      expect(contrastOf(used.brand, textOn(used.brand))).toBeGreaterThanOrEqual(leastContrast)
      expect(contrastOf(used.accent, tokenColors.ink)).toBeGreaterThanOrEqual(leastContrast)
      for (const ground of [tokenColors.paper, tokenColors.chalk])
        expect(contrastOf(headlineColor(brand), ground)).toBeGreaterThanOrEqual(leastContrast)
    }),
  )
})

test('the text on a color is the better of ink and white, and a pale color is no headline', () => {
  expect(textOn('#7b1e28')).toBe('#ffffff')
  expect(textOn('#f2c14e')).toBe('#14161a')
  expect(headlineColor('#7b1e28')).toBe('#7b1e28')
  expect(headlineColor('#f2c14e')).toBe('#14161a')
  // Between the two, neither reads.
  expect(storeColorFaults({ brand: '#7d7d7d', accent: '#f2c14e' })).toMatchObject([{ color: 'brand' }])
  expect(storeColorFaults({ brand: '#7b1e28', accent: '#7b1e28' })).toMatchObject([{ color: 'accent' }])
})

const typed = {
  name: 'Halsted Tire',
  tagline: 'Family owned since 1988',
  dealerCode: 'halsted',
  brandColor: '#7B1E28',
  accentColor: '#F2C14E',
  hostName: 'Tires.Halsted.Example.',
  seen: '0',
}

test('the form accepts typical input and shows an error at each invalid field', () => {
  expect(brandedStoreForm.parse(typed)).toMatchObject({
    dealerCode: 'HALSTED',
    brandColor: '#7b1e28',
    hostName: 'tires.halsted.example',
  })
  const faults = (change: Record<string, string>) =>
    brandedStoreForm.safeParse({ ...typed, ...change }).error?.issues.map(({ path }) => path[0]) ?? []
  expect(faults({ hostName: '', tagline: '' })).toEqual([])
  for (const [field, text] of [
    ['name', 'H'],
    ['name', 'H'.repeat(41)],
    ['dealerCode', 'abc'],
    ['dealerCode', "HAL'; drop"],
    ['brandColor', 'red'],
    ['brandColor', '#7d7d7d'],
    ['accentColor', '#000000'],
    ['hostName', 'https://halsted.example/'],
    ['hostName', 'localhost'],
    ['hostName', '10.0.0.1'],
    ['seen', '-1'],
  ] as const)
    expect(faults({ [field]: text }), `${field} ${text}`).toEqual([field])
})

test('an address identifies a store by dealer code, then installer ID, and ignores hostile input', () => {
  const asked = (query: string) => askedStore(new URLSearchParams(query))
  expect(asked('dealerCode=halsted&installerId=SW-00001')).toEqual({ dealerCode: 'HALSTED' })
  expect(asked('installerId=sw-00001')).toEqual({ installerId: 'SW-00001' })
  for (const query of ['', 'dealerCode=', 'dealerCode=%27or+1%3D1', 'installerId=1', `dealerCode=${'A'.repeat(9_000)}`])
    expect(asked(query), query).toBeNull()
  expect(dealerCodeOf(' abcd ')).toBe('ABCD')
  expect(hostNameOf('a-.example')).toBeUndefined()
  expect(hostNameOf('a'.repeat(101) + '.example')).toBeUndefined()
})
