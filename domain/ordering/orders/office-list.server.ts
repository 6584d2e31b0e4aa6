/** The office's list of orders, page by page. */
import {
  selectOfficeOrderCount,
  selectOfficeOrderTally,
  selectOfficeOrders,
  selectOrderKey,
  type ListMoment,
  type OfficeOrder,
  type OfficeOrderQuery,
  type OrderKey,
} from './office-list.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'

export type { OfficeOrder, OfficeOrderQuery } from './office-list.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** The position of a page, after order `after` or before order `before`. At most one is set. */
export type PagePlace = {
  after: number | null
  before: number | null
  isOldestFirst?: boolean
  /** In orders; 50 by default. */
  limit?: number
}

/** A page of orders, with the `before` and `after` cursors of the adjacent pages, or null. */
export type OfficeOrderPage = { orders: OfficeOrder[]; previous: number | null; next: number | null }

const perPage = 50

/**
 * Lists a page of the matching orders, newest first or oldest first. New orders don't shift a page, because its cursor
 * is the adjacent order. An unknown `after` or `before` starts at the first order.
 */
export async function listOfficeOrders(
  { db, clock }: Deps,
  query: OfficeOrderQuery,
  { after, before, isOldestFirst = false, limit = perPage }: PagePlace,
): Promise<OfficeOrderPage> {
  const near = before ?? after
  const key = near === null ? undefined : await selectOrderKey(db, near)
  const read = async (isForward: boolean, from: typeof key) => {
    const newer = isForward === isOldestFirst
    const found = await selectOfficeOrders(db, query, { ...momentOf(clock), key: from, newer, limit: limit + 1 })
    return isOldestFirst ? found.toReversed() : found
  }
  const back = before !== null && key ? await read(false, key) : []
  if (back.length > limit) return pageOf(back.slice(1), { hasPrevious: true, hasNext: true })
  // A short page at the top would hide that there are more orders below it: the first page is shown in full.
  const from = before === null ? key : undefined
  const found = await read(true, from)
  return pageOf(found.slice(0, limit), { hasPrevious: from !== undefined, hasNext: found.length > limit })
}

function pageOf(
  orders: OfficeOrder[],
  { hasPrevious, hasNext }: { hasPrevious: boolean; hasNext: boolean },
): OfficeOrderPage {
  const [first, last] = [orders[0]?.id ?? null, orders.at(-1)?.id ?? null]
  return { orders, previous: hasPrevious ? first : null, next: hasNext ? last : null }
}

/** The orders next to one in a list; null at either end. */
export type Neighbors = { newer: number | null; older: number | null }

/** Finds the orders next to one, in the list that the query gives. */
export async function findNeighbors({ db, clock }: Deps, query: OfficeOrderQuery, key: OrderKey): Promise<Neighbors> {
  const at = { ...momentOf(clock), key, limit: 1 }
  const [[newer], [older]] = await Promise.all([
    selectOfficeOrders(db, query, { ...at, newer: true }),
    selectOfficeOrders(db, query, { ...at, newer: false }),
  ])
  return { newer: newer?.id ?? null, older: older?.id ?? null }
}

/** Counts matching orders up to 100 for the list's tabs. `isAtLeast` means that there may be more. */
export function countOfficeOrders(
  { db, clock }: Deps,
  query: OfficeOrderQuery,
): Promise<{ count: number; isAtLeast: boolean }> {
  return selectOfficeOrderCount(db, query, momentOf(clock))
}

/** Counts the newest 1,000 orders of a view by the values of its filters. `isAtLeast` means that there are more. */
export function tallyOfficeOrders(
  { db, clock }: Deps,
  query: OfficeOrderQuery,
): ReturnType<typeof selectOfficeOrderTally> {
  return selectOfficeOrderTally(db, query, momentOf(clock))
}

function momentOf(clock: Clock): ListMoment {
  const now = clock.now()
  const today = storeDay(now)
  return { now, today: today.toString(), dayStart: today.toZonedDateTime(storeZone).toInstant() }
}
