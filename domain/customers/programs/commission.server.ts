/** Partner commission, with rates by start date, commission earned once an order is final, and the monthly report. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { rateOn, type WidgetRate } from './commission.ts'
import {
  insertCommission,
  insertRate,
  lockAttributed,
  lockWidget,
  selectAttributed,
  selectBooked,
  selectRates,
  selectUnsettled,
  type AttributedOrder,
} from './commission.sql.server.ts'
import { commissionOf } from './widgets.ts'
import { selectVisits } from './widgets.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Returns widgets' rates in the order they were set, by widget. */
export function listRates({ db }: Pick<Deps, 'db'>, widgetIds: readonly string[]): Promise<Map<string, WidgetRate[]>> {
  return selectRates(db, widgetIds)
}

/** Sets a partner's rate from a future day; earlier orders keep their rate. Refuses `not-ahead` and `not-known`. */
export function setRate(
  { db, clock }: Deps,
  {
    widgetId,
    fromDay,
    commissionBp,
    by,
  }: { widgetId: string; fromDay: Temporal.PlainDate; commissionBp: number; by: Actor },
): Promise<Outcome<null, Refused<'not-ahead'> | Refused<'not-known'> | Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'partners.decide', at)
    if (!permitted.ok) return permitted
    if (Temporal.PlainDate.compare(fromDay, storeDay(at)) <= 0) return refused('not-ahead')
    if (!(await lockWidget(tx, widgetId))) return refused('not-known')
    const rates = (await selectRates(tx, [widgetId])).get(widgetId) ?? []
    const before = rateOn(rates, fromDay.toString())?.commissionBp ?? null
    await insertRate(tx, { widgetId, fromDay, commissionBp, at, by: by.name, isFirst: false })
    await recordAct(tx, {
      by,
      act: 'partner.rate-set',
      subject: widgetId,
      before: { commissionBp: before },
      after: { commissionBp, fromDay: fromDay.toString() },
      at,
    })
    return ok(null)
  })
}

const batch = 200

/**
 * Books commission for orders after their return window, once each, and reverses later cancellations, refunds and
 * returns in separate rows. Idempotent.
 */
export async function bookCommissions({ db, clock }: Deps): Promise<{ booked: number; reversed: number }> {
  const at = clock.now()
  const done = { booked: 0, reversed: 0 }
  for (let after = 0; ;) {
    const orderIds = await selectUnsettled(db, { now: at, after, limit: batch })
    for (const orderId of orderIds) {
      const kind = await db.transaction().execute(async (tx) => {
        const order = await lockAttributed(tx, orderId)
        const entry = order && entryOf(order)
        if (entry) await insertCommission(tx, { orderId, ...entry, at })
        return entry?.kind
      })
      if (kind) done[kind] += 1
    }
    if (orderIds.length < batch) return done
    after = orderIds.at(-1) ?? after
  }
}

/** Returns the entry to add for a due order; null if it is settled. */
function entryOf(order: AttributedOrder): { kind: 'booked' | 'reversed'; cents: number } | null {
  const earned = earnedCents(order)
  if (order.bookedCents === null) return order.isCanceled ? null : { kind: 'booked', cents: earned }
  return order.bookedCents > earned ? { kind: 'reversed', cents: earned - order.bookedCents } : null
}

/** Returns the commission on the order's remaining amount, at the rate in effect when it was placed. */
function earnedCents({ isCanceled, tireCents, commissionBp }: AttributedOrder): number {
  return isCanceled ? 0 : commissionOf(tireCents, commissionBp)
}

/** What a partner's report counts of one order of its widget; undefined for an order of others. */
export async function readAttributedOrder(
  { db }: Pick<Deps, 'db'>,
  asked: { widgetId: string; orderId: number },
): Promise<
  { placedAt: Temporal.Instant; isCanceled: boolean; tireCents: number; commissionCents: number } | undefined
> {
  const [order] = await selectAttributed(db, asked)
  if (!order) return undefined
  const tireCents = order.isCanceled ? 0 : Math.max(0, order.tireCents)
  const { placedAt, isCanceled } = order
  return { placedAt, isCanceled, tireCents, commissionCents: order.bookedCents ?? earnedCents(order) }
}

export type WidgetMonth = {
  /** YYYY-MM, in the store's zone. */
  month: string
  /** The partner's name for the page; null for pages without one, and for all together. */
  source: string | null
  visits: number
  orders: number
  tireCents: number
  /** For this month's orders, the commission not booked yet, as of now. */
  pendingCents: number
  /** Commission booked and reversed in this month, regardless of the order date. */
  bookedCents: number
  reversedCents: number
}

const monthsShown = 24

/**
 * What came of a widget, newest month first. An order counts in the month it was placed, its commission in the month it
 * was booked, so that a month that is over does not change. `bySource` has a row for each of the partner's pages.
 */
export async function readWidgetMonths(
  { db, clock }: Deps,
  widgetId: string,
  { bySource = false } = {},
): Promise<WidgetMonth[]> {
  const first = storeDay(clock.now())
    .with({ day: 1 })
    .subtract({ months: monthsShown - 1 })
  const since = first.toZonedDateTime(storeZone).toInstant()
  const [orders, visits, entries] = await Promise.all([
    selectAttributed(db, { widgetId, since }),
    selectVisits(db, widgetId, first),
    selectBooked(db, widgetId, since),
  ])
  const months = new Map<string, WidgetMonth>()
  const rowOf = (month: string, from: string | null): WidgetMonth => {
    const source = bySource ? from : null
    const key = `${month} ${source ?? ''}`
    const none = { visits: 0, orders: 0, tireCents: 0, pendingCents: 0, bookedCents: 0, reversedCents: 0 }
    const known = months.get(key) ?? { month, source, ...none }
    months.set(key, known)
    return known
  }
  for (const { day, source, visits: count } of visits) rowOf(day.slice(0, 7), source).visits += count
  for (const order of orders) {
    const month = rowOf(storeDay(order.placedAt).toString().slice(0, 7), order.source)
    month.orders += order.isCanceled ? 0 : 1
    month.tireCents += order.isCanceled ? 0 : Math.max(0, order.tireCents)
    if (order.bookedCents === null) month.pendingCents += earnedCents(order)
  }
  for (const { month, source, bookedCents, reversedCents } of entries) {
    const row = rowOf(month, source)
    row.bookedCents += bookedCents
    row.reversedCents += reversedCents
  }
  return [...months.values()].sort(
    (a, b) => b.month.localeCompare(a.month) || (a.source ?? '').localeCompare(b.source ?? ''),
  )
}
