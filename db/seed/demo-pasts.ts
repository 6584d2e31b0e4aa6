/**
 * The demo accounts' orders, garages, a membership, and store credit, which demonstrate each account type (see the
 * README). The orders are generated like all sample orders, but with an account as the buyer.
 */
import type { PoolClient } from 'pg'
import { keepForAccount, listGarage, noteReadings, takeVehicle } from '#domain/customers/accounts/accounts.server.ts'
import { referralCodeOf } from '#domain/customers/programs/programs.server.ts'
import type { ProgramOffer } from '#domain/pricing/pricing/pricing.ts'
import { standardTerms } from '#domain/kernel/settings/settings.ts'
import { gracefulEnd, nextTerm } from '#domain/customers/programs/membership-rules.ts'
import type { AccountPricing } from '#domain/pricing/price-tiers/price-tiers.ts'
import { storeDay } from '#platform/store-zone.ts'
import { accountIdOf, demoAccountPeople, type DemoEmail } from './accounts.ts'
import type { DemoCompanies, DemoCompany } from './demo-companies.ts'
import { pricingOf } from './demo-price-lists.ts'
import type { Row } from '#db/insert-rows.ts'
import type { CatalogCache } from './load-catalog.ts'
import type { Ending } from './sample-orders.ts'
import type { Parcel } from './sample-shipping.ts'
import { accepted, depsAt } from './seed-transaction.ts'
import type { Fitment, Vehicle } from '#db/reference/vehicles.ts'

/** The account that placed an order, and how it was paid. */
export type AccountBuyer = {
  accountId: string
  email: string
  firstName: string
  lastName: string
  /** The account type's prices at the time of the order. */
  pricing: AccountPricing
  company: DemoCompany | null
  poNumber: string | null
  /** Null for a card. */
  invoice: 'open' | 'paid' | null
}

/** A friend who came by a demo person's link, which earned that person credit. */
export type ReferredBy = { referrerId: string; code: string; ratePpm: number; program: ProgramOffer }

/** A sample order to create, with its buyer, vehicle, and state. */
export type PastOrder = {
  buyer: AccountBuyer | null
  referral: ReferredBy | null
  vehicle: GarageVehicle
  ending: Ending
  where: { at: 'home'; hoursAgo: number; parcel?: Parcel } | { at: 'shop'; daysFromNow: number }
}

type GarageVehicle = { year: number; make: string; model: string }

const crV = { year: 2019, make: 'Honda', model: 'CR-V' }
const civic = { year: 2018, make: 'Honda', model: 'Civic' }
const rav4 = { year: 2020, make: 'Toyota', model: 'RAV4' }
const f150 = { year: 2019, make: 'Ford', model: 'F-150' }
const outback = { year: 2019, make: 'Subaru', model: 'Outback' }

/** The cars in each person's garage. */
const garages: readonly { email: DemoEmail; vehicles: readonly GarageVehicle[] }[] = [
  { email: 'felix@example.com', vehicles: [f150, rav4, crV] },
  { email: 'tilda@example.com', vehicles: [f150] },
  { email: 'mona@example.com', vehicles: [outback] },
  { email: 'paula@example.com', vehicles: [civic] },
  { email: 'olive@example.com', vehicles: [crV, civic] },
]

/** Keys from use cases that the sample orders refer to. */
export type DemoKeys = { companies: DemoCompanies; referralCodes: Record<(typeof referrers)[number], string> }

const referrers = ['mona@example.com', 'paula@example.com'] as const

/** Older than the return window, so referrals with these orders have been rewarded. */
const rewardedHoursAgo = 24 * 45

/** The orders of the demo's people, as they would have been placed from the market before `now`. */
export function pastOrders(
  { keys: { companies, referralCodes }, ...cache }: CatalogCache & { keys: DemoKeys },
  now: Temporal.Instant,
): PastOrder[] {
  const by = (
    email: DemoEmail,
    how: Partial<Pick<AccountBuyer, 'company' | 'poNumber' | 'invoice'>> = {},
  ): AccountBuyer => {
    const name = demoAccountPeople.find((person) => person.email === email)?.name ?? ''
    const [firstName = '', lastName = ''] = name.split(' ')
    return {
      accountId: accountIdOf(email),
      email,
      firstName,
      lastName,
      pricing: pricingOf(email, cache, now),
      company: null,
      poNumber: null,
      invoice: null,
      ...how,
    }
  }
  const fleet = (email: DemoEmail, invoice: 'open' | 'paid', poNumber: string | null) =>
    by(email, { company: companies.grant, invoice, poNumber })
  const home = (
    buyer: AccountBuyer | null,
    vehicle: GarageVehicle,
    ending: Ending,
    hoursAgo: number,
    referral: ReferredBy | null = null,
  ): PastOrder => ({
    buyer,
    referral,
    vehicle,
    ending,
    where: { at: 'home', hoursAgo },
  })
  const shop = (buyer: AccountBuyer, vehicle: GarageVehicle, ending: Ending, daysFromNow: number): PastOrder => ({
    buyer,
    referral: null,
    vehicle,
    ending,
    where: { at: 'shop', daysFromNow },
  })
  const parcelIs = (parcel: Parcel, past: PastOrder): PastOrder =>
    past.where.at === 'home' ? { ...past, where: { ...past.where, parcel } } : past
  const olive = by('olive@example.com')
  return [
    home(null, rav4, 'done', rewardedHoursAgo, referredBy('mona@example.com', referralCodes)),
    home(null, civic, 'done', rewardedHoursAgo + 30, referredBy('paula@example.com', referralCodes)),
    home(fleet('felix@example.com', 'paid', 'GD-1041'), f150, 'done', 24 * 41),
    home(fleet('tilda@example.com', 'paid', 'GD-1055'), f150, 'done', 24 * 33),
    home(fleet('felix@example.com', 'open', 'GD-1078'), rav4, 'done', 24 * 20),
    shop(fleet('tilda@example.com', 'open', null), f150, 'open', 6),
    home(fleet('felix@example.com', 'open', 'GD-1090'), crV, 'open', 9),
    home(
      by('sol@example.com', { company: companies.marsh, invoice: 'paid', poNumber: 'MER-0031' }),
      f150,
      'done',
      24 * 36,
    ),
    home(by('erin@example.com'), civic, 'done', 24 * 8),
    home(by('paula@example.com'), civic, 'done', 24 * 16),
    home(by('paula@example.com'), civic, 'open', 30),
    home(by('mona@example.com'), outback, 'done', 24 * 60),
    shop(by('mona@example.com'), outback, 'open', 5),
    home(by('will@example.com'), rav4, 'done', 24 * 12),
    home(olive, crV, 'returned', 24 * 29),
    home(olive, crV, 'done', 24 * 10),
    home(olive, civic, 'canceled', 24 * 9),
    shop(olive, civic, 'done', -6),
    shop(olive, crV, 'no-show', -4),
    home(olive, crV, 'unconfirmed', 20),
    parcelIs('on-its-way', home(olive, crV, 'open', 34)),
    parcelIs('labeled', home(olive, civic, 'open', 10)),
    home(olive, civic, 'open', 2),
    shop(olive, civic, 'open', 7),
  ]
}

function referredBy(email: (typeof referrers)[number], codes: DemoKeys['referralCodes']): ReferredBy {
  const [code, ratePpm] = [codes[email], standardTerms['friend-ppm']]
  return { referrerId: accountIdOf(email), code, ratePpm, program: { kind: 'referral', id: code, ratePpm } }
}

/** Fills the garages, with odometer readings that make a rotation due. Cars without a known size are left out. */
export async function loadGarages(
  client: PoolClient,
  { vehicles, fitments }: { vehicles: readonly Vehicle[]; fitments: readonly Fitment[] },
  now: Temporal.Instant,
): Promise<void> {
  const today = storeDay(now)
  for (const { email, vehicles: wanted } of garages) {
    const accountId = accountIdOf(email)
    for (const [place, car] of wanted.entries()) {
      const vehicle = vehicles.find((one) => one.year === car.year && one.make === car.make && one.model === car.model)
      const fitment = vehicle && fitments.find((one) => one.vehicle_id === vehicle.id)
      if (!vehicle || !fitment) continue
      const chosen = {
        vehicleId: vehicle.id,
        fitmentId: fitment.id,
        year: vehicle.year,
        makeSlug: vehicle.make_slug,
        modelSlug: vehicle.model_slug,
        name: `${vehicle.year} ${vehicle.make} ${vehicle.model} ${vehicle.trim}`,
        confirmed: true,
        label: null,
      }
      await keepForAccount(depsAt(client, now.subtract({ hours: 24 * (200 - place) })), accountId, { vehicle: chosen })
      const deps = depsAt(client, now.subtract({ hours: 24 * (3 + place) }))
      const id = (await listGarage(deps, accountId)).find((one) => one.vehicle.vehicleId === vehicle.id)?.id ?? ''
      const readings = {
        mileage: 41_200 + 3_700 * place,
        rotatedMileage: 37_900 + 3_700 * place,
        rotatedOn: today.subtract({ days: 120 + 20 * place }).toString(),
        reminder: true,
      }
      const read = { accountId, id, readings, today: today.subtract({ days: 9 + place }) }
      accepted(chosen.name, await noteReadings(deps, read))
      accepted(chosen.name, await takeVehicle(deps, accountId, id))
    }
  }
}

const membershipId = '00000000-0000-7000-8000-e00000000001'

/** The term of Mona's membership, including the grace days. */
export function membershipSpan(now: Temporal.Instant): { from: Temporal.Instant; until: Temporal.Instant } {
  const from = now.subtract({ hours: 24 * 100 })
  return { from, until: gracefulEnd({ ...nextTerm(from, null), graceDays: standardTerms['membership-grace-days'] }) }
}

/** Returns Mona's membership with its term, events, charge, and ledger entries. */
export function membershipRows(now: Temporal.Instant): {
  membership_term: Row<'membership_term'>[]
  membership_event: Row<'membership_event'>[]
  payment: Row<'payment'>[]
  payment_event: Row<'payment_event'>[]
  ledger_entry: Row<'ledger_entry'>[]
} {
  const { from: at } = membershipSpan(now)
  const { startsAt, endsAt } = nextTerm(at, null)
  const cents = standardTerms['membership-cents']
  const paymentId = '00000000-0000-4000-8000-e00000000002'
  const entry = (transfer: number, account: string, amount: number, reason: string): Row<'ledger_entry'> => ({
    transfer_id: `00000000-0000-4000-8000-e0000000001${transfer}`,
    membership_term_id: membershipId,
    account,
    amount_cents: amount,
    reason,
    at,
  })
  return {
    membership_term: [
      {
        id: membershipId,
        account_id: accountIdOf('mona@example.com'),
        state: 'active',
        price_cents: cents,
        begun_at: at.subtract({ minutes: 4 }),
        bought_at: at,
        starts_at: startsAt,
        ends_at: endsAt,
      },
    ],
    membership_event: [{ term_id: membershipId, at, from_state: 'draft', to_state: 'active', actor: 'member' }],
    payment: [
      {
        id: paymentId,
        membership_term_id: membershipId,
        provider: 'stripe',
        provider_ref: `pi_sample_captured_${cents}_membership`,
        flow: 'hosted',
        hosted_ref: 'cs_sample_membership',
        amount_cents: cents,
        captured_cents: cents,
        refunded_cents: 0,
        state: 'captured',
        claimed_at: at,
        created_at: at.subtract({ minutes: 3 }),
        updated_at: at,
      },
    ],
    payment_event: [
      {
        payment_id: paymentId,
        at: at.subtract({ minutes: 1 }),
        from_state: null,
        to_state: 'authorized',
        actor: 'shopper',
      },
      { payment_id: paymentId, at, from_state: 'authorized', to_state: 'captured', actor: 'store' },
    ],
    ledger_entry: [
      entry(1, 'receivable', cents, 'membership bought'),
      entry(1, 'memberships', -cents, 'membership bought'),
      entry(2, 'cash', cents, 'charge captured'),
      entry(2, 'receivable', -cents, 'charge captured'),
    ],
  }
}

/** Makes the friends' referral links, and returns their codes. */
export async function loadReferralLinks(client: PoolClient, now: Temporal.Instant): Promise<DemoKeys['referralCodes']> {
  const deps = depsAt(client, now.subtract({ hours: rewardedHoursAgo + 24 * 30 }))
  const [mona, paula] = referrers
  return {
    [mona]: await referralCodeOf(deps, accountIdOf(mona)),
    [paula]: await referralCodeOf(deps, accountIdOf(paula)),
  }
}
