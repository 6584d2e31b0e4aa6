import { expect, test } from 'vitest'
import { makeItem, makeLine } from '#domain/catalog/catalog.testing.ts'
import { pictureDataOf } from './pictures.ts'

test('an article is drawn with the numbers and words that it is sold with', () => {
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

test('what is not known of an article is not lettered, and what is known is', () => {
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
