/** Partners' widgets: who may use one, the visits and orders that come from it, and what a partner earns by month. */
import { randomInt } from 'node:crypto'
import { setWidget } from '#domain/cart/cart.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/staff/staff.server.ts'
import { RETURN_WINDOW_DAYS } from '#platform/business-constants.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'
import { commissionBasisPoints, commissionOf, originsOf } from './widgets.ts'
import {
  insertAttribution,
  insertScript,
  insertVisit,
  insertWidget,
  selectAttributed,
  selectScript,
  selectOwnerEmail,
  selectVisits,
  selectWidget,
  selectWidgets,
  updateClosed,
  updateOrigins,
  type OpenWidget,
  type PartnerWidget,
} from './widgets.sql.server.ts'

type Deps = { db: Database; clock: Clock }

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Gives a new partner its widget, with a key of its own. */
export async function giveWidget(
  tx: Tx,
  asked: { partnerId: number; email: string; site: string; at: Temporal.Instant },
): Promise<void> {
  const id = `wk_${Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')}`
  await insertWidget(tx, { ...asked, id, commissionBp: commissionBasisPoints })
}

/** The open widget with a key; undefined if it is closed or unknown. */
export function findWidget({ db }: Pick<Deps, 'db'>, id: string): Promise<PartnerWidget | undefined> {
  return selectWidget(db, { id })
}

/** The widget of a partner's account, by its verified email; undefined for everyone else. */
export async function findOwnWidget(
  { db }: Pick<Deps, 'db'>,
  { email, isEmailVerified }: { email: string | null; isEmailVerified: boolean },
): Promise<PartnerWidget | undefined> {
  return email !== null && isEmailVerified ? selectWidget(db, { email }) : undefined
}

/** Lists the open widgets for the office, newest first. */
export function listWidgets({ db }: Pick<Deps, 'db'>): Promise<OpenWidget[]> {
  return selectWidgets(db)
}

/** Counts a visit from a widget, by the day of the store and the partner's name for the page. */
export function countVisit(
  { db, clock }: Deps,
  { widgetId, source }: { widgetId: string; source: string | null },
): Promise<void> {
  return insertVisit(db, { widgetId, source, day: clock.now().toZonedDateTimeISO(storeZone).toPlainDate() })
}

/** Keeps a script that a partner is shown, so that its address is served after the next release too. */
export function keepScript({ db, clock }: Deps, script: { hash: string; source: string }): Promise<void> {
  return insertScript(db, { ...script, at: clock.now() })
}

/** The source of a script that a partner was shown; undefined for others. */
export function findScript({ db }: Pick<Deps, 'db'>, hash: string): Promise<string | undefined> {
  return selectScript(db, hash)
}

/** Keeps in an open cart which widget the shopper came from last, and the widget's shop unless another is chosen. */
export function noteWidget(
  { db }: Pick<Deps, 'db'>,
  cartId: string,
  widget: { widgetId: string; source: string | null; shopId: number | null },
): Promise<void> {
  return setWidget(db, cartId, widget)
}

/** Writes down in the order's own transaction which widget it came from. */
export function attributeOrder({ db, clock }: { db: Tx; clock: Clock }, orderId: number): Promise<void> {
  return insertAttribution(db, { orderId, at: clock.now() })
}

/** Who is written to about an open widget. */
export function widgetOwnerEmail(db: Database, id: string): Promise<string | undefined> {
  return selectOwnerEmail(db, id)
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
  const { placedAt, isCanceled, commissionBp } = order
  return { placedAt, isCanceled, tireCents, commissionCents: commissionOf(tireCents, commissionBp) }
}

/** Sets the pages a partner's own widget may be on. */
export async function changeOrigins(
  { db }: Pick<Deps, 'db'>,
  owner: { email: string | null; isEmailVerified: boolean },
  typed: string,
): Promise<Outcome<null, Refused<'no-widget'> | Refused<'not-an-origin', { line: string | null }>>> {
  const widget = await findOwnWidget({ db }, owner)
  if (!widget) return refused('no-widget')
  const read = originsOf(typed)
  if ('wrong' in read) return refused('not-an-origin', { line: read.wrong })
  await updateOrigins(db, widget.id, read.origins)
  return ok(null)
}

/** Closes a widget: it shows nothing from then on, and what was earned stays. */
export function closeWidget(
  { db, clock }: Deps,
  { id, by }: { id: string; by: Actor },
): Promise<Outcome<null, Refused<'not-known'> | Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'partners.decide', at)
    if (!permitted.ok) return permitted
    if (!(await updateClosed(tx, id, at))) return refused('not-known')
    await recordAct(tx, { by, act: 'partner.widget-closed', subject: id, at })
    return ok(null)
  })
}

export type WidgetMonth = {
  /** YYYY-MM, in the store's zone. */
  month: string
  /** The partner's name for the page; null for pages without one, and for all together. */
  source: string | null
  visits: number
  orders: number
  tireCents: number
  commissionCents: number
  /** The part of it whose orders can no longer be returned. */
  earnedCents: number
}

const monthsShown = 24

/**
 * What came of a widget, newest month first. An order counts in the month it was placed; what is canceled, refunded or
 * returned of it takes its share back, whenever that happens. `bySource` has a row for each of the partner's pages.
 */
export async function readWidgetMonths(
  { db, clock }: Deps,
  widgetId: string,
  { bySource = false } = {},
): Promise<WidgetMonth[]> {
  const now = clock.now()
  const first = now
    .toZonedDateTimeISO(storeZone)
    .toPlainDate()
    .with({ day: 1 })
    .subtract({ months: monthsShown - 1 })
  const since = first.toZonedDateTime(storeZone).toInstant()
  const [orders, visits] = await Promise.all([
    selectAttributed(db, { widgetId, since }),
    selectVisits(db, widgetId, first),
  ])
  const months = new Map<string, WidgetMonth>()
  const rowOf = (month: string, from: string | null): WidgetMonth => {
    const source = bySource ? from : null
    const key = `${month} ${source ?? ''}`
    const none = { visits: 0, orders: 0, tireCents: 0, commissionCents: 0, earnedCents: 0 }
    const known = months.get(key) ?? { month, source, ...none }
    months.set(key, known)
    return known
  }
  for (const { day, source, visits: count } of visits) rowOf(day.slice(0, 7), source).visits += count
  for (const { placedAt, source, isCanceled, tireCents, commissionBp, deliveredAt } of orders) {
    const month = rowOf(placedAt.toZonedDateTimeISO(storeZone).toPlainDate().toString().slice(0, 7), source)
    const cents = isCanceled ? 0 : Math.max(0, tireCents)
    const commission = commissionOf(cents, commissionBp)
    month.orders += isCanceled ? 0 : 1
    month.tireCents += cents
    month.commissionCents += commission
    if (deliveredAt && isPast(deliveredAt, now)) month.earnedCents += commission
  }
  return [...months.values()].sort(
    (a, b) => b.month.localeCompare(a.month) || (a.source ?? '').localeCompare(b.source ?? ''),
  )
}

function isPast(deliveredAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(deliveredAt.add({ hours: 24 * RETURN_WINDOW_DAYS }), now) < 0
}
