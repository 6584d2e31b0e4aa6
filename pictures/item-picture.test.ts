import { expect, test } from 'vitest'
import { makeItem, makeLine } from '#domain/catalog/catalog/catalog.testing.ts'
import { pictureDataOf } from './pictures.ts'

test('an item is rendered with its sold markings', () => {
  expect(
    pictureDataOf(makeItem({ loadIndex: 102, dualLoadIndex: null, speed: 'H', loadRange: null, maxPsi: 51 })),
  ).toEqual({
    brand: 'Kestrel',
    line: 'Alltide AS2',
    size: { designation: '225/65R17', sectionWidthMm: 225, rimIn: 17, overallDiameterMm: 724.3 },
    loadIndex: '102',
    speed: 'H',
    kind: 'all-season',
    mPlusS: true,
    threePeak: false,
    outlinedWhiteLetters: false,
    loadRange: undefined,
    maxLoadKg: 850,
    maxPressureKpa: 352,
  })
})

test('unknown markings are omitted, and known ones are shown', () => {
  const plain = makeItem({ loadIndex: null, dualLoadIndex: null, speed: null, loadRange: 'Z9', sidewall: 'BSW' })
  expect(pictureDataOf(plain)).toMatchObject({ loadIndex: '', speed: '', loadRange: undefined, maxLoadKg: undefined })

  const truck = makeItem({
    line: makeLine({ tread: 'all-terrain', threePeak: true }),
    loadIndex: 121,
    dualLoadIndex: 118,
    loadRange: 'E',
    sidewall: 'OWL',
  })
  expect(pictureDataOf(truck)).toMatchObject({
    kind: 'all-terrain',
    threePeak: true,
    loadIndex: '121/118',
    loadRange: 'E',
    maxLoadKg: 1450,
    outlinedWhiteLetters: true,
  })
})
