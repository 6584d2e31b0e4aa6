/** What is typed about tires, and where each tire goes. */
import { expect, test } from 'vitest'
import { readJobForm } from './job-form.ts'
import { parseTin, tinAgeText, tinText, whyNotTin } from './tin.ts'
import { slotsOf } from './wheel-positions.ts'

const day = Temporal.PlainDate.from('2026-11-24')

test.for([
  ['DOT 7B3 KXYZ92 3426', '7B3KXYZ923426'],
  ['1abc-sdwl-3426', '1ABCSDWL3426'],
  ['U2LL5107', 'U2LL5107'],
  ['ABC3426', undefined],
  ['1ABO SDWL 3426', undefined],
  ['1ABC SDWL 0026', undefined],
  ['1ABC SDWL 5426', undefined],
  ['1ABC SDWL MORE 3426', undefined],
  ['', undefined],
  ['1'.repeat(5_000), undefined],
])('%s is read as %s', ([typed, tin]) => {
  expect(parseTin(typed ?? '')).toBe(tin)
})

test('a tire dated in the future or too old isn’t mounted', () => {
  expect(whyNotTin('1ABCSDWL4726', day, 6)).toBeUndefined()
  expect(whyNotTin('1ABCSDWL4926', day, 6)).toBe('future')
  expect(whyNotTin('1ABCSDWL1420', day, 6)).toBe('too-old')
  expect(whyNotTin('1ABCSDWL4820', day, 6)).toBeUndefined()
  expect(whyNotTin('1ABCSDWL4720', day, 6)).toBe('too-old')
  expect(whyNotTin('1ABCSDWL4823', day, 3)).toBeUndefined()
  expect(whyNotTin('1ABCSDWL4723', day, 3)).toBe('too-old')
  expect(tinAgeText('1ABCSDWL3426', day)).toBe('Week 34 of 2026, 13 weeks old')
  expect(tinAgeText('1ABCSDWL1420', day)).toBe('Week 14 of 2020, 6 years 7 months old')
  expect(tinText('1ABCSDWL3426')).toBe('1ABC SDWL 3426')
  expect(tinText('7B3KXYZ923426')).toBe('7B3 KXYZ92 3426')
})

test('tire positions for four alike, two and two, and manual choice for other numbers', () => {
  const positions = (lines: Parameters<typeof slotsOf>[0]) =>
    slotsOf(lines).map(({ position, isFixed }) => `${position}${isFixed ? '' : '?'}`)
  expect(positions([{ lineNo: 1, axle: 'all', quantity: 4 }])).toEqual(['LF', 'RF', 'LR', 'RR'])
  expect(
    positions([
      { lineNo: 1, axle: 'front', quantity: 2 },
      { lineNo: 2, axle: 'rear', quantity: 2 },
    ]),
  ).toEqual(['LF', 'RF', 'LR', 'RR'])
  expect(positions([{ lineNo: 1, axle: 'rear', quantity: 2 }])).toEqual(['LR', 'RR'])
  expect(positions([{ lineNo: 1, axle: 'all', quantity: 2 }])).toEqual(['LF?', 'RF?'])
  expect(positions([{ lineNo: 1, axle: null, quantity: 5 }])).toEqual(['LF?', 'RF?', 'LR?', 'RR?', 'LI?'])
  const many = slotsOf([
    { lineNo: 1, axle: 'all', quantity: 40 },
    { lineNo: 2, axle: 'front', quantity: 2 },
  ])
  expect(new Set(many.map(({ position }) => position)).size).toBe(42)
})

const slots = slotsOf([{ lineNo: 1, axle: 'all', quantity: 2 }])
const errorsOf = (fields: Record<string, string>) => {
  const read = readJobForm(new URLSearchParams(fields), slots, {
    day,
    maxAgeYears: 6,
    knownVinEnd: 'KP042788',
    hasPacket: false,
  })
  return read.ok ? [] : Object.keys(read.errors)
}

test('an empty form has no errors, and each mistake is reported at its field', () => {
  expect(
    readJobForm(new URLSearchParams(), slots, { day, maxAgeYears: 6, knownVinEnd: null, hasPacket: false }),
  ).toMatchObject({
    ok: true,
    value: {
      odometerMiles: null,
      torqueLbFt: null,
      code: null,
      signedName: null,
      tires: [{ position: 'LF' }, { position: 'RF' }],
    },
  })
  expect(errorsOf({ 'tin-1-1': '1ABC SDWL 1420', 'tread-1-1': '33', odometer: 'many', code: '12' })).toEqual([
    'tin-1-1',
    'tread-1-1',
    'odometer',
    'code',
  ])
  for (const torque of ['19', '701', 'tight']) expect(errorsOf({ torque })).toEqual(['torque'])
  for (const torque of ['20', '700', '76 lb-ft', '76 ft lb']) expect(errorsOf({ torque })).toEqual([])
  expect(errorsOf({ 'position-1-2': 'LF' })).toEqual(['position-1-2'])
  expect(errorsOf({ 'position-1-2': 'nowhere' })).toEqual(['position-1-2'])
  expect(errorsOf({ signedName: 'Iris Vale' })).toEqual(['signed'])
  expect(errorsOf({ signedName: 'Iris Vale', signed: 'yes', 'tread-1-1': '3/32', odometer: '41,836 mi' })).toEqual([])
})

test.for([
  ['kp04 2788', []],
  ['1M8GDM9AXKP042788', []],
  ['1M8GDM9A1KP042788', ['vin']],
  ['KP042789', ['vin']],
  ['KP04278', ['vin']],
  ['x'.repeat(5_000), ['vin']],
] as const)('the VIN %s has wrong fields %o', ([vin, wrong]) => {
  expect(errorsOf({ vin })).toEqual(wrong)
})

test('drawing replaces the checkbox and requires a name', () => {
  const drawn = '0,0 10,20 30,30;5,5 6,6 7,7 8,8 9,9'
  expect(errorsOf({ signedName: 'Iris Vale', signature: drawn })).toEqual([])
  expect(errorsOf({ signature: drawn })).toEqual(['signedName'])
  expect(errorsOf({ signedName: 'Iris Vale', signature: '1,1', signed: 'yes' })).toEqual(['signature'])
})
