/**
 * Changes a shop's days concurrently, by shoppers, who hold, confirm, reschedule, and cancel, and by the shop, which
 * adds its own jobs, changes bays, and closes and reopens a day. Everything uses the use cases. Each attempt is
 * recorded with its times.
 */
import { sql } from 'kysely'
import {
  cancelBooking,
  cancelOwnJob,
  changeBay,
  confirmHold,
  holdSlot,
  moveBooking,
  reopenOwnJob,
  saveOwnJob,
  type BookingDeps,
} from '#domain/scheduling/booking/booking.server.ts'
import { selectShops } from '#domain/scheduling/booking/shop-calendar.sql.server.ts'
import { installation, makeCart, makeOrder } from '#domain/scheduling/booking/booking.testing.ts'
import { dropOffWindowNames, type Booking, type Choice } from '#domain/scheduling/booking/booking.ts'
import type { Ask, ShopCalendar } from '#domain/scheduling/booking/slots.ts'
import { quoteInstallation } from '#domain/scheduling/installers/installers.ts'
import { makeShop } from '#domain/scheduling/installers/installers.testing.ts'
import { isDeadlock, violatedConstraint, type Database } from '#platform/db.ts'
import type { fixedClock } from '#platform/clock.testing.ts'
import { newId } from '#platform/ids.ts'
import { changeDay, openClosings, type Closings } from './bay-closings.ts'
import {
  secondsOf,
  spanText,
  textOf,
  type Attempt,
  type BookingAttempt,
  type Outcome,
  type OwnJobAttempt,
  type Span,
} from './bay-model.ts'
import type { Random } from './random.ts'

/** An attempt between two times. `number` is its ID in the booking log. */
export type Made = Attempt & { number: number; from: number; to: number }

type Cart = { id: string; orderId: number | null; bookingId: string | null; at: number | null }
/** `isBusy` is true during a change. One change at a time, because the order of two concurrent ones is unknown. */
type OwnJob = { id: string; span: Span; entered: boolean; isBusy: boolean }
export type Days = {
  deps: BookingDeps & { clock: ReturnType<typeof fixedClock> }
  shopId: number
  memberId: string
  shop: ShopCalendar
  ask: Ask
  choices: readonly Choice[]
  /** Every cart and own job by a short name, for the model. */
  carts: Map<string, Cart>
  ownJobs: Map<string, OwnJob>
  made: Made[]
  closings: Closings
}

/** Creates a shop for a run with the given bays, one drop-off space, and three days. The last day is a blackout day. */
export async function openDays(deps: Days['deps'], { bays }: { bays: number }): Promise<Days> {
  const { db, clock } = deps
  const now = clock.now()
  const shopId = await makeShop(db, { bays, dropOffs: 1, slot_minutes: 60, closures: [['2026-11-26', 'Thanksgiving']] })
  const memberId = newId()
  const member = { id: memberId, shop_id: shopId, email: `${memberId}@example.com`, name: 'Wes', added_by: 'test' }
  await db
    .insertInto('shop_member')
    .values({ ...member, role: 'owner', added_at: now })
    .execute()
  const shop = (await selectShops(db, [shopId], now)).get(shopId)
  const quote = shop && quoteInstallation(shop, installation.tires)
  if (!shop || !quote?.ok) throw new Error('The shop of a test takes no tires.')
  const day = (date: string) => Temporal.PlainDate.from(date)
  const times = ['08:00', '09:00', '10:00', '11:00', '12:00', '13:00']
  const waits = ['2026-11-24', '2026-11-25'].flatMap((date) =>
    times.map((time) => ({
      start: day(date).toZonedDateTime({ timeZone: shop.timeZone, plainTime: time }).toInstant(),
    })),
  )
  const closed = { start: Temporal.Instant.from('2026-11-26T15:00:00Z') }
  const dropOffs = dropOffWindowNames.map((window) => ({ date: day('2026-11-24'), window }))
  return {
    deps,
    shopId,
    memberId,
    shop,
    ask: { minutes: quote.value.minutes, arrivesOn: installation.arrivesOn, now },
    choices: [...waits, ...dropOffs, closed],
    carts: new Map(),
    ownJobs: new Map(),
    made: [],
    closings: await openClosings(deps, { shopId, email: member.email, timeZone: shop.timeZone }),
  }
}

/** One person after another at one counter, or one shopper after another at one screen. */
export async function work(days: Days, random: Random, turns: number): Promise<void> {
  let held: string | null = null
  for (let turn = 0; turn < turns; turn++) {
    if (random.chance(0.45)) held = await shop(days, random, held)
    else await change(days, random)
  }
}

/** A shopper looks for a time, changes their mind, orders, or leaves. Returns the cart that still has its hold. */
async function shop(days: Days, random: Random, held: string | null): Promise<string | null> {
  if (held !== null && random.chance(0.5)) {
    await attemptConfirm(days, held)
    return null
  }
  if (held !== null && random.chance(0.3)) return null
  const booking = held ?? `cart ${days.carts.size}`
  if (held === null) {
    const cart = { id: '', orderId: null, bookingId: null, at: null }
    days.carts.set(booking, cart)
    cart.id = await makeCart(days.deps.db)
  }
  const cart = cartOf(days, booking)
  const isOther = (choice: Choice) => !('start' in choice) || secondsOf(choice.start) !== cart.at
  const choice = random.pick(days.choices.filter(isOther))
  const outcome = await attempt(days, { act: 'hold', booking, choice }, async (actor) =>
    placed(cart, await holdSlot(days.deps, { ...installation, ...days, cartId: cart.id, choice, actor })),
  )
  return outcome.ok || held !== null ? booking : null
}

async function attemptConfirm(days: Days, booking: string): Promise<void> {
  const cart = cartOf(days, booking)
  const orderId = await makeOrder(days.deps.db, cart.id, days.shopId)
  const outcome = await attempt(days, { act: 'confirm', booking }, async (actor) => {
    const confirming = days.deps.db
      .transaction()
      .execute((tx) => confirmHold({ db: tx, clock: days.deps.clock }, { cartId: cart.id, orderId, actor }))
    return placed(cart, await confirming)
  })
  if (outcome.ok) cart.orderId = orderId
}

/** Changes an existing appointment or one of the shop's own jobs. */
async function change(days: Days, random: Random): Promise<void> {
  const ways = [move, move, move, cancel, otherBay, enter, enter, drop, reopen, closeOrOpen]
  await random.pick(ways)(days, random)
}

function closeOrOpen({ deps, closings }: Days): Promise<void> {
  return changeDay(deps, closings)
}

async function move(days: Days, random: Random): Promise<void> {
  const booked = anAppointment(days, random)
  if (!booked) return
  const [booking, cart, bookingId] = booked
  const choice = random.pick(days.choices)
  await attempt(days, { act: 'move', booking, choice }, async (actor) =>
    placed(cart, await moveBooking(days.deps, { ...installation, bookingId, choice, actor })),
  )
}

async function cancel(days: Days, random: Random): Promise<void> {
  const booked = anAppointment(days, random)
  if (!booked) return
  const [booking, , bookingId] = booked
  await attempt(days, { act: 'cancel', booking }, async (actor) =>
    plain(await cancelBooking(days.deps, { bookingId, actor })),
  )
}

async function otherBay(days: Days, random: Random): Promise<void> {
  const booked = anAppointment(days, random)
  const bays = days.shop.bays.filter(({ kind }) => kind === 'bay')
  if (!booked || bays.length === 1) return
  const [booking, , bookingId] = booked
  const bay = random.pick(bays).id
  const alongside = () => Promise.resolve()
  const outcome = (actor: string) => changeBay(days.deps, { bookingId, bayId: bay, actor, alongside })
  await attempt(days, { act: 'change-bay', booking, bay }, async (actor) => plain(await outcome(actor)))
}

/** Adds a shop's own job. Over online bookings, it confirms that both stay. */
async function enter(days: Days, random: Random): Promise<void> {
  const from = Temporal.Instant.from('2026-11-24T14:00:00Z').add({ hours: 24 * random.between(0, 1) })
  const start = from.add({ minutes: 30 * random.between(0, 11) })
  const wish = {
    bay: random.pick(days.shop.bays).id,
    start: secondsOf(start),
    end: secondsOf(start.add({ minutes: 30 * random.between(1, 3) })),
  }
  const name = `own job ${days.ownJobs.size}`
  const ownJob: OwnJob = { id: '', span: wish, entered: false, isBusy: false }
  days.ownJobs.set(name, ownJob)
  let seen: readonly string[] = []
  for (let turn = 0; turn < 2 && !ownJob.entered; turn++) {
    const outcome = await attempt(days, { act: 'enter', ownJob: name, seen }, () => enterOwnJob(days, ownJob, seen))
    if (outcome.ok || outcome.reason !== 'overlaps' || random.chance(0.5)) return
    seen = outcome.seen ?? []
  }
}

async function enterOwnJob({ deps, carts, ...days }: Days, ownJob: OwnJob, seen: readonly string[]): Promise<Outcome> {
  const by = { shopId: days.shopId, memberId: days.memberId, at: deps.clock.now() }
  const { bay: bayId, start, end } = ownJob.span
  const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000)
  const nobody = { firstName: null, phone: null, vehicle: null, tires: null, note: null, alignmentMinutes: null }
  const job = { ...nobody, kind: 'block' as const, bayId, start: at(start), end: at(end) }
  const ids = seen.map((booking) => carts.get(booking)?.bookingId ?? '')
  const overlap = seen.length > 0 ? { reason: 'quick-job' as const, seen: ids } : null
  const saved = await deps.db
    .transaction()
    .execute((tx) => saveOwnJob(tx, by, { formKey: newId(), change: null, job, overlap }))
  if (saved.ok) {
    ownJob.id = saved.value.ownJobId
    ownJob.entered = true
    return { ok: true }
  }
  if (saved.reason !== 'overlaps') return saved
  const known = new Map([...carts].map(([name, { bookingId }]) => [bookingId, name]))
  return { ok: false, reason: 'overlaps', seen: saved.detail.flatMap(({ bookingId }) => known.get(bookingId) ?? []) }
}

async function drop(days: Days, random: Random): Promise<void> {
  await toggle(days, random, { act: 'drop', by: cancelOwnJob })
}

async function reopen(days: Days, random: Random): Promise<void> {
  await toggle(days, random, { act: 'reopen', by: reopenOwnJob })
}

async function toggle(
  days: Days,
  random: Random,
  { act, by }: { act: 'drop' | 'reopen'; by: typeof cancelOwnJob },
): Promise<void> {
  const entered = [...days.ownJobs].filter(([, ownJob]) => ownJob.entered && !ownJob.isBusy)
  if (entered.length === 0) return
  const [name, ownJob] = random.pick(entered)
  ownJob.isBusy = true
  const { deps, shopId, memberId } = days
  await attempt(days, { act, ownJob: name, seen: [] }, async () =>
    plain(await deps.db.transaction().execute((tx) => by(tx, { shopId, memberId, at: deps.clock.now() }, ownJob.id))),
  )
  ownJob.isBusy = false
}

/** Runs and records one attempt. Refusals by constraints are "taken". */
async function attempt(
  days: Days,
  tried: BookingAttempt | OwnJobAttempt,
  run: (actor: string) => Promise<Outcome>,
): Promise<Outcome> {
  const number = days.made.length
  const entry = { ...tried, number, from: performance.now(), to: Infinity, outcome: { ok: true } } as Made
  days.made.push(entry)
  entry.outcome = await again(() => run(`op:${number}`)).catch((error: unknown): Outcome => {
    if (violatedConstraint(error) === undefined) throw error
    return { ok: false, reason: 'taken' }
  })
  entry.to = performance.now()
  return entry.outcome
}

/** Runs what PostgreSQL ended to resolve a deadlock again, as the use cases do. */
async function again<Value>(run: () => Promise<Value>): Promise<Value> {
  return run().catch((error: unknown) => {
    if (isDeadlock(error)) return again(run)
    throw error
  })
}

type Result = { ok: true; value: unknown } | { ok: false; reason: string }
const plain = (result: Result): Outcome => (result.ok ? { ok: true } : { ok: false, reason: result.reason })

/** The outcome of a change of a booking's place, which its cart remembers. */
function placed(cart: Cart, result: { ok: true; value: Booking } | { ok: false; reason: string }): Outcome {
  if (!result.ok) return { ok: false, reason: result.reason }
  const { id, bayId, start, end } = result.value
  cart.bookingId = id
  cart.at = secondsOf(start)
  return { ok: true, place: { bay: bayId, start: secondsOf(start), end: secondsOf(end) } }
}

function cartOf({ carts }: Days, booking: string): Cart {
  const cart = carts.get(booking)
  if (!cart) throw new Error(`There is no ${booking}.`)
  return cart
}

/** Any appointment with an order, over or not. */
function anAppointment({ carts }: Days, random: Random): [string, Cart, string] | undefined {
  const booked = [...carts].flatMap(([name, cart]): [string, Cart, string][] =>
    cart.orderId !== null && cart.bookingId !== null ? [[name, cart, cart.bookingId]] : [],
  )
  return booked.length > 0 ? random.pick(booked) : undefined
}

/** The last entry of the log that each attempt left, by its number: the order in which bookings changed. */
export async function orderOfChanges({ deps: { db }, shopId }: Days): Promise<Map<number, number>> {
  const { rows } = await sql<{ number: number; last: number }>`
    select substr(booking_event.actor, 4)::int as number, max(booking_event.id)::int as last
    from booking_event join booking on booking.id = booking_id
    where booking.shop_id = ${shopId}::int and booking_event.actor like 'op:%' group by 1`.execute(db)
  return new Map(rows.map(({ number, last }) => [number, last]))
}

/** The bookings that the database has on the bays now, as the model writes them. */
export async function keptBookings({ deps: { db, clock }, shopId, carts }: Days): Promise<string> {
  const names = new Map([...carts].map(([name, { id }]) => [id, name]))
  const { rows } = await sql<Span & { cart: string; state: 'held' | 'confirmed' }>`
    select cart_id as cart, state, bay_id as bay, extract(epoch from lower(during))::int as start, extract(epoch from upper(during))::int as "end"
    from booking where shop_id = ${shopId}::int and (state = 'confirmed' or state = 'held' and hold_expires_at > ${clock.now().toString()}::timestamptz)`.execute(
    db,
  )
  return textOf(Object.fromEntries(rows.map(({ cart, ...booking }) => [names.get(cart) ?? cart, booking])))
}

/** The own jobs that the database has planned, and those that the last change of each planned. */
export async function plannedOwnJobs({ deps: { db }, shopId, ownJobs, made }: Days): Promise<[string[], string[]]> {
  const { rows } = await sql<Span & { id: string }>`
    select id, bay_id as bay, extract(epoch from lower(during))::int as start, extract(epoch from upper(during))::int as "end"
    from own_job where shop_id = ${shopId}::int and state = 'planned'`.execute(db)
  const wanted = [...ownJobs].flatMap(([name, { id, span }]) => {
    const last = made.findLast((each) => 'ownJob' in each && each.ownJob === name && each.outcome.ok)
    return last && last.act !== 'drop' ? [`${id} ${spanText(span)}`] : []
  })
  return [rows.map(({ id, ...span }) => `${id} ${spanText(span)}`).toSorted(), wanted.toSorted()]
}

/** Counts overlapping bookings or own jobs on a bay, which must be zero. */
export async function countOverlaps(db: Database, shopId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from booking a join booking b on a.bay_id = b.bay_id and a.id < b.id and a.during && b.during
        where a.shop_id = ${shopId}::int and a.state in ('held', 'confirmed') and b.state in ('held', 'confirmed'))::int
      + (select count(*) from own_job a join own_job b on a.bay_id = b.bay_id and a.id < b.id and a.during && b.during
        where a.shop_id = ${shopId}::int and a.state = 'planned' and b.state = 'planned')::int as count`.execute(db)
  return rows[0]?.count ?? 0
}
