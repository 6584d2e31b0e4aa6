import { expect, test } from 'vitest'
import { makeItem, makeLine } from '#domain/catalog/catalog/catalog.testing.ts'
import { judgeFitment, type RequirementSource } from '#domain/catalog/fitment/fitment.ts'
import { parseTire } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { tireQuestions, type Asked } from './product-questions.server.ts'

const ask = (question: string, asked: Partial<Asked> = {}) =>
  tireQuestions({ item: makeItem(), vehicle: null, cameOn: [], maxAgeYears: 6, ...asked }).find((each) =>
    each.question.startsWith(question),
  )?.answer

const verdictFor = (listed: string, source: RequirementSource) => {
  const [requirement, tire] = [parseTire(listed), parseTire('225/65R17 102H')]
  return judgeFitment({
    requirement: {
      source,
      vehicleClass: 'suv',
      drive: 'na',
      configurations: requirement ? [{ front: requirement, rear: requirement }] : [],
    },
    candidate: { front: tire },
    context: { quantity: 4 },
  })
}
const rav4 = (listed: string, source: RequirementSource = 'placard') => ({
  vehicle: { name: '2021 RAV4', path: '/', verdict: verdictFor(listed, source) },
})

test('answers for the shopper’s vehicle as the rules do, and never yes for an unconfirmed size', () => {
  const question = 'Does it fit my 2021 RAV4?'
  expect(ask(question, rav4('225/65R17 102H'))).toBe('Yes: size, load and speed match the door label you confirmed.')
  expect(ask(question, rav4('225/65R17 102H', 'catalog'))).toBe(
    "Listed, not confirmed yet. Listed for your vehicle. Confirm on the driver's door label.",
  )
  expect(ask(question, rav4('225/65R17 102H', 'weak'))).toMatch(/^We can’t say yet\. .*door label\?$/)
  expect(ask(question, rav4('235/60R18 103H'))).toMatch(/^No\. This tire is for 17 inch wheels; yours are 18\.$/)
})

test('without a vehicle it lists those that came with the size, or what the label must show', () => {
  expect(ask('Does it fit my car?')).toContain('shows 225/65R17 and requires 102H or less')
  const cameOn = ['2021 Toyota RAV4', '2019 Honda CR-V', '2020 Mazda CX-5'].map((name) => ({ name, path: '/' }))
  expect(ask('Does it fit a 2021 Toyota RAV4?', { cameOn })).toContain(
    'listed for the 2021 Toyota RAV4, and for the 2019 Honda CR-V and 2020 Mazda CX-5.',
  )
})

test('only the three-peak mountain snowflake means severe snow', () => {
  const snow = (line: Parameters<typeof makeLine>[0]) =>
    ask('Is it for snow?', { item: makeItem({ line: makeLine(line) }) })
  expect(snow({ mPlusS: true, threePeak: false })).toContain('For light snow only.')
  expect(snow({ mPlusS: true, threePeak: true })).toContain('for severe snow, and may stay on all year')
  expect(snow({ mPlusS: true, threePeak: true, winter: true })).toContain('Use four')
  expect(snow({ mPlusS: false, threePeak: false })).toMatch(/^No\./)
})

test('tread life comes from the manufacturer’s warranty and is omitted without one', () => {
  expect(ask('How long')).toBe(
    'Its maker warrants 65,000 miles of tread, half of that where front and rear sizes differ. Its treadwear grade is 640; the tire it is measured against has 100. It comes with 10/32 inch of tread and is worn out at 2/32.',
  )
  const plain = makeItem({ line: makeLine({ warrantyMiles: null }), utqg: null })
  expect(ask('How long', { item: plain })).toBe(
    'Its maker gives no mileage warranty. It comes with 10/32 inch of tread and is worn out at 2/32.',
  )
})

test('load, wheels, pairs and age are answered with numbers', () => {
  expect(ask('How much')).toContain('1,874 lb each at full pressure, 7,496 lb for four, at up to 130 mph')
  expect(ask('Which wheels')).toContain('Wheels of 17 inch, 6 to 8 inch wide.')
  expect(ask('Can I')).toContain('the two new ones go on the rear axle')
  expect(ask('Can I', { item: makeItem({ line: makeLine({ winter: true }) }) })).toContain('on all four wheels')
  expect(ask('How old')).toContain('week 10 of 2026')
  expect(ask('How old', { item: makeItem({ stock: [[1, 0]] }) })).toBe(
    'This tire is out of stock right now. We don’t sell tires older than 6 years.',
  )
  expect(ask('How old', { item: makeItem({ stock: [] }), maxAgeYears: 3 })).toContain('older than 3 years')
})

test('questions the data cannot answer are omitted', () => {
  const silent = tireQuestions({
    item: makeItem({ oldestDotWeek: null, loadIndex: null }),
    vehicle: null,
    cameOn: [],
    maxAgeYears: 6,
  }).map(({ question }) => question)
  expect(silent).toEqual([
    'Does it fit my car?',
    'Is it for snow?',
    'How long does it last?',
    'Which wheels does it go on?',
    'Can I buy just two?',
    'Can I pay later?',
  ])
})
