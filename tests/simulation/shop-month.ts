/**
 * Simulates days of several shops. Shoppers order, reschedule, and cancel; customers come or don't; technicians finish
 * jobs with a claim code or a signature, refuse them, or add their own jobs; owners submit bank details and dispute
 * pay; the office adjusts; and the provider sends or reverses payouts. Deterministic by seed. Everything uses the use
 * cases, and money uses the provider's sandbox over HTTP. The clock is injected and only moves forward.
 */
import {
  claimCodeOf,
  expireHolds,
  listBays,
  moveBooking,
  offerTimes,
} from '#domain/scheduling/booking/booking.server.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { jobOf } from '#domain/scheduling/installers/installers.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import {
  cancelOrder,
  receiveCarrierEvent,
  settleSilentDelays,
  tellOfDelays,
} from '#domain/ordering/orders/orders.server.ts'
import {
  adjustPay,
  openBankPage,
  openDispute,
  readMatrix,
  refreshAccount,
  reversePay,
  selectTransfers,
  sendDuePayouts,
} from '#domain/installer-portal/payouts/payouts.server.ts'
import { expireQuotes } from '#domain/ordering/quotes/quotes.server.ts'
import { rateFor } from '#domain/installer-portal/payouts/matrix.ts'
import {
  enterOwnJob,
  findPortalSession,
  openPortal,
  type PortalActor,
} from '#domain/installer-portal/portal/portal.server.ts'
import { ownJobForm } from '#domain/installer-portal/portal/portal.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { finishJob, markNoShow, moveJob, readJob } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { joinShop, receiveTires, wholeInput } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { giveBackAll } from '#domain/ordering/refunds/refunds.server.ts'
import { newId } from '#platform/ids.ts'
import { randomOf, type Random } from '../faults/random.ts'
import { granted } from '../faults/ready-cart.ts'
import type { Scenario } from '../faults/scenario.ts'

type Place = { shopId: number; zip: string; state: string; timeZone: string; hasBank: boolean }
type Due = { bookingId: string; orderId: number; place: Place; start: Temporal.Instant }
/** `earned`: what each shop must be paid in the end, by the matrix, fees and corrections, without reading its pay. */
export type Report = { counts: Record<string, number>; earned: Map<number, number>; places: readonly Place[] }
type Life = {
  scenario: Scenario
  random: Random
  itemId: number
  /** Orders in transit, and which of them are late. */
  underway: Map<number, { isLate: boolean }>
} & Report

const people = { owner: 'shop-owner@example.com', technician: 'technician@example.com' }

/** Lives so many days of so many shops. */
export async function liveDays(
  scenario: Scenario,
  { seed, shops, days }: { seed: number; shops: number; days: number },
): Promise<Report> {
  const itemId = await scenario.stockUp()
  await bringSamples(scenario)
  const places = await openShops(scenario, shops)
  const life: Life = {
    scenario,
    random: randomOf(seed),
    itemId,
    places,
    underway: new Map(),
    counts: {},
    earned: new Map(),
  }
  for (const place of places.filter(({ hasBank }) => hasBank)) await enterBank(life, place)
  for (let day = 0; day < days; day++) {
    const morning = scenario.clock.now()
    for (const place of places) {
      if (life.random.chance(0.6)) await order(life, place)
      if (life.random.chance(0.2)) await takeOwnJob(life, place)
    }
    await scenario.runJobs(scenario.app, 'release-order', 'ship-order', 'void-charge', 'refund-charge')
    await deliver(life, ({ isLate }) => !isLate)
    for (const due of await jobsUntil(life, morning.add({ hours: 24 }))) await live(life, due)
    passUntil(life, morning.add({ hours: 24 }))
    await closeDay(life)
  }
  // Everything that was due is sent, once the last hold of the money is over.
  await deliver(life, () => true)
  passUntil(life, scenario.clock.now().add({ hours: 72 }))
  await closeDay(life)
  return life
}

/**
 * Delivers the demo's packages immediately, because their sample charges are unknown to the provider and a late order
 * couldn't be refunded.
 */
async function bringSamples({ db, clock }: Scenario): Promise<void> {
  const parcels = await db
    .selectFrom('shipment')
    .innerJoin('sales_order', 'sales_order.id', 'shipment.order_id')
    .select(['shipment.order_id as orderId'])
    .distinct()
    .where('sales_order.state', '=', 'confirmed')
    .where('shipment.state', 'in', ['processed', 'pending-pickup', 'in-transit'])
    .execute()
  for (const { orderId } of parcels) await moveParcels({ db }, orderId, 'delivered', clock.now())
}

/** Shops that install these tires, each with an owner and a technician; every third has no bank details. */
async function openShops(scenario: Scenario, count: number): Promise<Place[]> {
  const rows = await scenario.db
    .selectFrom('shop')
    .select(['id', 'zip', 'state', 'time_zone as timeZone'])
    .where('kind', '=', 'shop')
    .where('active', '=', true)
    .orderBy('id')
    .execute()
  const places: Place[] = []
  for (const { id, ...row } of rows) {
    if (places.length === count) break
    const tires = [{ quantity: 4, rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' as const }]
    const arrivesOn = scenario.clock.now().toZonedDateTimeISO(row.timeZone).toPlainDate()
    if (!(await offerTimes(scenario, { tires, arrivesOn, shopId: id })).ok) continue
    for (const email of Object.values(people)) await joinShop(scenario, { shopId: id, email })
    places.push({ shopId: id, ...row, hasBank: places.length % 3 !== 2 })
  }
  return places
}

async function signIn({ scenario }: Life, { shopId }: Place, role: keyof typeof people): Promise<PortalActor> {
  const { app, clock } = scenario
  const person = { subject: role, email: people[role], isEmailVerified: true, name: role }
  const issuer = 'https://id.example'
  const at = clock.now()
  const opened = granted(
    await openPortal(app, { issuer, person, idToken: null, authenticatedAt: at, session: undefined }),
  )
  const session = await findPortalSession(app, opened.cookie)
  if (!session) throw new Error(`The ${role} is not in.`)
  return { sessionId: session.sessionId, shopId }
}

function count({ counts }: Life, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}

function earn({ earned }: Life, { shopId }: Place, cents: number): void {
  earned.set(shopId, (earned.get(shopId) ?? 0) + cents)
}

function passUntil({ scenario: { clock } }: Life, at: Temporal.Instant): void {
  if (Temporal.Instant.compare(clock.now(), at) < 0) clock.set(at)
}

/** The owner's way through the provider's page, by form. */
async function enterBank(life: Life, place: Place): Promise<void> {
  const { app } = life.scenario
  const urls = { returnUrl: 'https://store.example/back', refreshUrl: 'https://store.example/again' }
  const { url } = granted(await openBankPage(app, await signIn(life, place, 'owner'), urls))
  const body = new URLSearchParams({ routing: '110000000', account: '000123456789' })
  await fetch(url, { method: 'POST', body, redirect: 'manual' })
  await refreshAccount(app, place.shopId)
}

/** A shopper orders four tires; a few change their mind within the half hour, a few move their appointment. */
async function order(life: Life, place: Place): Promise<void> {
  const { scenario, random, itemId } = life
  const { app } = scenario
  const lines = [{ itemId, quantity: 4, axle: 'all' as const }]
  const install = { shopId: place.shopId, kind: 'shop' as const }
  const ready = await scenario.prepare({ lines, zip: place.zip, install })
  const { orderId } = granted(await placeOrder(app, ready.press))
  count(life, 'ordered')
  if (random.chance(0.05)) {
    granted(await cancelOrder(app, { orderId, actor: 'shopper' }))
    count(life, 'canceled')
    return
  }
  life.underway.set(orderId, { isLate: random.chance(0.1) })
  if (random.chance(0.1)) await move(life, place, orderId)
}

/** The carrier delivers packages and sends its webhook. */
async function deliver({ scenario, underway }: Life, isDue: (parcel: { isLate: boolean }) => boolean): Promise<void> {
  for (const [orderId, parcel] of underway) {
    if (!isDue(parcel)) continue
    for (const number of await scenario.outside.trackingNumbers(orderId)) {
      const { body, signature } = await scenario.outside.deliver(number)
      granted(await receiveCarrierEvent(scenario.app, body, signature))
    }
    underway.delete(orderId)
  }
}

async function move(life: Life, place: Place, orderId: number): Promise<void> {
  const { scenario, random } = life
  const booking = await bookingOf(life, orderId)
  const tires = [{ quantity: 4, rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' as const }]
  const arrivesOn = booking.start.toZonedDateTimeISO(place.timeZone).toPlainDate()
  const work = { tires, arrivesOn }
  const offered = granted(await offerTimes(scenario, { ...work, shopId: place.shopId }))
  const free = offered.days.flatMap(({ times }) => times.filter((time) => time.free)).slice(0, 40)
  if (free.length === 0) return
  const moved = await moveBooking(scenario, { ...work, bookingId: booking.id, choice: random.pick(free) })
  count(life, moved.ok ? 'moved' : `not moved: ${moved.reason}`)
}

async function bookingOf({ scenario: { db } }: Life, orderId: number) {
  return db
    .selectFrom('booking')
    .select(['id', ({ fn }) => fn<Temporal.Instant>('lower', ['during']).as('start')])
    .where('order_id', '=', orderId)
    .where('state', '=', 'confirmed')
    .executeTakeFirstOrThrow()
}

/** Adds the shop's own job at the first hour of tomorrow on its first bay. Online bookings aren't changed. */
async function takeOwnJob(life: Life, place: Place): Promise<void> {
  const { scenario, random } = life
  const [bay] = await listBays(scenario.db, place.shopId)
  const on = scenario.clock.now().toZonedDateTimeISO(place.timeZone).toPlainDate().add({ days: 1 })
  const fields = {
    key: newId(),
    revision: '0',
    kind: 'phone',
    bay: String(bay?.id),
    on: on.toString(),
    at: random.pick(['08:00', '10:30', '15:00']),
    minutes: '60',
    firstName: 'Ann',
  }
  const typed = ownJobForm.parse(fields)
  const by = await signIn(life, place, 'technician')
  const saved = await enterOwnJob(scenario, by, { typed, ownJobId: null, timeZone: place.timeZone })
  count(life, saved.ok ? 'own job' : `no own job: ${saved.reason}`)
}

/** Returns our shops' appointments that start before `until`, in order. */
async function jobsUntil({ scenario: { db }, places }: Life, until: Temporal.Instant): Promise<Due[]> {
  const byId = new Map(places.map((place) => [place.shopId, place]))
  const rows = await db
    .selectFrom('booking')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select(['booking.id', 'booking.order_id as orderId', 'booking.shop_id as shopId'])
    .select(({ fn }) => fn<Temporal.Instant>('lower', ['booking.during']).as('start'))
    .where('booking.state', '=', 'confirmed')
    .where('sales_order.state', '=', 'confirmed')
    .where('booking.shop_id', 'in', [...byId.keys()])
    .orderBy(({ fn }) => fn('lower', ['booking.during']))
    .execute()
  return rows.flatMap(({ id, orderId, shopId, start }) => {
    const place = byId.get(shopId)
    const isDue = Temporal.Instant.compare(start, until) < 0
    return place && orderId !== null && isDue ? [{ bookingId: id, orderId, place, start }] : []
  })
}

/** Runs one appointment's outcome. */
async function live(life: Life, due: Due): Promise<void> {
  const { scenario, random } = life
  const { app } = scenario
  const { bookingId, place } = due
  const dice = random.between(1, 20)
  if (dice <= 2) {
    // A drop-off's no-show counts from the end of its window, three hours later.
    passUntil(life, due.start.add({ hours: 3 }))
    granted(await markNoShow(app, await signIn(life, place, 'technician'), { bookingId }))
    earn(life, place, 1_500)
    count(life, 'no-show')
    return
  }
  passUntil(life, due.start)
  const by = await signIn(life, place, 'technician')
  const isShort = life.underway.has(due.orderId)
  if (dice === 3 || isShort) {
    const reason = isShort ? 'The tires are not here' : 'Rim is bent'
    granted(await moveJob(app, by, { bookingId, to: 'refused', reason }))
    count(life, isShort ? 'late parcels' : 'refused')
    return
  }
  await receiveTires(app, by, bookingId)
  granted(await moveJob(app, by, { bookingId, to: 'arrived' }))
  granted(await moveJob(app, by, { bookingId, to: 'in-bay' }))
  if (dice === 4) {
    granted(await moveJob(app, by, { bookingId, to: 'wrong-tires', reason: 'Another size' }))
    count(life, 'wrong tires')
    return
  }
  await finish(life, due, by)
}

async function finish(life: Life, { bookingId, orderId, place }: Due, by: PortalActor): Promise<void> {
  const { scenario, random } = life
  const { app } = scenario
  const job = await readJob(app, { shopId: place.shopId, bookingId })
  if (!job) throw new Error(`Job ${bookingId} is gone.`)
  const isByCode = random.chance(0.5)
  const proof = isByCode
    ? { code: claimCodeOf(app.config.session.secret, bookingId), signedName: null }
    : { code: null, signedName: 'Dana Ruiz' }
  granted(await finishJob(app, by, { bookingId, input: wholeInput(job, proof) }))
  count(life, isByCode ? 'finished by claim code' : 'finished by signature')
  earn(life, place, await priceOf(life, orderId, place))
}

/**
 * Returns the pay matrix amount for an order's tires at the shop today, from the items and not from its recorded pay.
 */
async function priceOf({ scenario }: Life, orderId: number, place: Place): Promise<number> {
  const day = scenario.clock.now().toZonedDateTimeISO(place.timeZone).toPlainDate()
  const rates = await readMatrix(scenario)
  const tires = await scenario.db
    .selectFrom('order_line')
    .innerJoin('item', 'item.id', 'order_line.item_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['order_line.quantity', 'size.rim_in as rimIn', 'size.aspect', 'item.run_flat as runFlat'])
    .where('order_id', '=', orderId)
    .execute()
  return tires.reduce((cents, { quantity, ...tire }) => {
    const job = jobOf({ ...tire, sizeKind: 'P' })
    const rate = rateFor(rates, { job, rimIn: tire.rimIn, state: place.state, day })
    return cents + quantity * (rate?.cents ?? 0)
  }, 0)
}

/** Ends a day. Expires holds, sends payouts, and sometimes applies a correction by the office or the provider. */
async function closeDay(life: Life): Promise<void> {
  const { scenario, random } = life
  const { app, db } = scenario
  await expireHolds(app)
  await expireQuotes(app)
  await tellOfDelays(app)
  await settleSilentDelays({ ...app, giveBackAll })
  await scenario.runJobs(app, 'release-order', 'ship-order', 'void-charge', 'refund-charge')
  // Pay is sent in runs throughout the days since the last evening.
  for (let hours = 71; hours >= 0; hours--) {
    const at = app.clock.now().subtract({ hours })
    await sendDuePayouts({
      ...app,
      clock: { now: () => at },
      log: { warn: () => count(life, 'transfer refused') },
    })
  }
  const place = random.pick(life.places)
  if (random.chance(0.5)) {
    const amountCents = random.pick([500, -700, 1_250])
    const given = { shopId: place.shopId, jobPayId: null, kind: 'adjustment' as const, reason: 'By phone' }
    granted(await adjustPay(app, desk, { ...given, amountCents, submission: newId() }))
    earn(life, place, amountCents)
    count(life, 'adjusted')
  }
  const [pay] = await db
    .selectFrom('job_pay')
    .select('id')
    .where('shop_id', '=', place.shopId)
    .where('dispute_until', '>', scenario.clock.now())
    .limit(1)
    .execute()
  if (pay && random.chance(0.3)) {
    const about = { kind: 'job' as const, id: pay.id }
    const words = 'We mounted all four tires.'
    const by = await signIn(life, place, 'owner')
    const opened = await openDispute(app, by, { about, words, photo: null }, { networkKey: 'shop' })
    count(life, opened.ok ? 'disputed' : `not disputed: ${opened.reason}`)
  }
  const [sent] = await selectTransfers(db, place.shopId)
  if (sent?.state === 'sent' && random.chance(0.2)) {
    const { id: transferId } = sent
    const reversal = { shopId: place.shopId, transferId, amountCents: 300, submission: newId() }
    const reversed = await reversePay({ ...app, log: { warn: () => {} } }, desk, reversal)
    count(life, reversed.ok ? 'reversed' : `not reversed: ${reversed.reason}`)
  }
}
