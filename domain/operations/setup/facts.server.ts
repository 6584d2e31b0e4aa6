/** Reads what the steps of the setup are computed from. */
import { legalPages } from '#domain/kernel/content/content.ts'
import { providerIdOf, type CheckProviders } from './check-providers.server.ts'
import { selectFacts } from './facts.sql.server.ts'
import { freeTimeDays, type SetupFacts } from './steps.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { stateTaxRules } from '#domain/pricing/pricing/pricing.ts'
import { listStateTaxes } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { earliestTimes, type Calendars } from '#domain/scheduling/booking/booking.server.ts'
import { usualSet } from '#domain/scheduling/installers/installers.ts'
import { readSetDetails } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { demoStore } from '#platform/config-variables.ts'
import type { Database } from '#platform/db.ts'
import { storeDay } from '#platform/store-zone.ts'
import { zoneName } from '#platform/time-text.ts'

export type SetupDeps = {
  db: Database
  clock: Clock
  /** The store as configured and as set since. */
  settings: { configured: Config['store'] }
  /** Null for a store that taxes by its table of rates. */
  taxes: object | null
  checkProviders: CheckProviders
  calendars: Calendars
}

const detailNames = {
  name: 'the name of the store',
  phone: 'the phone',
  email: 'the email',
  'return-address': 'the return address',
} as const

const legalNames = {
  'policies/privacy-policy': 'privacy policy',
  'policies/terms-of-use': 'terms of use',
  'policies/terms-of-sale': 'terms of sale',
} as const satisfies Record<(typeof legalPages)[number], string>

/** Reads the facts as they are now. */
export async function readSetupFacts(deps: SetupDeps): Promise<SetupFacts> {
  const { db, clock, settings, taxes, checkProviders } = deps
  const now = clock.now()
  const [row, { applied, isSet }, states] = await Promise.all([
    selectFacts(db, now),
    readSetDetails({ db, configured: settings.configured }),
    listStateTaxes({ db, clock }),
  ])
  const demo = {
    name: demoStore.name,
    phone: demoStore.phone,
    email: demoStore.email,
    'return-address': demoStore.address,
  }
  const names = Object.keys(detailNames) as (keyof typeof detailNames)[]
  return {
    now,
    store: {
      name: applied.name,
      phone: applied.phone,
      email: applied.email,
      returnAddress: applied['return-address'],
    },
    // What is still the demo's was never entered by anyone.
    missingDetails: names
      .filter((name) => !isSet(name) && applied[name] === demo[name])
      .map((name) => detailNames[name]),
    tax: {
      hasProvider: taxes !== null,
      states: row.states,
      unverified: stateTaxRules(storeDay(now)).length - row.verified,
      verified: row.verified,
      updated: states.filter(({ builtIn }) => builtIn?.isUpdated).length,
    },
    checks: Object.fromEntries(
      row.checks.map(({ kind, at, passed, words, provider }) => {
        const isOutdated = provider !== null && provider !== providerIdOf(checkProviders, kind)
        return [kind, { passed, words, at: Temporal.Instant.from(at), isOutdated }] as const
      }),
    ),
    inTestMode: { payments: checkProviders.payments.isTest, carrier: checkProviders.carrier.isTest },
    warehouse: row.warehouse && { ...row.warehouse, zone: zoneName(now, row.warehouse.timeZone) },
    catalog: { listed: row.listed, inStock: row.inStock, unpublished: row.unpublished },
    hasSamples: row.hasSamples,
    reference: { hasZips: row.hasZips, firstYear: row.firstYear, lastYear: row.lastYear },
    shops: {
      ready: row.ready,
      hasFreeTime: await hasFreeTime(deps, row.shopIds),
      unready: row.unready,
      applications: row.applications,
    },
    staff: {
      people: row.people,
      owners: row.owners,
      without: { people: row.factors.people, owners: row.factors.owners },
      unknown: row.factors.unknown,
    },
    order: row.order && { number: orderNumber(row.order.id), isReversed: row.order.isReversed },
    unpublishedPages: legalPages.filter((path) => !row.legal.includes(path)).map((path) => legalNames[path]),
    isOpen: row.isOpen,
    hasRates: row.hasRates,
  }
}

/** Returns whether one of the shops has a free time soon, for tires that are there today. */
async function hasFreeTime({ calendars, clock }: SetupDeps, shopIds: readonly number[]): Promise<boolean> {
  const now = clock.now()
  const asks = shopIds.map((shopId) => ({ shopId, tires: usualSet, arrivesOn: storeDay(now) }))
  const until = now.add({ hours: freeTimeDays * 24 })
  const times = await earliestTimes({ calendars, clock }, { asks, limit: 1 })
  return times.flat().some(({ start }) => Temporal.Instant.compare(start, until) <= 0)
}
