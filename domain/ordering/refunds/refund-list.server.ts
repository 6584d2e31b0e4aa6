/** The office list of all refunds, made by staff or automatically. */
import { selectBuyers } from '#domain/ordering/orders/orders.server.ts'
import {
  selectListedRefund,
  selectOpenRefunds,
  selectRefundsByKeys,
  selectRefundsOfOthers,
  type ListedCharge,
  type ListPage,
  type RefundPlace,
} from '#domain/payments/payments/payments.server.ts'
import type { Database } from '#platform/db.ts'
import { isStaffReason, type ListedReason, type RefundMoney, type RefundTab } from './refund-list.ts'
import { chargeKey } from './refund-order.server.ts'
import type { RefundBearer } from './refunds.ts'
import { selectRefundPage, selectRefundsById, type OrderRefund } from './refunds.sql.server.ts'

export type RefundQuery = {
  tab: RefundTab
  reason: ListedReason | null
  bearer: RefundBearer | null
  /** Refunds made from this instant, and before that one. */
  from: Temporal.Instant | null
  until: Temporal.Instant | null
}

export type ListedRefund = {
  id: string
  /** When it was made; in the provider's tabs, when it was sent to the provider. */
  at: Temporal.Instant
  orderId: number
  customer: string
  company: string | null
  reason: ListedReason
  bearer: RefundBearer
  /** Who made it; null for the store itself. */
  by: string | null
  money: RefundMoney
  /** What the provider said, if it refused. */
  said: string | null
  amountCents: number
}

const prefix = chargeKey('')
const prefixes: Readonly<Record<Exclude<ListedReason, OrderRefund['reason']>, string>> = {
  guarantee: 'guarantee:',
  coverage: 'coverage:',
  canceled: 'cancel:',
}

/** Lists a page, newest first; `next` is the place that the following page comes after, null on the last. */
export async function listRefunds(
  { db }: { db: Database },
  query: RefundQuery,
  { after, limit }: { after: RefundPlace | null; limit: number },
): Promise<{ refunds: ListedRefund[]; next: RefundPlace | null }> {
  const page = { from: query.from, until: query.until, after, limit: limit + 1 }
  const found =
    query.tab === 'promised' || query.tab === 'refused'
      ? await listOpen(db, query.tab, query, page)
      : await listMade(db, query, page)
  const shown = found.slice(0, limit)
  const buyers = await selectBuyers(
    db,
    shown.map(({ orderId }) => orderId),
  )
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    refunds: shown.map((each) => ({ ...each, ...(buyers.get(each.orderId) ?? { customer: '', company: null }) })),
    next: last ? { at: last.at, id: last.id } : null,
  }
}

/**
 * Finds a refund by its ID in the list, which may be the ID of its card refund. `refund` is the staff refund; null if
 * the store made it automatically.
 */
export async function findListedRefund(
  db: Database,
  id: string,
): Promise<(ListedRefund & { refund: OrderRefund | null }) | undefined> {
  const [made] = await selectRefundsById(db, [id])
  const charge = made ? undefined : await selectListedRefund(db, id)
  const [ofCharge] = charge?.key.startsWith(prefix)
    ? await selectRefundsById(db, [charge.key.slice(prefix.length)])
    : []
  const refund = made ?? ofCharge ?? null
  const [card] = refund ? await selectRefundsByKeys(db, [chargeKey(refund.id)]) : []
  const found = refund ? ofStaff(refund, card) : charge && ofStore(charge)
  if (!found) return undefined
  const buyer = (await selectBuyers(db, [found.orderId])).get(found.orderId)
  return { ...found, ...(buyer ?? { customer: '', company: null }), refund }
}

type Found = Omit<ListedRefund, 'customer' | 'company'>

/** Sorted by creation, merging two lists. */
async function listMade(db: Database, { tab, reason, bearer }: RefundQuery, page: ListPage): Promise<Found[]> {
  const isStaffs = reason === null || isStaffReason(reason)
  const drafts = tab === 'draft'
  const staffReason = reason !== null && isStaffReason(reason) ? reason : null
  const made = isStaffs ? await selectRefundPage(db, { drafts, reason: staffReason, bearer }, page) : []
  const hasOthers = !drafts && staffReason === null && (bearer === null || bearer === 'store')
  const of = reason !== null && !isStaffReason(reason) ? prefixes[reason] : null
  const others = hasOthers ? await selectRefundsOfOthers(db, { otherThan: prefix, of }, page) : []
  const cards = new Map(
    (
      await selectRefundsByKeys(
        db,
        made.map(({ id }) => chargeKey(id)),
      )
    ).map((card) => [card.key, card]),
  )
  return [...made.map((refund) => ofStaff(refund, cards.get(chargeKey(refund.id)))), ...others.map(ofStore)]
    .toSorted(newestFirst)
    .slice(0, page.limit)
}

/** Sorted by provider request. There are few, so filters are applied while reading. */
async function listOpen(
  db: Database,
  state: 'promised' | 'refused',
  { reason, bearer }: RefundQuery,
  page: ListPage,
): Promise<Found[]> {
  const kept: Found[] = []
  let after = page.after
  for (;;) {
    const charges = await selectOpenRefunds(db, state, { ...page, after })
    const ids = charges.flatMap(({ key }) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
    const byId = new Map((await selectRefundsById(db, ids)).map((refund) => [refund.id, refund]))
    for (const charge of charges) {
      const refund = byId.get(charge.key.slice(prefix.length))
      // The whole refund is listed once, at the time and under the id of its part on the card.
      const found = refund ? { ...ofStaff(refund, charge), id: charge.id, at: charge.promisedAt } : ofStore(charge)
      if ((reason === null || found.reason === reason) && (bearer === null || found.bearer === bearer)) kept.push(found)
    }
    const last = charges.at(-1)
    if (!last || charges.length < page.limit || kept.length >= page.limit) return kept.slice(0, page.limit)
    after = { at: last.promisedAt, id: last.id }
  }
}

function ofStaff(refund: OrderRefund, card: Pick<ListedCharge, 'state' | 'note'> | undefined): Found {
  const { id, orderId, reason, bearer, createdAt, createdBy, state, amountCents } = refund
  const money = state === 'approved' ? ((card?.state as RefundMoney | undefined) ?? 'credited') : state
  return { id, at: createdAt, orderId, reason, bearer, by: createdBy, money, said: card?.note ?? null, amountCents }
}

function ofStore({ id, key, orderId, state, note, promisedAt, amountCents }: ListedCharge): Found {
  const reason = key.startsWith(prefixes.guarantee)
    ? 'guarantee'
    : key.startsWith(prefixes.coverage)
      ? 'coverage'
      : 'canceled'
  const money = state as RefundMoney
  return {
    id,
    at: promisedAt,
    orderId: orderId ?? 0,
    reason,
    bearer: 'store',
    by: null,
    money,
    said: note,
    amountCents,
  }
}

function newestFirst(a: Found, b: Found): number {
  return Temporal.Instant.compare(b.at, a.at) || (a.id < b.id ? 1 : -1)
}
