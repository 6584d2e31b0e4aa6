import { expect, test } from 'vitest'
import {
  baysStepForm,
  blackoutForm,
  lengthsStepForm,
  missingSteps,
  portalCan,
  pricesStepForm,
  setUpSteps,
  type SetUp,
} from './portal.ts'
import { typedPrices } from './portal.testing.ts'

const nothing: SetUp = {
  isOpen: false,
  hours: [],
  bays: 0,
  dropOffs: 0,
  rates: [],
  slotMinutes: 60,
  closures: [],
  saved: [],
}

function ratesOf(typed: Record<string, string>): SetUp['rates'] {
  return pricesStepForm.parse(typed).prices.map((price) => ({
    ...price,
    serviceKitCents: 600,
    disposalCents: 350,
    minutesPerTire: 12,
  }))
}

const complete: SetUp = {
  ...nothing,
  hours: [{ weekday: 1, opens: 480, closes: 1080 }],
  bays: 2,
  rates: ratesOf(typedPrices),
  saved: setUpSteps,
}

test('a new shop lacks every step, and a complete one lacks no steps', () => {
  expect(missingSteps(nothing)).toEqual(setUpSteps)
  expect(missingSteps(complete)).toEqual([])
})

test('a step counts once saved with data, including hours from the application', () => {
  expect(missingSteps({ ...complete, saved: setUpSteps.filter((step) => step !== 'hours') })).toEqual(['hours'])
  expect(missingSteps({ ...complete, bays: 0 })).toEqual(['bays'])
  expect(missingSteps({ ...complete, rates: complete.rates.slice(1) })).toEqual(['prices'])
})

test('prices cover every rim of the agreement; run-flats and light trucks as a whole or not at all', () => {
  expect(pricesStepForm.parse(typedPrices).prices).toHaveLength(8)
  const faults = (change: Record<string, string>) =>
    pricesStepForm.safeParse({ ...typedPrices, ...change }).error?.issues.map(({ path }) => path.join('.')) ?? []
  expect(faults({ 'standard-12': '' })).toEqual(['standard-12'])
  expect(faults({ 'run-flat-17': '34' })).toEqual(['run-flat-12', 'run-flat-19', 'run-flat-21'])
  expect(faults({ 'low-profile-19': '0' })).toEqual(['low-profile-19'])
  expect(faults({ 'low-profile-19': '501' })).toEqual(['low-profile-19'])
  expect(faults({ kit: 'six' })).toEqual(['kit'])
})

test('bays, lengths and blackout days have limits', () => {
  for (const typed of [
    { bays: '0', dropOffs: '0' },
    { bays: '21', dropOffs: '0' },
    { bays: '2', dropOffs: '-1' },
    { bays: 'x' },
  ])
    expect(baysStepForm.safeParse(typed).success).toBe(false)
  expect(baysStepForm.parse({ bays: '20', dropOffs: '0' })).toEqual({ bays: 20, dropOffs: 0 })
  expect(lengthsStepForm.safeParse({ slot: '61', standard: '12' }).success).toBe(false)
  expect(lengthsStepForm.parse({ slot: '60', standard: '12' })).toEqual({
    slotMinutes: 60,
    minutes: [{ job: 'standard', minutes: 12 }],
  })
  for (const on of ['2026-02-30', '11/24/2026', '9999-01-01'])
    expect(blackoutForm.safeParse({ on, reason: 'Inventory' }).success).toBe(false)
})

test('a technician sees the day and missing steps but can’t make changes', () => {
  expect(
    (['day.read', 'set-up.read', 'set-up.edit', 'shop.open'] as const).filter((each) => portalCan('technician', each)),
  ).toEqual(['day.read', 'set-up.read'])
})
