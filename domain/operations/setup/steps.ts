/**
 * Store setup steps in order. A step is one entry, with its page, its prerequisites, and its state as a function of the
 * database. Over 400 lines: one entry per step.
 */
import { officePaths } from '#content/office-paths.ts'
import type { ReadCheck, SetupCheckKind } from './checks.ts'
import { countOf } from '#platform/count-text.ts'
import { clockText, minuteText } from '#platform/time-text.ts'
import { dayTimesText } from '#platform/week-hours.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { secondFactorWarning, taxWarning, type StepWarning } from './step-warnings.ts'

/** What the steps are computed from. */
export type SetupFacts = {
  now: Temporal.Instant
  store: { name: string; phone: string; email: string; returnAddress: string }
  /** Labels for details that still have the product's defaults. */
  missingDetails: readonly string[]
  /** `states` have imported local rates. `verified` counts states with rates and fees that staff verified. */
  tax: { hasProvider: boolean; states: readonly string[]; verified: number; unverified: number; updated: number }
  checks: Readonly<Partial<Record<SetupCheckKind, ReadCheck>>>
  inTestMode: { payments: boolean; carrier: boolean }
  /** The first warehouse of the store's own. */
  warehouse:
    | (Record<'name' | 'city' | 'state' | 'zip' | 'cutoff' | 'zone', string> & {
        handlingDays: number
        /** Whether staff enter each tracking number, in all of the store’s warehouses. */
        shipsByHand: boolean
        dayCutoffs: (string | null)[]
      })
    | null
  /** Tires for sale, and those in stock, both up to 1,000. */
  catalog: { listed: number; inStock: number; unpublished: number }
  /** Whether the sample tires are in the catalog. They are removed before the store opens. */
  hasSamples: boolean
  reference: { hasZips: boolean; firstYear: number | null; lastYear: number | null }
  /** Shops that take appointments, whether one has a free time within `freeTimeDays`, those without hours, bays or prices, and applications to answer. */
  shops: { ready: number; hasFreeTime: boolean; unready: number; applications: number }
  /** `without` last signed in without a second factor, and for `unknown` the provider doesn't report it. */
  staff: { people: number; owners: number; without: { people: number; owners: number }; unknown: number }
  /** The newest order, and whether it was canceled or refunded. */
  order: { number: string; isReversed: boolean } | null
  /** Which of the pages that bind the store no owner has published, in words. */
  unpublishedPages: readonly string[]
  isOpen: boolean
  /** Whether staff confirmed or changed the shipping rates. */
  hasRates: boolean
}

type Found = {
  state: 'done' | 'todo' | 'progress' | 'failed'
  words: string
  warning?: StepWarning | null
  /** Where it is done in this state, if not on the step's page. */
  page?: SetupStep['page']
}
export type StepState = Found['state'] | 'blocked'

export type SetupStepName =
  | 'details'
  | 'taxes'
  | 'payments'
  | 'legal'
  | 'warehouse'
  | 'catalog'
  | 'reference'
  | 'shipping'
  | 'carrier'
  | 'installers'
  | 'email'
  | 'staff'
  | 'order'
  | 'live'

type SetupGroup = 'business' | 'goods' | 'delivery' | 'opening'

/** Days within which a shop must have a free time. */
export const freeTimeDays = 14

export const setupGroups: Readonly<Record<SetupGroup, string>> = {
  business: 'Your business',
  goods: 'What you sell',
  delivery: 'How it gets there',
  opening: 'Before you open',
}

type SetupStep = {
  name: SetupStepName
  group: SetupGroup
  label: string
  /** What Home calls it while it is to be done. */
  task: string
  /** The name shown for a missing step. */
  short: string
  /** How long it takes, in minutes. */
  minutes: number
  /** The page where it is done, and the button that leads there; null for one that is done here. */
  page: { path: string; label: string } | null
  /** What must be done before. */
  waitsFor: readonly SetupStepName[]
  /** Only an owner does it. */
  isOwners?: true
  find(facts: SetupFacts): Found
}

const done = (words: string): Found => ({ state: 'done', words })
const todo = (words: string): Found => ({ state: 'todo', words: `Missing: ${words}` })
const progress = (words: string): Found => ({ state: 'progress', words })

function taxStep({ hasProvider, states, verified }: SetupFacts['tax']): Found {
  if (hasProvider) return done('Sales tax is calculated by your payment provider')
  if (states.length > 0) return done(`Tax rates for ${listText(states)}`)
  if (verified > 0) return done(`Base rates of ${countOf(verified, 'state')}, verified by your team`)
  return todo('sales tax rates. Import local rates, or verify the base rates of the states that you sell to')
}

/** Returns the state of a step that depends on an on-demand check. */
function checked({ checks, now }: SetupFacts, kind: SetupCheckKind, missing: string): Found {
  const check = checks[kind]
  if (!check) return todo(missing)
  if (check.isOutdated) return todo(`${missing}. Your settings changed since the last one`)
  const day = storeDay(check.at).equals(storeDay(now))
    ? clockText(check.at, storeZone)
    : storeDay(check.at).toLocaleString('en-US', { month: 'short', day: 'numeric' })
  if (check.passed === null) return progress(check.words)
  return check.passed
    ? done(`${check.words}, checked ${day}`)
    : { state: 'failed', words: `Failed: ${check.words} Checked ${day}` }
}

function catalogStep({ listed, inStock, unpublished }: SetupFacts['catalog']): Found {
  if (inStock > 0)
    return done(`${aboutThousand(listed)} for sale, ${inStock >= 1000 ? 'over 1,000' : inStock} of them in stock`)
  if (unpublished > 0) return progress(`Missing: ${countOf(unpublished, 'import')} to publish`)
  return listed > 0
    ? progress('Missing: stock. Import a stock file, or adjust the stock of a tire')
    : todo('one tire with a price and stock')
}

const removeSamples = { path: `${officePaths.officeSetup()}#samples`, label: 'Remove them before you open' }

export const setupSteps: readonly SetupStep[] = [
  {
    name: 'details',
    group: 'business',
    label: 'Store details',
    task: 'Enter your store details',
    short: 'store details',
    minutes: 5,
    page: { path: officePaths.officeSettings(), label: 'Edit' },
    waitsFor: [],
    find: ({ missingDetails, store }) =>
      missingDetails.length > 0
        ? todo(missingDetails.join(', '))
        : done([store.name, store.phone, store.email, store.returnAddress].join(', ')),
  },
  {
    name: 'taxes',
    group: 'business',
    label: 'Taxes and fees',
    task: 'Set up sales tax',
    short: 'taxes',
    minutes: 10,
    page: { path: officePaths.officeSalesTax(), label: 'Edit' },
    waitsFor: [],
    find: ({ tax }) => ({ ...taxStep(tax), warning: taxWarning(tax) }),
  },
  {
    name: 'payments',
    group: 'business',
    label: 'Payments',
    task: 'Run a test charge',
    short: 'payments',
    minutes: 5,
    page: null,
    waitsFor: [],
    isOwners: true,
    find: (facts) => ({
      ...checked(facts, 'payments', 'a test charge. It is $1.00 on your card, and is voided immediately'),
      warning: facts.inTestMode.payments ? { text: 'Test mode: your keys don’t charge cards.' } : null,
    }),
  },
  {
    name: 'legal',
    group: 'business',
    label: 'Privacy and terms',
    task: 'Publish your privacy policy and terms',
    short: 'privacy and terms',
    minutes: 15,
    page: { path: officePaths.officeContent(), label: 'Read' },
    waitsFor: ['details'],
    isOwners: true,
    find: ({ unpublishedPages }) =>
      unpublishedPages.length === 0
        ? done('Privacy policy, terms of use and terms of sale are published')
        : todo(`${unpublishedPages.join(', ')}. They are drafts until an owner reads and publishes them`),
  },
  {
    name: 'warehouse',
    group: 'goods',
    label: 'Warehouse',
    task: 'Add your warehouse',
    short: 'a warehouse',
    minutes: 3,
    page: { path: officePaths.officeWarehouses(), label: 'Edit' },
    waitsFor: [],
    find: ({ warehouse }) =>
      warehouse
        ? done(
            `${warehouse.name}, ${warehouse.city}, ${warehouse.state} ${warehouse.zip}. Orders until ${cutoffText(warehouse)} ${warehouse.zone} ship ${warehouse.handlingDays === 0 ? 'the same day' : `in ${countOf(warehouse.handlingDays, 'business day')}`}`,
          )
        : todo('the place that your tires ship from'),
  },
  {
    name: 'catalog',
    group: 'goods',
    label: 'Catalog',
    task: 'Import your catalog',
    short: 'a tire in stock',
    minutes: 15,
    page: { path: officePaths.officeImports(), label: 'Import' },
    waitsFor: ['warehouse'],
    find: ({ catalog, hasSamples }) => ({
      ...catalogStep(catalog),
      warning: hasSamples ? { text: 'Sample tires are for sale.', link: removeSamples } : null,
    }),
  },
  {
    name: 'reference',
    group: 'goods',
    label: 'Vehicles and ZIP codes',
    task: 'Load vehicles and ZIP codes',
    short: 'vehicles and ZIP codes',
    minutes: 1,
    page: null,
    waitsFor: [],
    find: ({ reference: { hasZips, firstYear, lastYear } }) =>
      hasZips && firstYear !== null && lastYear !== null
        ? done(`ZIP codes and vehicles from ${firstYear} to ${lastYear} are loaded`)
        : todo('vehicles and ZIP codes. They load with the next update of the store'),
  },
  {
    name: 'shipping',
    group: 'delivery',
    label: 'Shipping rates',
    task: 'Check your shipping rates',
    short: 'shipping rates',
    minutes: 5,
    page: { path: officePaths.officeShippingRates(), label: 'Edit' },
    waitsFor: [],
    find: ({ hasRates }) =>
      hasRates
        ? done('Every zone has a rate, confirmed by your team')
        : { state: 'todo', words: 'Review your shipping rates, then confirm or edit them' },
  },
  {
    name: 'carrier',
    group: 'delivery',
    label: 'Carrier',
    task: 'Check your carrier',
    short: 'the carrier',
    minutes: 3,
    page: null,
    waitsFor: ['warehouse'],
    find: (facts) =>
      facts.warehouse?.shipsByHand
        ? done('By hand. Your team enters each tracking number')
        : {
            ...checked(
              facts,
              'carrier',
              'a test label from your warehouse. We buy it and void it immediately. Without a carrier, choose shipping labels by hand in your warehouse',
            ),
            warning: facts.inTestMode.carrier ? { text: 'Test mode: your key buys no valid labels.' } : null,
          },
  },
  {
    name: 'installers',
    group: 'delivery',
    label: 'Installers',
    task: 'Add your first installer',
    short: 'an installer',
    minutes: 10,
    page: { path: officePaths.officeShops(), label: 'Shops' },
    waitsFor: [],
    find: ({ shops: { ready, hasFreeTime, unready, applications } }) =>
      ready > 0
        ? hasFreeTime
          ? done(
              `${countOf(ready, 'shop')} with hours, bays and prices, and a free time within ${countOf(freeTimeDays, 'day')}`,
            )
          : progress(
              `Missing: a free time within ${countOf(freeTimeDays, 'day')}. Check the hours and closed days of your shops`,
            )
        : unready > 0
          ? progress(`Missing: hours, bays and prices of ${countOf(unready, 'shop')}`)
          : applications > 0
            ? {
                ...todo(`one shop with hours and prices. ${countOf(applications, 'shop')} applied`),
                page: { path: officePaths.officeShopApplications(), label: `Review ${applications}` },
              }
            : todo('one shop with hours and prices. Add it, or invite shops to apply at /installer-signup'),
  },
  {
    name: 'email',
    group: 'opening',
    label: 'Email and text',
    task: 'Send a test email',
    short: 'email',
    minutes: 3,
    page: { path: officePaths.officeEmailTemplates(), label: 'View' },
    waitsFor: [],
    find: (facts) => {
      const sent = checked(facts, 'email', 'a test email that your mail server accepts')
      const domain = facts.checks['email-domain']
      // A store can open without it, because some providers sign with keys under other names.
      if (!domain || domain.isOutdated) return { ...sent, warning: { text: 'The sender domain isn’t checked yet.' } }
      if (!domain.passed) return { ...sent, warning: { text: `Sender domain: ${domain.words}` } }
      return { ...sent, words: `${sent.words}. ${checked(facts, 'email-domain', '').words}` }
    },
  },
  {
    name: 'staff',
    group: 'opening',
    label: 'Staff',
    task: 'Invite your team',
    short: 'an owner',
    minutes: 2,
    page: { path: officePaths.officeStaff(), label: 'Invite' },
    waitsFor: [],
    find: ({ staff }) =>
      staff.owners > 0
        ? {
            ...done(`${countOf(staff.people, 'person', 'people')}, ${countOf(staff.owners, 'owner')} among them`),
            warning: secondFactorWarning(staff),
          }
        : todo('an owner who has signed in'),
  },
  {
    name: 'order',
    group: 'opening',
    label: 'Test order',
    task: 'Place a test order',
    short: 'a test order',
    minutes: 10,
    page: { path: '/', label: 'View store' },
    waitsFor: ['payments', 'warehouse', 'catalog', 'reference', 'installers'],
    find: ({ order }) =>
      order === null
        ? todo('an order that you place in the store while you are signed in here')
        : order.isReversed
          ? done(`${order.number}: placed, and canceled or refunded`)
          : progress(`Missing: ${order.number} is placed. Cancel or refund it, so that the way back is tested too`),
  },
  {
    name: 'live',
    group: 'opening',
    label: 'Go live',
    task: 'Open the store',
    short: 'going live',
    minutes: 1,
    page: null,
    waitsFor: [
      'details',
      'taxes',
      'payments',
      'legal',
      'warehouse',
      'catalog',
      'reference',
      'shipping',
      'carrier',
      'installers',
      'email',
      'staff',
      'order',
    ],
    isOwners: true,
    find: ({ isOpen, hasSamples, checks: { opening } }) => {
      if (isOpen) return done('Shoppers can order')
      if (hasSamples) return { state: 'todo', words: 'Remove the sample tires before you open' }
      return opening?.passed === false
        ? { state: 'failed', words: `Failed: ${opening.words}` }
        : { state: 'todo', words: 'Everything above is done' }
    },
  },
]

export type StepView = Omit<SetupStep, 'find' | 'waitsFor'> & {
  number: number
  state: StepState
  words: string
  warning?: StepWarning | null
}

/** Returns every step with its state. A step with incomplete prerequisites is `blocked`, unless it is done already. */
export function stepStates(facts: SetupFacts): StepView[] {
  const found = new Map(setupSteps.map((step) => [step.name, step.find(facts)]))
  return setupSteps.map(({ name, group, label, task, short, minutes, page, isOwners, waitsFor }, index) => {
    const step = { name, group, label, task, short, minutes, page, ...(isOwners && { isOwners }) }
    const own = found.get(name) ?? todo(short)
    const open = setupSteps.filter((other) => waitsFor.includes(other.name) && found.get(other.name)?.state !== 'done')
    return own.state === 'done' || open.length === 0
      ? { ...step, number: index + 1, ...own }
      : {
          ...step,
          number: index + 1,
          state: 'blocked',
          words: `Waits for: ${open.map(({ short }) => short).join(', ')}`,
        }
  })
}

/** `minutesLeft` is the sum of the steps that are not done. */
export type SetupProgress = { done: number; of: number; minutesLeft: number; isReady: boolean }

/** How far the setup is; ready once only opening is left. */
export function setupProgress(steps: readonly StepView[]): SetupProgress {
  const open = steps.filter(({ state }) => state !== 'done')
  return {
    done: steps.length - open.length,
    of: steps.length,
    minutesLeft: open.reduce((sum, { minutes }) => sum + minutes, 0),
    isReady: open.every(({ name }) => name === 'live'),
  }
}

function aboutThousand(count: number): string {
  return count >= 1000 ? 'Over 1,000 tires' : countOf(count, 'tire')
}

function listText(states: readonly string[]): string {
  return states.length > 5 ? countOf(states.length, 'state') : states.join(', ')
}

/** "2:00 PM (Fri 12pm)", on the warehouse’s clock. */
function cutoffText({ cutoff, dayCutoffs }: { cutoff: string; dayCutoffs: readonly (string | null)[] }): string {
  const { hour, minute } = Temporal.PlainTime.from(cutoff)
  const days = dayTimesText(dayCutoffs)
  return minuteText(hour * 60 + minute) + (days && ` (${days})`)
}
