/**
 * Changes every business term between two orders or memberships. The earlier one retains its price, refund, and copy.
 * The later one has the changed ones.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  businessTerms,
  termGroups,
  termNames,
  type TermGroup,
  type TermName,
} from '#domain/kernel/settings/settings.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { changeTerm, pickTire } from './checkout.testing.ts'
import { deliverReferred, joinAsMember, membershipOf, rewardOf } from './member-terms.testing.ts'
import {
  amountOf,
  appointmentOf,
  cancelLater,
  claimLater,
  coverageShareOf,
  deliver,
  deliverCovered,
  findTire,
  matchLater,
  memberPriceOf,
  openTermsStore,
  place,
  placeLate,
  placeOld,
  placeWithStoreCard,
  returnLater,
  shareOf,
  shopperAs,
  type CartOptions,
  type Delivered,
  type TermsStore,
} from './order-terms.testing.ts'

const [port = 0] = await freePorts(3)

/** Makes an order or a membership. Returns its reader, which is called once the term has changed. */
type Make = (store: TermsStore, itemId: number) => Promise<() => Promise<unknown>>

type Row = {
  make: Make
  /** Other terms that apply to both. */
  given?: Partial<Record<TermName, number>>
  before: unknown
  /** The value that staff set. */
  to: number
  after: unknown
}

const paid = { isInEmail: true, isRefundable: true }

const order =
  (key: string, options: CartOptions = {}): Make =>
  async (store, itemId) => {
    const orderId = await place(store, { itemId, ...options }, true)
    return () => amountOf(store, orderId, key)
  }

/** What a zone's four light tires are shipped for. The tires are oversize where the limit is 20 pounds. */
function shippingRows<Zone extends 'conus' | 'ak' | 'hi' | 'territory'>(
  zone: Zone,
  place: { city: string; state: string; zip: string },
  [standard, handled, oversize, changed]: [string, string, string, string],
) {
  const make = order('shipping', { fulfillment: 'home', place })
  const before = { amount: standard, ...paid }
  return {
    [`shipping-${zone}-tire-cents`]: { make, before, to: 5_000, after: { amount: '$200.00', ...paid } },
    [`shipping-${zone}-handling-cents`]: { make, before, to: 1_234, after: { amount: handled, ...paid } },
    [`shipping-${zone}-oversize-cents`]: {
      make,
      given: { 'oversize-above-lb': 20 },
      before: { amount: oversize, ...paid },
      to: 900,
      after: { amount: changed, ...paid },
    },
    [`shipping-${zone}-free-from-cents`]: {
      make,
      given: { [`shipping-${zone}-handling-cents`]: 1_234 },
      before: { amount: handled, ...paid },
      to: 100,
      after: { amount: 'Free', ...paid },
    },
  } as Record<`shipping-${Zone}-${'tire' | 'handling' | 'oversize' | 'free-from'}-cents`, Row>
}

const installed = order('install-discount')
const withRoadside = order('roadside')

const delivered =
  (read: (store: TermsStore, order: Delivered) => Promise<unknown>): Make =>
  async (store, itemId) => {
    const made = await deliver(store, itemId)
    return () => read(store, made)
  }

const returned = delivered((store, made) => returnLater(store, made, { days: 15 }))

const referred =
  (read: (store: TermsStore, order: Awaited<ReturnType<typeof deliverReferred>>) => Promise<unknown>): Make =>
  async (store) => {
    const made = await deliverReferred(store, await findTire(store, { isOnDeal: false }))
    return () => read(store, made)
  }

const claimed =
  (plan: 'replacement' | 'road-hazard', days: number, change: Record<string, string> = {}): Make =>
  async (store, itemId) => {
    const made = await deliverCovered(store, itemId, plan)
    return () => claimLater(store, made, { days, change })
  }

/** A member's order. The read shows whether the member price or the lower of the two was charged. */
const member =
  (isOf: 'deals' | 'programs' | 'payments'): Make =>
  async (store) => {
    const itemId = await findTire(store, { isOnDeal: isOf === 'deals' })
    const shopper = shopperAs(store, 'Retail Member', isOf === 'programs')
    const options = { itemId, fulfillment: 'home' } as const
    const orderId = await (isOf === 'payments' ? placeWithStoreCard(shopper, options) : place(shopper, options))
    return () => memberPriceOf(store, orderId)
  }
const both = { accountType: 'Retail Member', passedOver: null, isDiscounted: true, ...paid }
const lower = { accountType: 'Retail', passedOver: 'Retail Member', isDiscounted: true, ...paid }

const membership: Make = async (store) => {
  const accountId = await joinAsMember(store)
  return () => membershipOf(store, accountId)
}
const year = { priceCents: 3_900, paid: '$39.00', refundDays: '30', isInGrace: false, refund: 3_900 }

const rows: Readonly<Record<TermName, Row>> = {
  ...shippingRows('conus', { city: 'Chicago', state: 'IL', zip: '60614' }, ['Free', '$12.34', 'Free', '$36.00']),
  ...shippingRows('ak', { city: 'Anchorage', state: 'AK', zip: '99501' }, ['$99.00', '$111.34', '$159.00', '$135.00']),
  ...shippingRows('hi', { city: 'Honolulu', state: 'HI', zip: '96813' }, ['$119.00', '$131.34', '$179.00', '$155.00']),
  ...shippingRows('territory', { city: 'San Juan', state: 'PR', zip: '00901' }, [
    '$139.00',
    '$151.34',
    '$219.00',
    '$175.00',
  ]),
  'oversize-above-lb': {
    make: order('shipping', { fulfillment: 'home' }),
    given: { 'shipping-conus-oversize-cents': 900 },
    before: { amount: 'Free', ...paid },
    to: 20,
    after: { amount: '$36.00', ...paid },
  },
  'tire-age-years': {
    make: placeOld,
    before: { mayMount: true, ...paid },
    to: 4,
    after: { refused: expect.stringContaining('We do not sell tires older than 4 years') },
  },
  'bookable-days': {
    make: async (store, itemId) => {
      const orderId = await placeLate(store, itemId)
      return () => appointmentOf(store, orderId)
    },
    before: { isWithin10: false, isBooked: true, ...paid },
    to: 10,
    after: { isWithin10: true, isBooked: true, ...paid },
  },
  'cancel-minutes': {
    make: async (store, itemId) => {
      const orderId = await place(store, { itemId, fulfillment: 'home' })
      return () => cancelLater(store, orderId)
    },
    before: { canceled: 'canceled', minutes: 30, copy: '30 minutes' },
    to: 10,
    after: { canceled: 'too-late', minutes: 10, copy: '10 minutes' },
  },
  'return-days': {
    make: returned,
    before: { opened: 'opened', copy: '30 days' },
    to: 10,
    after: { opened: 'not-met', copy: '10 days' },
  },
  'return-fee-cents': {
    make: returned,
    before: { opened: 'opened', feeCents: 2_000 },
    to: 1_250,
    after: { opened: 'opened', feeCents: 1_250 },
  },
  'damage-days': {
    make: delivered((store, made) => returnLater(store, made, { days: 4, reason: 'damaged' })),
    before: { opened: 'opened' },
    to: 1,
    after: { opened: 'not-met', why: expect.stringContaining('within 1 business day of delivery') },
  },
  'guarantee-days': {
    make: delivered((store, made) => matchLater(store, made, 10)),
    before: 'filed',
    to: 5,
    after: expect.stringContaining('until 5 days after delivery'),
  },
  'install-discount-cents': {
    make: installed,
    before: { amount: '−$25.00', ...paid },
    to: 4_000,
    after: { amount: '−$40.00', ...paid },
  },
  'install-discount-tires': {
    make: installed,
    before: { amount: '−$25.00', detail: '4 or more tires', ...paid },
    to: 5,
    after: null,
  },
  'military-ppm': {
    make: async (store) => {
      const itemId = await findTire(store, { isOnDeal: false })
      const orderId = await place(shopperAs(store, 'Retail', true), { itemId, fulfillment: 'home' })
      return () => shareOf(store, orderId)
    },
    before: { percent: 5, ...paid },
    to: 80_000,
    after: { percent: 8, ...paid },
  },
  'store-card-ppm': {
    make: async (store, itemId) => {
      const orderId = await placeWithStoreCard(store, { itemId, fulfillment: 'home' })
      return () => amountOf(store, orderId, 'tender')
    },
    before: { detail: '5% off the whole order', ...paid },
    to: 20_000,
    after: { detail: '2% off the whole order', ...paid },
  },
  'friend-ppm': {
    make: referred((store, { orderId }) => shareOf(store, orderId)),
    before: { percent: 10, ...paid },
    to: 250_000,
    after: { percent: 25, ...paid },
  },
  'referrer-reward-cents': {
    make: referred(rewardOf),
    before: { pendingCents: 1_000, creditCents: 1_000 },
    to: 2_500,
    after: { pendingCents: 2_500, creditCents: 2_500 },
  },
  'coverage-ppm': {
    make: async (store, itemId) => {
      const orderId = await place(store, { itemId, fulfillment: 'home', hasCoverage: true })
      return () => coverageShareOf(store, orderId)
    },
    before: { share: 10, ...paid },
    to: 200_000,
    after: { share: 20, ...paid },
  },
  'coverage-months': {
    make: claimed('replacement', 750),
    before: 10_000,
    to: 20,
    after: expect.stringContaining('20 months'),
  },
  'coverage-repair-cents': {
    make: claimed('replacement', 4, { kind: 'repair', paid: '39.00' }),
    before: 2_500,
    to: 1_500,
    after: 1_500,
  },
  'coverage-year-1-cents': { make: claimed('replacement', 3), before: 40_000, to: 25_000, after: 25_000 },
  'coverage-year-2-cents': { make: claimed('replacement', 400), before: 20_000, to: 15_000, after: 15_000 },
  'coverage-year-3-cents': { make: claimed('replacement', 800), before: 10_000, to: 5_000, after: 5_000 },
  'road-hazard-months': {
    make: claimed('road-hazard', 500),
    before: 50,
    to: 13,
    after: expect.stringContaining('13 months'),
  },
  'road-hazard-year-1-ppm': { make: claimed('road-hazard', 3), before: 100, to: 250_000, after: 75 },
  'road-hazard-year-2-ppm': { make: claimed('road-hazard', 400), before: 50, to: 800_000, after: 20 },
  'membership-cents': {
    make: membership,
    before: year,
    to: 5_900,
    after: { priceCents: 5_900, paid: '$59.00', refund: 5_900 },
  },
  'membership-refund-days': { make: membership, before: year, to: 5, after: { refundDays: '5', refund: 'too-late' } },
  'membership-grace-days': { make: membership, before: year, to: 30, after: { isInGrace: true } },
  'member-deals': { make: member('deals'), before: both, to: 0, after: lower },
  'member-programs': { make: member('programs'), before: both, to: 0, after: lower },
  'member-payments': { make: member('payments'), before: both, to: 0, after: lower },
  'roadside-cents': {
    make: withRoadside,
    before: { amount: '$29.95', ...paid },
    to: 1_000,
    after: { amount: '$10.00', ...paid },
  },
  'roadside-tires': { make: withRoadside, before: { amount: '$29.95', ...paid }, to: 5, after: null },
  'roadside-months': {
    make: withRoadside,
    before: { detail: '12 months', ...paid },
    to: 7,
    after: { detail: '7 months', ...paid },
  },
}

test('every term has a row', () => {
  expect(Object.keys(rows).toSorted()).toEqual(termNames.toSorted())
})

describe.each(Object.keys(termGroups) as TermGroup[])('%s', (group) => {
  let store: TermsStore
  beforeAll(async () => {
    store = await openTermsStore(port)
  })
  afterAll(() => store[Symbol.asyncDispose]())

  const names = termNames.filter((name) => businessTerms[name].group === group)
  test.for(names)('%s', async (name) => {
    const { make, given = {}, before, to, after } = rows[name]
    const others = Object.entries(given) as [TermName, number][]
    for (const [other, value] of others) await changeTerm(store, other, value)
    try {
      const itemId = await pickTire(store)
      const first = await make(store, itemId)
      await changeTerm(store, name, to)
      const second = await make(store, itemId)
      expect({ before: await first(), after: await second() }).toMatchObject({ before, after })
    } finally {
      for (const changed of [name, ...others.map(([other]) => other)])
        await changeTerm(store, changed, businessTerms[changed].standard)
    }
  })
})
