/**
 * The waitlist for an earlier time at an appointment's shop. Notifies the longest-waiting shopper first, one shopper
 * per time. The time isn't held for them, and booking it follows the usual rules.
 */
import { offerTimes, readCalendarVersions } from '#domain/scheduling/booking/booking.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { appointmentWork, lockOrder, readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { promiseText } from '#domain/messaging/texts/texts.server.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { seenAppointment } from './appointments.ts'
import {
  canWait,
  earlierTimes,
  firstOfferable,
  isTellingHour,
  mostOffers,
  mostWaiting,
  offerMinutes,
  type EarlierTime,
  type EarlierTimeWish,
} from './earlier-times.ts'
import {
  countWaiting,
  endOverWishes,
  endWish,
  insertOffer,
  lockWish,
  passLapsedOffers,
  passOffer,
  selectOffer,
  selectToldTimes,
  selectWaiting,
  selectWaitingShops,
  selectWish,
  storeCheck,
  upsertWish,
  type Offer,
  type StoredWish,
} from './earlier-times.sql.server.ts'
import { readStage, type AppointmentDeps } from './reply.server.ts'
import { takeAppointmentTime, type TakeRefusal } from './take-time.server.ts'

/**
 * `free-now` means that such a time is already available. `no-days` means that the entry has no day before the
 * appointment.
 */
export type WaitRefusal =
  | Refused<'not-found'>
  | Refused<'stale'>
  | Refused<'not-now'>
  | Refused<'no-day'>
  | Refused<'no-days'>
  | Refused<'no-parts'>
  | Refused<'free-now'>
  | Refused<'list-full'>

/** Puts the appointment named by `seen` on its shop's list; a second wish replaces the first. */
export function waitForEarlierTime(
  deps: AppointmentDeps,
  asked: { orderId: number; seen: string; wish: EarlierTimeWish },
): Promise<Outcome<null, WaitRefusal>> {
  return deps.db.transaction().execute(async (tx) => {
    const within = { ...deps, db: tx }
    if (!(await lockOrder(tx, asked.orderId))) return refused('not-found')
    const order = await readOrder(tx, asked.orderId)
    if (!order?.booking || !order.shop) return refused('not-found')
    if (seenAppointment(order.booking) !== asked.seen) return refused('stale')
    const now = deps.clock.now()
    const { stage } = await readStage(within, order)
    if (stage !== 'settled' || !canWait(order.booking.start, now)) return refused('not-now')
    const wish = withinReach(asked.wish, order, now)
    if (wish.parts.length === 0) return refused('no-parts')
    if (Temporal.PlainDate.compare(wish.from, wish.until) > 0) return refused('no-days')
    const stored = { ...wish, bookingId: order.booking.id, shopId: order.shop.id }
    const free = await timesFor(within, order, stored, now)
    if (!free) return refused('no-day')
    if (free.length > 0) return refused('free-now')
    if ((await countWaiting(tx, order.shop.id, order.booking.id)) >= mostWaiting) return refused('list-full')
    const untilAt = wish.until.add({ days: 1 }).toZonedDateTime(order.timeZone).toInstant()
    await upsertWish(tx, { ...stored, untilAt }, now)
    return ok(null)
  })
}

/** From today until the day of the appointment. */
function withinReach({ from, until, parts }: EarlierTimeWish, order: OrderView, now: Temporal.Instant) {
  const { timeZone, booking } = order
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const last = (booking?.start ?? now).toZonedDateTimeISO(timeZone).toPlainDate()
  return {
    from: Temporal.PlainDate.compare(from, today) < 0 ? today : from,
    until: Temporal.PlainDate.compare(until, last) > 0 ? last : until,
    parts,
  }
}

/**
 * Returns the times a waitlisted appointment could have, excluding those already offered to it and those in others'
 * open offers.
 */
async function timesFor(
  deps: AppointmentDeps,
  order: OrderView,
  wish: Omit<StoredWish, 'askedAt'>,
  notBefore: Temporal.Instant,
): Promise<EarlierTime[] | undefined> {
  const { booking, timeZone } = order
  const work = booking && (await appointmentWork(deps, order))
  const offered = work && (await offerTimes(deps, work))
  if (!booking || !offered?.ok) return undefined
  const told = await selectToldTimes(deps.db, wish)
  if (told.filter(({ isMine }) => isMine).length >= mostOffers) return []
  const { kind, start } = booking
  return earlierTimes(offered.value.days, wish, { kind, start, timeZone }, notBefore).filter(
    (time) =>
      !told.some((each) =>
        each.isMine
          ? each.start.equals(time.start)
          : each.kind === kind &&
            Temporal.Instant.compare(each.start, time.end) < 0 &&
            Temporal.Instant.compare(time.start, each.end) < 0,
      ),
  )
}

/** Removes an appointment from the waitlist. Idempotent. */
export async function stopWaiting(
  { db, clock }: AppointmentDeps,
  { orderId }: { orderId: number },
): Promise<Outcome<null, Refused<'not-found'>>> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockOrder(tx, orderId))) return refused('not-found')
    const booking = (await readOrder(tx, orderId))?.booking
    if (!booking) return refused('not-found')
    await endWish(tx, booking.id, { ended: 'left', now: clock.now() })
    return ok(null)
  })
}

/** Returns an appointment's waitlist entry and open offer; null if it isn't on the waitlist. */
export async function readWaiting(
  { db, clock }: AppointmentDeps,
  order: Pick<OrderView, 'booking'>,
): Promise<{ wish: EarlierTimeWish; offer: Offer | null } | null> {
  const { booking } = order
  const wish = booking?.state === 'confirmed' ? await selectWish(db, booking.id) : undefined
  if (!wish || !booking) return null
  const offer = await selectOffer(db, { openOf: booking.id })
  const isOpen = offer !== undefined && Temporal.Instant.compare(clock.now(), offer.expiresAt) < 0
  return { wish, offer: isOpen ? offer : null }
}

/** `offer-over` means that the offer expired. `offer-lost` means that another shopper took the time first. */
export type TakeOfferRefusal = TakeRefusal | Refused<'offer-over'> | Refused<'offer-lost'>

/** Reschedules the appointment identified by `seen` to the offered time. Idempotent. */
export async function takeEarlierTime(
  deps: AppointmentDeps,
  { orderId, seen, offerId }: { orderId: number; seen: string; offerId: string },
): Promise<Outcome<{ isNew: boolean }, TakeOfferRefusal>> {
  const offer = isId(offerId) ? await selectOffer(deps.db, { id: offerId }) : undefined
  if (!offer || offer.orderId !== orderId) return refused('not-found')
  if (offer.state === 'taken') return ok({ isNew: false })
  if (offer.state !== 'open' || Temporal.Instant.compare(offer.expiresAt, deps.clock.now()) <= 0)
    return refused('offer-over')
  const taken = await takeAppointmentTime(deps, { orderId, seen, choice: offer.choice })
  if (taken.ok || (taken.reason !== 'slot-taken' && taken.reason !== 'outside-hours')) return taken
  await passOffer(deps.db, offer.id)
  return refused('offer-lost')
}

/**
 * Notifies waitlisted shoppers of available times in order, after ending expired entries and offers. Checks only shops
 * with changed calendars. Returns the number of notifications. Concurrent runs never notify twice.
 */
export async function tellOfEarlierTimes(deps: AppointmentDeps): Promise<number> {
  const now = deps.clock.now()
  await endOverWishes(deps.db, now)
  const lapsedAt = await passLapsedOffers(deps.db, now)
  const shops = await selectWaitingShops(deps.db)
  const versions = await readCalendarVersions(
    deps.db,
    shops.map(({ shopId }) => shopId),
  )
  let count = 0
  for (const { shopId, checkedAt } of shops) {
    const version = versions.get(shopId) ?? null
    if (version === checkedAt && !lapsedAt.includes(shopId)) continue
    const told = await tellAt(deps, shopId, now)
    count += told ?? 0
    // Times that open up at night are offered in the morning.
    await storeCheck(deps.db, shopId, told === null ? null : version)
  }
  return count
}

/** Notifies a shop's waitlist; returns the count, or null at night. */
async function tellAt(deps: AppointmentDeps, shopId: number, now: Temporal.Instant): Promise<number | null> {
  let count = 0
  for (const wish of await selectWaiting(deps.db, shopId)) {
    const order = await readOrder(deps.db, wish.orderId)
    if (order?.booking?.id !== wish.bookingId || order.state !== 'confirmed') continue
    if (!isTellingHour(now, order.timeZone)) return null
    if (await tell(deps, order, wish, now)) count += 1
  }
  return count
}

async function tell(
  deps: AppointmentDeps,
  order: OrderView,
  wish: StoredWish,
  now: Temporal.Instant,
): Promise<boolean> {
  for (const time of (await timesFor(deps, order, wish, firstOfferable(now))) ?? [])
    if (await offer(deps, order, wish, { time, now })) return true
  return false
}

function offer(
  { db }: AppointmentDeps,
  order: OrderView,
  { bookingId, shopId }: StoredWish,
  { time, now }: { time: EarlierTime; now: Temporal.Instant },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockWish(tx, bookingId))) return false
    const id = newId()
    const kind = order.booking?.kind ?? 'wait'
    const expiresAt = now.add({ minutes: offerMinutes })
    if (!(await insertOffer(tx, { ...time, id, bookingId, shopId, kind, now, expiresAt }))) return false
    const mail = { kind: 'earlier-time-offered', orderId: order.id, at: now } as const
    await queueMessage(tx, { ...mail, key: `${mail.kind}:${id}`, to: order.email })
    await promiseText(tx, { kind: 'earlier-time', key: `earlier-time:${id}`, orderId: order.id, at: now })
    return true
  })
}
