import { expect, test } from 'vitest'
import { setupProgress, stepStates, type SetupFacts } from './setup.ts'
import { setupSteps } from './steps.ts'

const now = Temporal.Instant.from('2026-11-20T20:00:00Z')
const passed = (words: string) => ({ passed: true, words, at: now, isOutdated: false })

/** A store ready to open. */
const ready: SetupFacts = {
  now,
  store: { name: 'Lakeview Tire', phone: '(773) 555-0110', email: 'help@lakeview.example', returnAddress: '1 Elm St' },
  missingDetails: [],
  tax: { hasProvider: false, states: ['IL'], verified: 56, unverified: 0, updated: 0 },
  inTestMode: { payments: false, carrier: false },
  checks: { payments: passed('A test charge'), email: passed('A test email'), carrier: passed('1 Elm St') },
  warehouse: {
    name: 'Main',
    city: 'Chicago',
    state: 'IL',
    zip: '60613',
    cutoff: '14:00:00',
    dayCutoffs: [],
    zone: 'CST',
    handlingDays: 0,
    shipsByHand: false,
  },
  catalog: { listed: 412, inStock: 398, unpublished: 0 },
  hasSamples: false,
  reference: { hasZips: true, firstYear: 1990, lastYear: 2027 },
  shops: { ready: 2, hasFreeTime: true, unready: 0, applications: 0 },
  staff: { people: 2, owners: 1, without: { people: 0, owners: 0 }, unknown: 0 },
  order: { number: 'S-101', isReversed: true },
  unpublishedPages: [],
  isOpen: false,
  hasRates: true,
}
const empty: SetupFacts = {
  ...ready,
  missingDetails: ['the phone', 'the email'],
  tax: { hasProvider: false, states: [], verified: 0, unverified: 56, updated: 0 },
  checks: {},
  hasRates: false,
  warehouse: null,
  catalog: { listed: 0, inStock: 0, unpublished: 0 },
  shops: { ready: 0, hasFreeTime: false, unready: 0, applications: 2 },
  order: null,
  unpublishedPages: ['privacy policy', 'terms of sale'],
}
const statesOf = (facts: SetupFacts) =>
  Object.fromEntries(stepStates(facts).map(({ name, state, words }) => [name, `${state}: ${words}`]))

test('a new store has all steps open, with their prerequisites', () => {
  expect(statesOf(empty)).toMatchObject({
    details: 'todo: Missing: the phone, the email',
    payments: 'todo: Missing: a test charge. It is $1.00 on your card, and is voided immediately',
    legal: 'blocked: Waits for: store details',
    warehouse: 'todo: Missing: the place that your tires ship from',
    catalog: 'blocked: Waits for: a warehouse',
    shipping: 'todo: Review your shipping rates, then confirm or edit them',
    carrier: 'blocked: Waits for: a warehouse',
    installers: 'todo: Missing: one shop with hours and prices. 2 shops applied',
    reference: 'done: ZIP codes and vehicles from 1990 to 2027 are loaded',
    order: 'blocked: Waits for: payments, a warehouse, a tire in stock, an installer',
  })
  expect(setupProgress(stepStates(empty))).toMatchObject({ done: 2, of: 14, isReady: false })
})

test('a store with every step done is ready, and only opening is left', () => {
  expect(statesOf(ready)).toMatchObject({
    warehouse: 'done: Main, Chicago, IL 60613. Orders until 2:00 PM CST ship the same day',
    email: 'done: A test email, checked 3:00 PM EST',
    live: 'todo: Everything above is done',
  })
  expect(setupProgress(stepStates(ready))).toEqual({ done: 13, of: 14, minutesLeft: 1, isReady: true })
  expect(statesOf({ ...ready, isOpen: true })['live']).toBe('done: Shoppers can order')
})

test.for<[string, Partial<SetupFacts>, string]>([
  [
    'payments',
    { checks: { ...ready.checks, payments: { ...passed('A test charge'), isOutdated: true } } },
    'todo: Missing: a test charge. It is $1.00 on your card, and is voided immediately. Your settings changed',
  ],
  ['taxes', { tax: { ...ready.tax, states: [], verified: 1 } }, 'done: Base rates of 1 state, verified by your team'],
  ['taxes', { tax: { ...ready.tax, states: [], verified: 0 } }, 'todo: Missing: sales tax rates. Import local rates'],
  ['catalog', { catalog: { listed: 3, inStock: 0, unpublished: 1 } }, 'progress: Missing: 1 import to publish'],
  ['catalog', { catalog: { listed: 3, inStock: 0, unpublished: 0 } }, 'progress: Missing: stock.'],
  [
    'installers',
    { shops: { ready: 0, hasFreeTime: false, unready: 1, applications: 0 } },
    'progress: Missing: hours, bays and prices of 1',
  ],
  [
    'installers',
    { shops: { ready: 2, hasFreeTime: false, unready: 0, applications: 0 } },
    'progress: Missing: a free time within 14 days',
  ],
  ['order', { order: { number: 'S-9', isReversed: false } }, 'progress: Missing: S-9 is placed. Cancel or refund it'],
  [
    'legal',
    { unpublishedPages: ['terms of sale'] },
    'todo: Missing: terms of sale. They are drafts until an owner reads and publishes them',
  ],
  [
    'taxes',
    { tax: { ...ready.tax, hasProvider: true, states: [] } },
    'done: Sales tax is calculated by your payment provider',
  ],
  [
    'payments',
    {
      checks: {
        payments: {
          passed: false,
          words: 'the card was declined.',
          at: now.subtract({ hours: 48 }),
          isOutdated: false,
        },
      },
    },
    'failed: Failed: the card was declined. Checked Nov 18',
  ],
  [
    'carrier',
    { checks: {}, warehouse: ready.warehouse && { ...ready.warehouse, shipsByHand: true } },
    'done: By hand. Your team enters each tracking number',
  ],
  ['carrier', { checks: {} }, 'todo: Missing: a test label from your warehouse'],
  [
    'payments',
    { checks: { payments: { passed: null, words: 'A test charge was started', at: now, isOutdated: false } } },
    'progress: A test charge was started',
  ],
  [
    'live',
    { checks: { ...ready.checks, opening: { passed: false, words: '1 rule is broken', at: now, isOutdated: false } } },
    'failed: Failed: 1 rule is broken',
  ],
])('%s follows from the facts: %j', ([name, change, state]) => {
  expect(statesOf({ ...ready, ...change })[name]).toContain(state)
})

test.for<[string, Partial<SetupFacts>, string | undefined]>([
  ['payments', {}, undefined],
  ['payments', { inTestMode: { payments: true, carrier: false } }, 'Test mode: your keys don’t charge cards.'],
  ['carrier', { inTestMode: { payments: false, carrier: true } }, 'Test mode: your key buys no valid labels.'],
  ['catalog', {}, undefined],
  ['catalog', { hasSamples: true }, 'Sample tires are for sale.'],
  ['email', {}, 'The sender domain isn’t checked yet.'],
  [
    'email',
    { checks: { ...ready.checks, 'email-domain': { ...passed('a.example. SPF: no record.'), passed: false } } },
    'Sender domain: a.example. SPF: no record.',
  ],
  [
    'email',
    { checks: { ...ready.checks, 'email-domain': { ...passed('a.example is set up'), isOutdated: true } } },
    'The sender domain isn’t checked yet.',
  ],
  ['email', { checks: { ...ready.checks, 'email-domain': passed('a.example is set up') } }, undefined],
  ['staff', {}, undefined],
  [
    'staff',
    { staff: { ...ready.staff, without: { people: 1, owners: 0 }, unknown: 1 } },
    '1 person last signed in without a second factor.',
  ],
  [
    'staff',
    { staff: { ...ready.staff, without: { people: 2, owners: 1 } } },
    '2 people, 1 owner among them, last signed in without a second factor.',
  ],
  ['staff', { staff: { ...ready.staff, unknown: 2 } }, 'It’s unknown whether 2 people signed in with a second factor.'],
])('%s warns, but is done: %j', ([name, change, warning]) => {
  const step = stepStates({ ...ready, ...change }).find((found) => found.name === name)
  expect(step).toMatchObject({ state: 'done' })
  expect(step?.warning?.text).toBe(warning)
})

test('a step that is undone closes the way again', () => {
  expect(statesOf({ ...ready, warehouse: null })['live']).toBe('blocked: Waits for: a warehouse')
})

test('steps depend only on earlier steps and have unique names', () => {
  const names = setupSteps.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const [index, { waitsFor }] of setupSteps.entries())
    expect(names.slice(0, index)).toEqual(expect.arrayContaining([...waitsFor]))
})
