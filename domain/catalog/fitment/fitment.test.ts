import { expect, test } from 'vitest'
import { answer, judge } from './fixtures/cases.ts'
import { readTireString } from './fixtures/vectors.ts'
import { isInstallationRefused, judgeFitment } from './fitment.ts'

test('no tire and no vehicle is unknown, not fits', () => {
  const verdict = judgeFitment({
    requirement: { source: 'placard', vehicleClass: 'car', drive: 'na', configurations: [] },
    candidate: {},
    context: {},
  })
  expect(verdict.verdict).toBe('unknown')
  expect(verdict.front?.verdict).toBe('unknown')
  expect(verdict.rear?.verdict).toBe('unknown')
})

test('configurations that differ only in an unprinted fact still lead to a question', () => {
  const configuration = (axleRatingLb: number) => {
    const axle = { ...readTireString('275/65R18 114T'), axleRatingLb }
    return { front: axle, rear: axle }
  }
  const given = judge({
    listed: '275/65R18 114T',
    offered: '275/65R18 114T',
    vehicle: { vehicleClass: 'truck', configurations: [configuration(3000), configuration(4800)] },
  })
  expect(given.verdict).toBe('unknown')
  expect(given.rules).toEqual(['FR3'])
})

test('a verdict includes its input, source and rule book version', () => {
  const verdict = judge({
    listed: '235/60R18 103H',
    offered: '235/60R18 103H',
    vehicle: { source: 'catalog', sourceDate: '2026-11-20' },
  })
  expect(verdict).toMatchObject({
    source: 'catalog',
    sourceDate: '2026-11-20',
    ruleBook: expect.stringMatching(/^\d{4}\.\d{2}\.\d+$/),
  })
  expect(verdict.input.requirement.configurations[0]?.front.loadIndex).toBe(103)
  expect(verdict.front?.text).toBe("Front: Listed for your vehicle. Confirm on the driver's door label.")
})

test('FR46: only does_not_fit excludes a line from installation checkout', () => {
  expect(isInstallationRefused(judge({ listed: '235/60R18 103H', offered: '235/60R18 102H' }))).toBe(true)
  expect(isInstallationRefused(judge({ listed: '235/60R18 103H', offered: '235/60R18 103?' }))).toBe(false)
})

test('has one line per axle with a separate reason', () => {
  const m3 = judge({
    listed: '275/35R19 100Y',
    listedRear: '285/30R20 99Y',
    offered: '275/35R19 99Y',
    rear: '285/30R20 99Y',
  })
  expect(m3.front).toEqual({
    verdict: 'does_not_fit',
    text: 'Front: Carries 1,709 lb; your front tires must carry 1,764 lb.',
  })
  expect(m3.rear).toEqual({ verdict: 'fits', text: 'Rear: the listed size, with enough load and speed.' })
  const both = judge({ listed: '275/35R19 100Y', offered: '275/35R19 100W', rear: '275/35R19 99Y' })
  expect(both.front?.text).toBe('Front: Rated to 168 mph; your car needs 186 mph.')
  expect(both.rear?.text).toBe('Rear: Carries 1,709 lb; your tires must carry 1,764 lb.')
})

test('a condition of both axles appears once, different ones appear twice', () => {
  const clear = { listed: '235/60R18 103H', axle: { wheelWidthIn: 7.5 } }
  expect(judge({ ...clear, offered: '245/60R18 105H rims=7-8.5' }).conditions).toHaveLength(1)
  const staggered = {
    ...clear,
    listedRear: '255/55R18 105H',
    offered: '245/60R18 105H rims=7-8.5',
    rear: '245/60R18 105H rims=7-8.5',
  }
  expect(judge(staggered).conditions.map(({ code, text }) => `${code} ${text.slice(0, 5)}`)).toEqual([
    'C-CLEAR 1.6 %',
    'C-CLEAR 1.8 %',
  ])
})

test('four tires go on all wheels, whatever axle is named; fewer go where named', () => {
  const four = judge({ listed: '235/45R18 94V', offered: '235/45R18 94V', purchase: { quantity: 4, axle: 'rear' } })
  expect(four.verdict).toBe('fits')
  expect(four.front?.verdict).toBe('fits')
  expect(four.rear?.verdict).toBe('fits')
  const listing = judge({
    listed: '235/45R18 94V',
    offered: '235/45R18 94V',
    purchase: { quantity: undefined, axle: 'rear' },
  })
  expect(listing.front).toBeUndefined()
  expect(listing.rear?.verdict).toBe('fits')
  expect(
    answer({
      listed: '245/35R19 89Y',
      listedRear: '305/30R20 99Y',
      offered: '245/35R19 89Y',
      purchase: { quantity: 3, remainingLine: 'same' },
    }),
  ).toBe('does_not_fit FR5 FR10 FR8')
})

test('FR21: axles with different required loads or speeds are staggered too', () => {
  const pair = (listedRear: string) =>
    answer({ listed: '245/40R19 94Y', listedRear, offered: '245/40R19 94Y', purchase: { quantity: 2 } })
  expect(pair('245/40R19 98Y')).toBe('unknown FR21')
  expect(pair('245/40R19 94(Y)')).toBe('unknown FR21')
  expect(pair('245/40R19 94Y')).toBe('fits_with_conditions FR26')
})

test('shows a shared reason of all unknown configurations instead of the size', () => {
  const requirement = readTireString('235/60R18 103H')
  const configurations = [
    { front: requirement, rear: requirement },
    { front: requirement, rear: requirement },
  ]
  const missing = judge({ listed: '', offered: '235/60R18 ?H', vehicle: { configurations } })
  expect(missing.verdict).toBe('unknown')
  expect(missing.rules).toEqual(['FR1'])
  expect(missing.findings).toHaveLength(2)
  const other = readTireString('235/60R18 104H')
  const open = judge({
    listed: '',
    offered: '235/60R18 ?H',
    vehicle: { configurations: [...configurations, { front: other, rear: other }] },
  })
  expect(open.rules).toEqual(['FR1', 'FR3'])
})
