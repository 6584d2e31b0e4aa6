import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeFitment } from '#domain/catalog/fitment/fitment.ts'
import { parseTire, sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import {
  chosenVehicleSchema,
  decodeChosenVehicle,
  encodeChosenVehicle,
  fitmentText,
  requirementFor,
  requirementForKnownModel,
  vehicleName,
  type ChosenVehicle,
  type FitmentOption,
  type KnownModel,
  type SizedVehicle,
  type Vehicle,
} from './vehicles.ts'

const crv: Vehicle = {
  id: 1,
  year: 2019,
  make: 'Honda',
  model: 'CR-V',
  trim: 'EX',
  makeSlug: 'honda',
  modelSlug: 'cr-v',
  trimSlug: 'ex',
  vehicleClass: 'suv',
  drive: 'awd',
}
const eighteen: FitmentOption = {
  id: 11,
  front: { size: '235/60R18', loadIndex: 103, speed: 'H' },
  rear: { size: '235/60R18', loadIndex: 103, speed: 'H' },
  isStaggered: false,
  source: 'catalog',
}
const seventeen: FitmentOption = {
  id: 12,
  front: { size: '235/65R17', loadIndex: 104, speed: 'H' },
  rear: { size: '235/65R17', loadIndex: 104, speed: 'H' },
  isStaggered: false,
  source: 'catalog',
}
const ex: SizedVehicle = { vehicle: crv, fitments: [eighteen] }
const lx: SizedVehicle = { vehicle: { ...crv, id: 2, trim: 'LX', trimSlug: 'lx', drive: 'fwd' }, fitments: [seventeen] }
const open = { fitmentId: null, confirmed: false, label: null }

const choice: ChosenVehicle = {
  vehicleId: 1,
  fitmentId: 11,
  year: 2019,
  makeSlug: 'honda',
  modelSlug: 'cr-v',
  name: '2019 Honda CR-V EX',
  confirmed: true,
  label: null,
}

const slug = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,6}){0,2}$/)
const tire = fc.constantFrom(
  '235/60R18 103H',
  'LT275/70R18 125/122S E',
  '255/35R19 (96Y) XL',
  '35X12.50R17LT',
  '245/35ZR19',
)
const id = fc.option(fc.integer({ min: 1, max: 2_000_000_000 }))
const anyChoice: fc.Arbitrary<ChosenVehicle> = fc
  .record({
    vehicleId: id,
    fitmentId: id,
    year: fc.integer({ min: 1950, max: 2100 }),
    makeSlug: slug,
    modelSlug: slug,
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    confirmed: fc.boolean(),
    label: fc.option(fc.record({ front: tire, rear: tire })),
    drive: fc.constantFrom({}, { allWheelDrive: true }, { allWheelDrive: false }),
  })
  .map(({ drive, ...any }) => ({
    ...any,
    ...drive,
    fitmentId: any.vehicleId === null ? null : any.fitmentId,
    confirmed: any.confirmed || any.label !== null,
  }))

test('a chosen vehicle round-trips through its plain-text cookie', () => {
  fc.assert(
    fc.property(anyChoice, (any) => {
      const text = encodeChosenVehicle(any)
      expect(text).toMatch(/^[A-Za-z0-9\-._~!]*$/)
      expect(encodeURIComponent(text)).toBe(text)
      expect(decodeChosenVehicle(text)).toEqual(any)
    }),
  )
  expect(encodeChosenVehicle(choice)).toBe('1~1~b~2019~honda~cr-v~1~~~2019_Honda_CR-V_EX')
  expect(encodeChosenVehicle({ ...choice, allWheelDrive: false })).toBe(
    '1~1~b~2019~honda~cr-v~1~~~2019_Honda_CR-V_EX~two',
  )
})

test('ignores a damaged cookie', () => {
  const text = encodeChosenVehicle(choice)
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('~', '1', 'a', '!', '.', '-', '_') }), (any) => {
      expect(decodeChosenVehicle(any)).toBeUndefined()
    }),
  )
  for (const broken of [
    '',
    '1',
    text.slice(0, -20),
    `2${text.slice(1)}`,
    text.replace('2019', '20190'),
    text.replace('honda', '../etc'),
    `${text}~more`,
    `${text}~all~two`,
  ])
    expect(decodeChosenVehicle(broken)).toBeUndefined()
})

test.each([
  ['a size without a vehicle', { vehicleId: null }],
  ['a label nobody read', { confirmed: false, label: { front: '235/60R18', rear: '235/60R18' } }],
  ['a label that is no size', { label: { front: 'eighteen', rear: 'eighteen' } }],
  ['a year without cars', { year: 1700 }],
])('refuses %s', (_, change) => {
  expect(chosenVehicleSchema.safeParse({ ...choice, ...change }).success).toBe(false)
})

test('stores a label in its printed form, however it was typed', () => {
  const { label } = chosenVehicleSchema.parse({ ...choice, label: { front: 'p235/60 r18 103h', rear: '2356018' } })
  expect(label).toEqual({ front: '235/60R18 103H', rear: '235/60R18' })
})

test('names vehicles and their sizes as people do', () => {
  expect(vehicleName(crv)).toBe('2019 Honda CR-V EX')
  expect(vehicleName({ year: 2019, make: 'Honda', model: 'CR-V' })).toBe('2019 Honda CR-V')
  expect(vehicleName({ year: 2019, make: 'Mazda', model: 'Mazda3' })).toBe('2019 Mazda3')
  expect(fitmentText(eighteen)).toBe('235/60R18 103H')
  expect(
    fitmentText({
      front: { size: '245/35R19', loadIndex: 89, speed: 'Y' },
      rear: { size: '305/30R20', loadIndex: null, speed: null },
      isStaggered: true,
    }),
  ).toBe('245/35R19 89Y front, 305/30R20 rear')
})

test("the shopper's answer settles an unlisted drive, and never overrides all-wheel drive", () => {
  const drive = (vehicles: readonly [SizedVehicle, ...SizedVehicle[]], allWheelDrive?: boolean) =>
    requirementFor(vehicles, allWheelDrive === undefined ? open : { ...open, allWheelDrive }).drive
  const unknown: SizedVehicle = { ...ex, vehicle: { ...crv, drive: 'na' } }
  expect(drive([unknown])).toBe('na')
  expect(drive([unknown], true)).toBe('awd')
  expect(drive([unknown], false)).toBe('na')
  expect(drive([ex, lx])).toBe('na')
  expect(drive([ex, lx], true)).toBe('awd')
  expect(drive([ex], false)).toBe('awd')
})

test('a listed size requires confirmation, and a confirmed one counts as the placard', () => {
  const listed = requirementFor([ex], open, [lx])
  expect(listed).toMatchObject({
    source: 'catalog',
    vehicleClass: 'suv',
    drive: 'awd',
    make: 'Honda',
    modelYear: 2019,
    configurations: [{ front: { loadIndex: 103, speed: 'H' } }],
  })
  expect(listed.alternativeSizes?.map(sizeDesignation)).toEqual(['235/60R18', '235/65R17'])
  expect(requirementFor([ex], { ...open, confirmed: true }).source).toBe('placard')

  const front = parseTire('235/60R18 103H')!
  const verdict = (requirement: ReturnType<typeof requirementFor>) =>
    judgeFitment({
      requirement,
      candidate: { front: { ...front, loadClass: 'SL', runFlat: false } },
      context: { quantity: 4 },
    }).verdict
  expect(verdict(listed)).toBe('fits_with_conditions')
  expect(verdict(requirementFor([ex], { ...open, confirmed: true }))).toBe('fits')
})

test('several possible sizes are configurations, and confirming has no effect yet', () => {
  const both = requirementFor([ex, lx], { ...open, confirmed: true })
  expect(both.configurations).toHaveLength(2)
  expect(both).toMatchObject({ source: 'catalog', drive: 'na' })
  const options: SizedVehicle = { vehicle: crv, fitments: [eighteen, seventeen] }
  expect(requirementFor([options], { ...open, fitmentId: 12, confirmed: true })).toMatchObject({
    source: 'placard',
    configurations: [{ front: { loadIndex: 104 } }],
  })
})

test('by law a light vehicle has a pressure monitor from model year 2008; a changed size adds the note', () => {
  const monitor = (change: Partial<Vehicle>) =>
    requirementFor([{ ...ex, vehicle: { ...crv, ...change } }], open).pressureMonitor
  expect([2007, 2008, 2026].map((year) => monitor({ year }))).toEqual([undefined, true, true])
  expect(
    (['car', 'suv', 'truck', 'van', 'trailer', 'commercial'] as const).map((vehicleClass) => monitor({ vehicleClass })),
  ).toEqual([true, true, true, true, undefined, undefined])
  const known: KnownModel = {
    year: 2015,
    make: 'Acura',
    model: 'NSX',
    makeSlug: 'acura',
    modelSlug: 'nsx',
    vehicleClass: 'car',
  }
  expect(
    [requirementForKnownModel(known, open), requirementForKnownModel({ ...known, year: 1991 }, open)].map(
      ({ pressureMonitor }) => pressureMonitor,
    ),
  ).toEqual([true, undefined])
  const { notes } = judgeFitment({
    requirement: requirementFor([ex], open),
    candidate: { front: parseTire('245/60R18 105H')! },
    context: { quantity: 4 },
  })
  expect(notes.map(({ code }) => code)).toEqual(['N-TPMS'])
})

test('dual rear wheels mean six tires, and no pressure monitor by law', () => {
  const vehicle = { ...crv, vehicleClass: 'van', trim: '350 HD Dual Rear Wheel' } as const
  const dual: SizedVehicle = { vehicle, fitments: [eighteen] }
  expect(requirementFor([dual], open)).toMatchObject({ dualRearWheels: true, pressureMonitor: undefined })
  expect(requirementFor([ex], open).dualRearWheels).toBe(false)
  // While the trim is open neither is certain.
  expect(requirementFor([{ ...ex, vehicle: { ...vehicle, trim: '250' } }, dual], open)).toMatchObject({
    dualRearWheels: undefined,
    pressureMonitor: undefined,
  })
})

test('one weak row makes the whole requirement weak, until the label is confirmed', () => {
  const weak: SizedVehicle = { vehicle: crv, fitments: [eighteen, { ...seventeen, source: 'weak' }] }
  expect(requirementFor([weak], open).source).toBe('weak')
  expect(requirementFor([weak], { ...open, fitmentId: 11 }).source).toBe('catalog')
  expect(requirementFor([weak], { ...open, fitmentId: 12, confirmed: true }).source).toBe('placard')
})

test('the label counts, and the list adds load and speed only for the same sizes', () => {
  const label = (front: string, rear = front) =>
    requirementFor([ex, lx], { ...open, confirmed: true, label: { front, rear } })
  expect(label('235/60R18')).toMatchObject({
    source: 'placard',
    configurations: [{ front: { loadIndex: 103, speed: 'H' }, rear: { loadIndex: 103, speed: 'H' } }],
  })
  expect(label('235/60R18 107V').configurations).toMatchObject([{ front: { loadIndex: 107, speed: 'V' } }])
  const other = label('255/45R20')
  expect(other.configurations).toMatchObject([{ front: { loadIndex: undefined, speed: undefined } }])
  expect(other.configurations).toHaveLength(1)
  expect(label('235/60R18', '255/55R18').configurations[0]?.rear.loadIndex).toBeUndefined()
})

test('a model without listed sizes needs its label', () => {
  const model: KnownModel = {
    year: 1991,
    make: 'Acura',
    model: 'NSX',
    makeSlug: 'acura',
    modelSlug: 'nsx',
    vehicleClass: 'car',
  }
  expect(requirementForKnownModel(model, open)).toMatchObject({ source: 'none', configurations: [] })
  expect(
    requirementForKnownModel(model, {
      ...open,
      confirmed: true,
      label: { front: '205/50R15 85V', rear: '225/50R16 91V' },
    }),
  ).toMatchObject({
    source: 'placard',
    configurations: [{ front: { loadIndex: 85 }, rear: { loadIndex: 91 } }],
  })
})
