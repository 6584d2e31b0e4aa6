/**
 * Edge cases of the rule book. The acceptance table covers the main cases. Over 400 lines: a single rule book, in
 * order.
 */
import { expect, test } from 'vitest'
import { answer, judge, type Case } from './fixtures/cases.ts'
import type { Context, Requirement } from './terms.ts'
import { parseTireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'

test('FR1: rejects a quantity of zero, half a tire, or one item per axle', () => {
  for (const quantity of [0, -4, 2.5, Number.NaN])
    expect(answer({ listed: '235/45R18 94V', offered: '235/45R18 94V', purchase: { quantity } })).toBe('unknown FR1')
  expect(
    answer({ listed: '235/45R18 94V', offered: '235/45R18 94V', rear: '235/45R18 94V', purchase: { quantity: 2 } }),
  ).toBe('unknown FR1')
  expect(answer({ listed: '235/45R18 94V', rear: '235/45R18 94V' })).toBe('unknown FR1')
  expect(answer({ listed: '235/45R18 94V', offered: '235/45R18 94V', purchase: { quantity: 5 } })).toBe('fits')
  expect(
    answer({ listed: '235/45R18 94V', offered: '235/45R18 94V', rear: '235/45R18 94V', purchase: { quantity: 3 } }),
  ).toBe('unknown FR25')
  expect(
    answer({
      listed: '235/65R16C 121/119R LR=E',
      offered: '235/65R16C 121/119R LR=E',
      vehicle: { vehicleClass: 'van', dualRearWheels: true },
      purchase: { quantity: undefined },
    }),
  ).toBe('unknown FR1')
})

test('FR1: an unreadable size is requested before other facts', () => {
  expect(answer({ listed: '235/45R18 94V', offered: '235/45R18 94V', tire: { size: undefined } })).toBe('unknown FR1')
  expect(answer({ listed: '235/45R18 94V', offered: '235/45R18 94V', axle: { size: undefined } })).toBe('unknown FR1')
})

test('FR1: an axle rating does not replace the load index of a spare', () => {
  const spare = { listed: 'T155/70D17 ?M', offered: 'T155/70D17 110M', purchase: { quantity: 1, spare: true } }
  expect(answer({ ...spare, axle: { axleRatingLb: 3000 } })).toBe('unknown FR1')
})

test('FR4: kinds that no rule compares are a question', () => {
  expect(
    answer({
      listed: 'LT275/70R18 125S LR=E',
      offered: 'ST275/70R18 125S LR=E',
      vehicle: { vehicleClass: 'commercial' },
    }),
  ).toBe('unknown FR4')
  expect(
    answer({ listed: '275/70R18 116S', offered: 'LT275/70R18 125S LR=E', vehicle: { vehicleClass: 'commercial' } }),
  ).toBe('unknown FR4')
  expect(
    answer({ listed: '225/70R19.5 128N LR=G', offered: 'LT225/70R19.5 128N LR=G', vehicle: { vehicleClass: 'truck' } }),
  ).toBe('unknown FR4')
  const rules = (given: Case) => judge(given).findings.map(({ rule }) => rule)
  expect(rules({ listed: '235/45R18 94V', offered: 'T155/70D17 110M' })).not.toContain('FR4')
  expect(rules({ listed: '235/45R18 94V', offered: '225/70R19.5 128V LR=G' })).not.toContain('FR4')
  expect(
    rules({ listed: '225/70R19.5 128N LR=G', offered: 'LT225/75R19 128N LR=G', vehicle: { vehicleClass: 'truck' } }),
  ).not.toContain('FR8')
})

test('FR8: exactly 3% passes, and a measured diameter must pass too', () => {
  const other = { listed: '235/60R18 103H', offered: '245/60R18 105H rims=7-8.5', axle: { wheelWidthIn: 7.5 } }
  expect(answer({ ...other, tire: { measuredDiameterMm: 739.2 * 1.03 } })).toBe('fits_with_conditions FR8')
  expect(answer({ ...other, tire: { measuredDiameterMm: 739.2 * 1.03 + 0.001 } })).toBe('does_not_fit FR8')
  expect(answer({ ...other, tire: { measuredDiameterMm: 739.2 } })).toBe('fits_with_conditions FR8')
  expect(
    answer({
      ...other,
      listed: '7.50R16LT 116N LR=E',
      offered: 'LT235/85R16 120N LR=E rims=6-8',
      vehicle: { vehicleClass: 'truck' },
    }),
  ).toBe('unknown FR8')
  const text = (given: Case) => judge(given).findings.find(({ rule }) => rule === 'FR8')?.text
  expect(text(other)).toBe('1.6 % taller: your speedometer reads 1.6 % low. Clearance must be checked.')
  expect(text({ ...other, offered: '225/60R18 105H rims=7-8.5' })).toBe(
    '1.6 % shorter: your speedometer reads 1.6 % high. Clearance must be checked.',
  )
  expect(text({ ...other, listed: '200/50R18 103H', offered: '250/40R18 105H rims=7-8.5' })).toBe(
    'Another size of the same height. Clearance must be checked.',
  )
  expect(text({ ...other, offered: '255/60R18 112H rims=7-9' })).toBe(
    '3.3 % taller than the listed 235/60R18. The limit is 3 %.',
  )
})

test('FR9: on aftermarket wheels even the listed size needs its approved widths', () => {
  const aftermarket = {
    listed: '235/60R18 103H',
    vehicle: { aftermarketWheels: true },
    axle: { wheelRimIn: 18, wheelWidthIn: 8 },
  }
  expect(answer({ ...aftermarket, offered: '235/60R18 103H' })).toBe('unknown FR9')
  expect(answer({ ...aftermarket, offered: '235/60R18 103H rims=6.5-8.5' })).toBe('fits')
  expect(answer({ ...aftermarket, offered: '235/60R18 103H rims=6.5-7.5' })).toBe('does_not_fit FR9')
  expect(judge({ ...aftermarket, offered: '235/60R18 103H rims=8.5-9' }).findings[0]?.text).toBe(
    'This tire needs an 8.5-9 inch wide wheel; yours is 8.',
  )
  for (const edges of ['8-9', '7-8'])
    expect(answer({ ...aftermarket, offered: `235/60R18 103H rims=${edges}` })).toBe('fits')
})

test('FR9: the listed size must match a given wheel width too, so its approved widths must be known', () => {
  const known = { listed: '235/60R18 103H', axle: { wheelWidthIn: 7.5 } }
  expect(answer({ ...known, offered: '235/60R18 103H' })).toBe('unknown FR9')
  expect(answer({ ...known, offered: 'P235/60R18 103H rims=6.5-8.5' })).toBe('fits')
  expect(answer({ ...known, offered: '235/60R18 103H rims=8-9' })).toBe('does_not_fit FR9')
  const truck = { ...known, listed: '265/70R17 113T', vehicle: { vehicleClass: 'truck' } } as const
  expect(answer({ ...truck, offered: 'LT265/70R17 121/118T LR=E' })).toBe('unknown FR9')
  const trailer = { ...known, listed: 'ST225/75R15 113M LR=D', vehicle: { vehicleClass: 'trailer' } } as const
  expect(answer({ ...trailer, offered: 'ST225/75R15 113M LR=D' })).toBe('unknown FR9')
  // A requirement without a size has its own question; one about the wheel would only distract.
  expect(answer({ ...known, listed: '?', offered: '235/60R18 103H' })).not.toContain('FR9')
})

test('FR44: width doesn’t identify an aftermarket wheel', () => {
  const wheel = { listed: '235/60R18 103H', offered: '235/60R18 103H rims=7-8.5', vehicle: { aftermarketWheels: true } }
  expect(answer({ ...wheel, axle: { wheelWidthIn: 8 } })).toBe('unknown FR44')
  expect(answer({ ...wheel, axle: { wheelRimIn: 18 } })).toBe('unknown FR44')
})

test('FR16 and FR17: load class and pressure', () => {
  expect(judge({ listed: '205/55R16 91H SL', offered: '205/55R16 94V XL' }).conditions[0]?.text).toMatch(
    /^Extra-load tire: /,
  )
  expect(judge({ listed: '205/55R16 91H XL', offered: '205/55R16 94V HL' }).conditions[0]?.text).toMatch(
    /^High-load tire: /,
  )
  expect(
    answer({
      listed: 'LT275/65R18 113T XL LR=C',
      offered: 'LT275/65R18 113T SL LR=C',
      vehicle: { vehicleClass: 'truck' },
    }),
  ).toBe('fits')
  expect(answer({ listed: '205/55R16 91H', offered: '205/55R16 91H maxpsi=44', axle: { pressurePsi: 44 } })).toBe(
    'fits',
  )
})

test('FR11: words the ten percent', () => {
  const text = (given: Case) => judge(given).findings.find(({ rule }) => rule === 'FR11')?.text
  expect(text({ listed: 'LT275/65R18 113T LR=C', offered: '275/65R18 116T', vehicle: { vehicleClass: 'suv' } })).toBe(
    'On an SUV a passenger tire counts for 10 % less. It falls short by 31 lb.',
  )
  expect(text({ listed: '265/70R17 113T', offered: 'LT265/70R17 109T LR=C', vehicle: { vehicleClass: 'truck' } })).toBe(
    'Even with 10 % taken off your listed passenger tires it falls short by 35 lb.',
  )
})

test('fits names every rule that had to pass', () => {
  const car = judge({
    listed: '225/45R18 95V XL RF mark=*',
    offered: '225/45R18 95V XL RF mark=* rims=7-8.5 maxpsi=51 age=1',
    vehicle: { modelYear: 2020 },
    axle: { wheelWidthIn: 7.5, pressurePsi: 33, axleRatingLb: 2400 },
  })
  expect(car.rules).toEqual([
    'FR1',
    'FR43',
    'FR5',
    'FR6',
    'FR10',
    'FR12',
    'FR16',
    'FR17',
    'FR18',
    'FR9',
    'FR33',
    'FR34',
  ])
  const dual = '195/75R16C 107/105R LR=D'
  const van = judge({
    listed: dual,
    offered: dual,
    vehicle: { vehicleClass: 'van', dualRearWheels: true },
    purchase: { quantity: 6 },
  })
  expect(van.rules).toEqual(['FR1', 'FR5', 'FR6', 'FR10', 'FR13', 'FR39', 'FR18'])
  const commercial = '225/70R19.5 128/126N LR=G'
  expect(judge({ listed: commercial, offered: commercial, vehicle: { vehicleClass: 'truck' } }).rules).toContain('FR37')
})

test('FR7: a size of another trim counts only on the same rim', () => {
  const alternativeSizes = ['245/60R18', '235/55R19'].flatMap((text) => parseTireSize(text) ?? [])
  const vehicle: Partial<Requirement> = { alternativeSizes }
  expect(answer({ listed: '235/60R18 103H', offered: '245/60R18 105H', vehicle })).toBe('fits_with_conditions FR7')
  expect(
    answer({
      listed: '235/60R18 103H',
      offered: '235/55R19 105H rims=7-8',
      vehicle,
      axle: { wheelRimIn: 19, wheelWidthIn: 7.5 },
    }),
  ).toBe('fits_with_conditions FR8')
})

test('FR23: a pair of another size leaves two sizes on the vehicle, unless the others are the same tire', () => {
  const pair = { listed: '235/60R18 103H', offered: '245/60R18 105H rims=7-8.5', axle: { wheelWidthIn: 7.5 } }
  expect(answer({ ...pair, purchase: { quantity: 2 } })).toBe('unknown FR23')
  expect(answer({ ...pair, purchase: { quantity: 2, remainingLine: 'same' } })).toBe('fits_with_conditions FR8 FR26')
})

test('FR28: a pair of another size on a staggered awd vehicle is compared with the listed tires that stay', () => {
  const macan = {
    listed: '235/55R19 101Y',
    listedRear: '255/50R19 103Y',
    vehicle: { vehicleClass: 'suv', drive: 'awd' },
    axle: { wheelWidthIn: 8 },
  } as const
  const kept = { remainingLine: 'same', treadGap32: 1 } as const
  expect(
    answer({ ...macan, offered: '245/55R19 103Y rims=7-8.5', purchase: { quantity: 2, axle: 'front', ...kept } }),
  ).toBe('does_not_fit FR28')
  expect(answer({ ...macan, rear: '265/45R19 105Y rims=7-9', purchase: { quantity: 2, ...kept } })).toBe(
    'does_not_fit FR28',
  )
  expect(
    answer({ ...macan, offered: '235/55R19 101Y rims=7-8.5', purchase: { quantity: 2, axle: 'front', ...kept } }),
  ).toBe('fits_with_conditions FR27 FR26')
  const four = { ...macan, offered: '245/55R19 103Y rims=7-8.5', rear: '255/50R19 103Y rims=7-9' } as const
  expect(answer({ ...four, vehicle: { vehicleClass: 'suv', drive: '4wd' } })).toBe('does_not_fit FR28')
  expect(answer({ ...four, vehicle: { vehicleClass: 'suv', drive: 'rwd' } })).toBe('fits_with_conditions FR8')
})

test('FR26: where the pair goes', () => {
  const codes = (given: Case) => judge(given).conditions.map(({ code }) => code)
  const staggered = { listed: '245/35R19 89Y', listedRear: '305/30R20 99Y' }
  expect(codes({ ...staggered, offered: '245/35R19 89Y', purchase: { quantity: 2, axle: 'front' } })).toEqual([
    'C-FRONTPAIR',
  ])
  expect(codes({ ...staggered, offered: '305/30R20 99Y', purchase: { quantity: 2, axle: 'rear' } })).toEqual(['C-REAR'])
  expect(
    codes({ listed: '235/45R18 94V', offered: '235/45R18 94V', purchase: { quantity: 2, axle: 'front' } }),
  ).toEqual(['C-REAR'])
})

test('FR39: four for the rear axle, two for the front, six for all', () => {
  const van = {
    listed: '195/75R16C 107/105R LR=D',
    vehicle: { vehicleClass: 'van', drive: 'rwd', dualRearWheels: true },
  } as const
  const tire = '195/75R16C 107/105R LR=D'
  expect(answer({ ...van, offered: tire, purchase: { quantity: 6 } })).toBe('fits')
  expect(answer({ ...van, offered: tire, purchase: { quantity: 4 } })).toBe('unknown FR39')
  expect(answer({ ...van, offered: tire, purchase: { quantity: 4, axle: 'rear' } })).toBe('fits')
  expect(answer({ ...van, rear: tire, purchase: { quantity: 2 } })).toBe('unknown FR39')
  expect(answer({ ...van, offered: tire, purchase: { quantity: 2, axle: 'front' } })).toBe('fits_with_conditions FR26')
  expect(answer({ ...van, offered: tire, purchase: { quantity: 6 }, axle: { dualLoadIndex: undefined } })).toBe(
    'unknown FR39',
  )
})

test('FR12: on dual wheels four tires at their dual load index carry the axle', () => {
  const van = {
    listed: '195/75R16C ?R LR=D',
    offered: '195/75R16C 107/105R LR=D',
    vehicle: { vehicleClass: 'van', dualRearWheels: true },
    purchase: { quantity: 6 },
  } as const
  expect(answer({ ...van, axle: { dualLoadIndex: 105, axleRatingLb: 4000 } })).toBe('fits_with_conditions FR12')
  const { front, rear } = judge({ ...van, axle: { dualLoadIndex: 105, axleRatingLb: 8200 } })
  expect(front?.verdict).toBe('does_not_fit')
  expect(rear?.verdict).toBe('does_not_fit')
  const fits = judge({ ...van, axle: { dualLoadIndex: 105, axleRatingLb: 8100 } })
  expect(fits.front?.verdict).toBe('does_not_fit')
  expect(fits.rear?.verdict).toBe('fits_with_conditions')
  // Two tires of 975 kg carry 4,299.01 lb.
  const car = {
    listed: '235/65R16C ?R LR=D',
    offered: '235/65R16C 107R LR=D',
    vehicle: { vehicleClass: 'van' },
  } as const
  expect(answer({ ...car, axle: { axleRatingLb: 4299 } })).toBe('fits_with_conditions FR12')
  expect(answer({ ...car, axle: { axleRatingLb: 4300 } })).toBe('does_not_fit FR12')
})

test('FR19: the light-truck exception requires the load range, and never goes below Q', () => {
  const truck = { listed: '275/65R18 114T', vehicle: { vehicleClass: 'truck', drive: '4wd' } } as const
  expect(answer({ ...truck, offered: 'LT275/65R18 113/110Q LR=C' })).toBe('fits_with_conditions FR15 FR19')
  expect(answer({ ...truck, offered: 'LT275/65R18 113/110Q' })).toBe('unknown FR13 FR19')
  expect(answer({ ...truck, offered: 'LT275/65R18 113/110Q LR=B' })).toBe('does_not_fit FR18')
  expect(answer({ ...truck, offered: 'LT275/65R18 113/110P LR=C' })).toBe('does_not_fit FR18')
  expect(answer({ ...truck, offered: 'LT275/65R18 113/110Q LR=C', vehicle: { vehicleClass: 'car' } })).toBe(
    'does_not_fit FR15 FR10 FR18',
  )
  expect(answer({ listed: '275/65R18 114U', vehicle: truck.vehicle, offered: 'LT275/65R18 113/110T LR=C' })).toBe(
    'does_not_fit FR18',
  )
})

test('FR19: U counts as T in winter steps', () => {
  const winter = (needed: string, rated: string) =>
    answer({ listed: `235/60R18 103${needed}`, offered: `235/60R18 103${rated} winter 3PMSF` })
  expect(winter('H', 'U')).toBe('fits_with_conditions FR19')
  expect(winter('U', 'T')).toBe('fits_with_conditions FR19')
  expect(winter('U', 'S')).toBe('fits_with_conditions FR19')
  expect(winter('V', 'U')).toBe('unknown FR19')
  expect(winter('(Y)', 'Y')).toBe('fits_with_conditions FR19')
  expect(winter('S', 'Q')).toBe('unknown FR19')
})

test('FR20: bare ZR meets requirements up to V', () => {
  expect(answer({ listed: '245/40R18 93V', offered: '245/40R18 93ZR' })).toBe('fits')
  expect(answer({ listed: '245/40R18 93W', offered: '245/40R18 93ZR' })).toBe('unknown FR20')
  expect(answer({ listed: '245/40R18 93ZR', offered: '245/40R18 93(Y)' })).toBe('unknown FR20')
  expect(answer({ listed: '245/40R18 93ZR', offered: '245/40R18 93?' })).toBe('unknown FR1')
})

test("FR27: never over 4/32, whatever the maker allows; below it the maker's limit decides", () => {
  const pair = (more: Context) =>
    answer({
      listed: '225/65R17 102H',
      offered: '225/65R17 102H',
      vehicle: { drive: 'awd' },
      purchase: { quantity: 2, remainingLine: 'same', ...more },
    })
  expect(pair({ treadGap32: 5 })).toBe('does_not_fit FR27')
  expect(pair({ treadGap32: 5, makerTreadTolerance32: 6 })).toBe('does_not_fit FR27')
  expect(pair({ treadGap32: 2 })).toBe('fits_with_conditions FR27 FR26')
  expect(pair({ treadGap32: -2, makerTreadTolerance32: 1.27 })).toBe('does_not_fit FR27')
  expect(pair({ treadGap32: 1, remainingLine: undefined })).toBe('unknown FR27')
  const far = judge({
    listed: '225/65R17 102H',
    offered: '225/65R17 102H',
    vehicle: { drive: 'awd' },
    purchase: { quantity: 2, treadGap32: 3, makerTreadTolerance32: 1.27 },
  })
  expect(far.findings[0]).toMatchObject({
    text: 'All-wheel drive: the four tires must match within 1.27/32 inch of tread.',
    short: 'tread differs by 3/32 inch, all-wheel drive takes 1.27/32',
  })
})

test('FR29: remaining tires of the same model count as winter tires', () => {
  const pair = (offered: string, more: Context) =>
    answer({ listed: '235/45R18 94V', offered, purchase: { quantity: 2, ...more } })
  expect(pair('235/45R18 94V winter 3PMSF', { remainingLine: 'same' })).toBe('fits_with_conditions FR26')
  expect(pair('235/45R18 94V', { remainingWinter: true })).toBe('does_not_fit FR29')
  expect(pair('235/45R18 94V', {})).toBe('fits_with_conditions FR26')
  expect(answer({ listed: '235/45R18 94V', offered: '235/45R18 94V', rear: '235/45R18 94V winter 3PMSF' })).toBe(
    'does_not_fit FR29',
  )
})

test('FR30: van tires count as light-truck tires; front and rear have one construction', () => {
  expect(
    answer({
      listed: '235/65R16 107T',
      offered: '235/65R16C 121/119T LR=E',
      vehicle: { vehicleClass: 'van' },
      purchase: { quantity: 2 },
    }),
  ).toBe('does_not_fit FR30')
  expect(
    answer({ listed: 'ST225/75D15 113M LR=D', offered: 'ST225/75D15 113M LR=D', vehicle: { vehicleClass: 'trailer' } }),
  ).toBe('fits')
  const bias = judge({
    listed: 'ST225/75R15 113M LR=D',
    offered: 'ST225/75D15 113M LR=D',
    vehicle: { vehicleClass: 'trailer' },
  })
  expect(bias.findings[0]?.text).toBe("Don't mix radial and bias tires. This is a bias tire; yours are radial.")
})

test('FR31 and FR33: remaining run-flats and a known pressure monitor', () => {
  const pair = (offered: string, remainingRunFlat: boolean) =>
    answer({
      listed: '225/45R18 95V',
      offered,
      vehicle: { modelYear: 2020 },
      purchase: { quantity: 2, remainingRunFlat },
    })
  expect(pair('225/45R18 95V', true)).toBe('does_not_fit FR31')
  expect(pair('225/45R18 95V', false)).toBe('fits_with_conditions FR26')
  const old = { listed: '205/55R16 89H', offered: '205/55R16 91H RF' }
  expect(answer({ ...old, vehicle: { modelYear: 2006, pressureMonitor: true } })).toBe('fits_with_conditions FR32')
  expect(answer({ ...old, vehicle: { modelYear: 2020, pressureMonitor: false } })).toBe('does_not_fit FR33')
  expect(answer({ ...old, vehicle: {} })).toBe('unknown FR33')
  const unasked = (listed: string, offered: string) =>
    answer({ listed, offered, vehicle: { modelYear: 2008 }, purchase: { quantity: 2 } })
  expect(unasked('225/45R18 95V RF', '225/45R18 95V')).toBe('unknown FR31')
  expect(unasked('225/45R18 95V', '225/45R18 95V RF')).toBe('unknown FR31')
  expect(unasked('225/45R18 95V', '225/45R18 95V')).toBe('fits_with_conditions FR26')
  expect(answer({ ...old, vehicle: { modelYear: 2008 } })).toBe('fits_with_conditions FR32')
  expect(answer({ ...old, vehicle: { modelYear: 2007 } })).toBe('unknown FR33')
})

test('FR34: marks that differ front to rear are a condition, on a Porsche a question', () => {
  const two = (make: string, front: string, rear: string) =>
    answer({
      listed: '245/45R19 98Y',
      offered: `245/45R19 98Y ${front}`,
      rear: `245/45R19 98Y ${rear}`,
      vehicle: { make },
    })
  expect(two('BMW', 'mark=*', 'mark=MO')).toBe('fits_with_conditions FR34')
  expect(two('Porsche', 'mark=N0', '')).toBe('unknown FR34')
  expect(two('Mercedes-Benz', 'mark=MO', 'mark=MO')).toBe('fits')
  const unmade = judge({ listed: '245/45R19 98Y mark=N0', offered: '245/45R19 98Y mark=N0', rear: '245/45R19 98Y' })
  expect(unmade.verdict).toBe('unknown')
  expect(unmade.findings[0]?.text).toBe(
    'These tires carry different marks: N0 in front, no mark in the rear. Please call us.',
  )
})

test('FR36: a trailer takes the type on its label, and an unread label is requested', () => {
  const trailer = { vehicleClass: 'trailer' } as const
  expect(answer({ listed: 'ST235/85R16 128M LR=E', offered: 'LT235/85R16 128M LR=E', vehicle: trailer })).toBe(
    'does_not_fit FR36',
  )
  expect(answer({ listed: '?', offered: 'LT235/85R16 120/116R LR=E', vehicle: { ...trailer, source: 'none' } })).toBe(
    'unknown FR2',
  )
  expect(answer({ listed: 'ST225/75R15 113? LR=D', offered: 'ST225/75R15 113? LR=D', vehicle: trailer })).toBe('fits')
  expect(answer({ listed: 'ST225/75R15 113M LR=D', offered: 'T155/70D15 113M', vehicle: trailer })).toMatch(
    'does_not_fit FR35',
  )
  expect(
    judge({
      listed: 'ST225/75R15 113M LR=D',
      offered: 'ST225/75R15 113M LR=D',
      vehicle: trailer,
      purchase: { quantity: 2 },
    }).conditions,
  ).toEqual([{ code: 'C-REAR', text: 'If your trailer has two axles, both new tires go on one of them.' }])
})

test('FR37: a commercial size listed for a light truck is not refused', () => {
  const truck = { vehicleClass: 'truck' } as const
  const tire = '225/70R19.5 128/126N LR=G'
  expect(answer({ listed: tire, offered: tire, vehicle: truck })).toBe('fits')
  expect(answer({ listed: tire, offered: tire, vehicle: { ...truck, source: 'weak' } })).toBe('unknown FR2')
  expect(answer({ listed: tire, offered: '245/70R19.5 133/131N LR=G', vehicle: truck })).toBe('does_not_fit FR37')
})

test('FR37: on a commercial vehicle every fit is confirmed by phone, whatever the kind of tire', () => {
  const heavy = { vehicleClass: 'commercial' } as const
  const light = 'LT245/75R17 121/118S LR=E'
  expect(answer({ listed: light, offered: light, vehicle: heavy })).toBe('fits_with_conditions FR37')
  expect(answer({ listed: '225/70R16 103T', offered: '225/70R16 103T', vehicle: heavy })).toBe(
    'fits_with_conditions FR37',
  )
  expect(judge({ listed: light, offered: light, vehicle: heavy }).conditions).toEqual([
    { code: 'C-COMM', text: 'Your vehicle is over 10,000 lb. We confirm its tires by phone.' },
  ])
  expect(answer({ listed: light, offered: 'LT245/75R17 119/116S LR=E', vehicle: heavy })).toBe('does_not_fit FR10')
  expect(answer({ listed: light, offered: light, vehicle: { ...heavy, source: 'catalog' } })).toBe(
    'fits_with_conditions FR37 FR2',
  )
})

test('FR11: a passenger tire counts in full on a car and a commercial vehicle, and for less on all others', () => {
  // 2 x 875 kg = 3,858 lb; divided by 1.10, 3,507 lb.
  const answers = (['car', 'suv', 'truck', 'van', 'commercial'] as const).map((vehicleClass) =>
    answer({
      listed: '225/70R16 103T',
      offered: '225/70R16 103T',
      vehicle: { vehicleClass },
      axle: { axleRatingLb: 3700 },
    }),
  )
  expect(answers).toEqual([
    'fits',
    'does_not_fit FR12',
    'does_not_fit FR12',
    'does_not_fit FR12',
    'fits_with_conditions FR37',
  ])
})

test('FR12: a refusal states what the tires carry together and the axle rating', () => {
  const given = { listed: '225/70R16 103T', offered: '225/70R16 103T', axle: { axleRatingLb: 4000 } }
  expect(judge(given).findings[0]?.text).toBe(
    'Together these carry less than your axle rating: 3,858 lb against 4,000 lb.',
  )
  // 3,747.9 lb against 3,748 lb: the text must not show the same number twice.
  const near = { listed: '225/65R17 102H', offered: '225/65R17 102H', axle: { axleRatingLb: 3748 } }
  expect(judge(near).findings[0]?.text).toContain('3,747 lb against 3,748 lb')
})

test('FR31: a full set of new tires leaves no tires to compare', () => {
  const runFlats = { listed: '225/45R18 95V XL RF', offered: '225/45R18 95V XL RF', vehicle: { pressureMonitor: true } }
  expect(answer({ ...runFlats, purchase: { quantity: 4, remainingRunFlat: false } })).toBe('fits')
  expect(answer({ ...runFlats, purchase: { quantity: 2, remainingRunFlat: false } })).toBe('does_not_fit FR31')
})

test('weak data refuses only by rules that need no listed size', () => {
  expect(answer({ listed: '235/60R18 103H', offered: '225/45R17 91V', vehicle: { source: 'weak' } })).toBe(
    'unknown FR2',
  )
  expect(answer({ listed: '235/60R18 103H', offered: '235/60R18 103H age=7', vehicle: { source: 'weak' } })).toBe(
    'does_not_fit FR43',
  )
  expect(answer({ listed: '235/60R18 103H', offered: 'T155/70D17 110M', vehicle: { source: 'weak' } })).toBe(
    'does_not_fit FR35',
  )
})

test('FR43: a shorter maximum age of the store refuses earlier and ends the age note there', () => {
  const at = (age: number) => {
    const given = { listed: '205/55R16 91H SL', offered: `205/55R16 91H SL age=${age}`, purchase: { maxAgeYears: 4 } }
    const { notes, findings } = judge(given)
    return [answer(given), notes.length, findings[0]?.text]
  }
  expect([3.9, 4, 4.1].map(at)).toEqual([
    ['fits', 1, undefined],
    ['fits', 1, undefined],
    ['does_not_fit FR43', 0, 'Made more than 4 years ago. We do not sell tires older than 4 years.'],
  ])
})

test('notes: age from three to six years, and the pressure light after a change', () => {
  const notes = (given: Case) => judge(given).notes.map(({ code }) => code)
  const car = { listed: '205/55R16 91H SL' }
  expect([2.9, 3, 6].map((age) => notes({ ...car, offered: `205/55R16 91H SL age=${age}` }).length)).toEqual([0, 1, 1])
  expect(
    judge({ ...car, offered: '205/55R16 91H age=4', tire: { made: { week: 12, year: 2023 } } }).notes[0]?.text,
  ).toBe('Made week 12, 2023.')
  expect(notes({ ...car, offered: '205/55R16 94V XL', vehicle: { pressureMonitor: true } })).toEqual(['N-TPMS'])
  expect(notes({ ...car, offered: '205/55R16 91H', vehicle: { pressureMonitor: true } })).toEqual([])
  expect(notes({ ...car, offered: '205/55R16 91H 3PMSF', purchase: { wantsSnow: true } })).toEqual([])
  const wider = judge({
    listed: '235/60R18 103H',
    offered: '245/60R18 105H rims=7-8',
    axle: { wheelWidthIn: 7.5 },
    purchase: { wantsChains: true },
  })
  expect(wider.notes[0]?.text).toBe(
    'Check the manual before using chains; some cars allow none. The chain size it lists is for the old tires.',
  )
  const truck = {
    listed: '275/65R18 114T',
    offered: 'LT275/65R18 113/110T LR=C',
    vehicle: { vehicleClass: 'truck', pressureMonitor: true },
  } as const
  expect(notes(truck)).toEqual(['N-TPMS'])
  expect(answer({ ...car, offered: '205/55R16 91H SL age=6' })).toBe('fits')
  const same = judge({ ...car, offered: '205/55R16 91H SL', purchase: { wantsChains: true } })
  expect(same.notes[0]?.text).toBe('Check the manual before using chains; some cars allow none.')
  expect(notes({ ...car, offered: '205/55R16 91H RF', vehicle: { pressureMonitor: true } })).toEqual([])
  expect(notes({ ...car, offered: '?', vehicle: { pressureMonitor: true } })).toEqual([])
  // A refused tire is not mounted, and one that may be the listed size is no change yet.
  expect(notes({ ...car, offered: '205/55R16 88V XL', vehicle: { pressureMonitor: true } })).toEqual([])
  const [small, wide] = ['235/65R17', '235/60R18'].map((text) => ({
    size: parseTireSize(text),
    loadIndex: 103,
    speed: 'H' as const,
  }))
  const configurations = [small, wide].map((axle) => ({ front: axle ?? {}, rear: axle ?? {} }))
  expect(notes({ ...car, offered: '235/60R18 103H', vehicle: { pressureMonitor: true, configurations } })).toEqual([])
})
