/** The office's list of orders: a page of it, newest first, and all of it for a file. */
import {
  selectOfficeOrders,
  selectOfficeOrdersById,
  selectOrderKey,
  type OfficeOrder,
  type OfficeOrderQuery,
  type OrderKey,
} from '#domain/orders/office-list.sql.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { recordAct, requireFreshPermission, type Actor } from '#domain/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

export type { OfficeOrder, OfficeOrderQuery } from '#domain/orders/office-list.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** The place of a page: older than the order `after`, or newer than the order `before`; at most one of them. */
export type PagePlace = { after: number | null; before: number | null }

/** A page, with the orders to give as `before` and `after` for the pages on either side; null where there is none. */
export type OfficeOrderPage = { orders: OfficeOrder[]; newer: number | null; older: number | null }

const perPage = 50

/**
 * Lists a page of the matching orders. Orders that arrive meanwhile move nothing: a page is defined by the order next to
 * it. An unknown `after` or `before` begins at the newest order.
 */
export async function listOfficeOrders(
  { db, clock }: Deps,
  query: OfficeOrderQuery,
  { after, before }: PagePlace,
): Promise<OfficeOrderPage> {
  const near = before ?? after
  const key = near === null ? undefined : await selectOrderKey(db, near)
  const newer = before === null || !key ? undefined : await readNewer({ db, clock }, query, key)
  if (newer) return newer
  // A short page at the top would hide that there are older orders below it: the first page is shown in full.
  const from = before === null ? key : undefined
  const found = await selectOfficeOrders(db, query, { ...placeAt(clock), key: from, newer: false })
  const orders = found.slice(0, perPage)
  return { orders, newer: from ? firstOf(orders) : null, older: found.length > perPage ? lastOf(orders) : null }
}

/** The orders next to one in a list; null at either end. */
export type Neighbors = { newer: number | null; older: number | null }

/** Finds the orders next to one, in the list that the query gives. */
export async function findNeighbors({ db, clock }: Deps, query: OfficeOrderQuery, key: OrderKey): Promise<Neighbors> {
  const at = { ...placeAt(clock), key, limit: 1 }
  const [newer, older] = await Promise.all([
    selectOfficeOrders(db, query, { ...at, newer: true }),
    selectOfficeOrders(db, query, { ...at, newer: false }),
  ])
  return { newer: firstOf(newer), older: firstOf(older) }
}

/** The page before `key`; undefined if that is less than a page. */
async function readNewer(
  { db, clock }: Deps,
  query: OfficeOrderQuery,
  key: OrderKey,
): Promise<OfficeOrderPage | undefined> {
  const found = await selectOfficeOrders(db, query, { ...placeAt(clock), key, newer: true })
  if (found.length <= perPage) return undefined
  const orders = found.slice(1)
  return { orders, newer: firstOf(orders), older: lastOf(orders) }
}

function placeAt(clock: Clock): { now: Temporal.Instant; today: string; limit: number } {
  const now = clock.now()
  return { now, today: storeDay(now).toString(), limit: perPage + 1 }
}

const firstOf = (orders: readonly OfficeOrder[]) => orders[0]?.id ?? null
const lastOf = (orders: readonly OfficeOrder[]) => orders.at(-1)?.id ?? null

/**
 * Every matching order, or those with the given ids, newest first, in batches. Records the export with its filters in
 * the audit log before the first order is read. Refuses `not-allowed` and `not-fresh`.
 */
export async function exportOfficeOrders(
  { db, clock }: Deps,
  by: Actor,
  {
    query,
    ids,
    filters,
  }: { query: OfficeOrderQuery; ids: readonly number[] | null; filters: Readonly<Record<string, string | undefined>> },
): Promise<Outcome<AsyncGenerator<OfficeOrder[]>, Refused<'not-allowed'> | Refused<'not-fresh'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requireFreshPermission(tx, by, 'orders.export', at)
    if (!permitted.ok) return permitted
    const after = ids === null ? { ...filters } : { orders: ids.map(orderNumber).join(', ') }
    await recordAct(tx, {
      by,
      act: 'orders.exported',
      fresh: permitted.value,
      subject: 'orders',
      after: withoutUnset(after),
      at,
    })
    return ok(ids === null ? readAll(db, query, at) : readThese(db, ids))
  })
}

function withoutUnset(record: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

async function* readThese(db: Database, ids: readonly number[]): AsyncGenerator<OfficeOrder[]> {
  yield await selectOfficeOrdersById(db, ids)
}

/** In orders; each batch is one statement, so that a long file holds no transaction open. */
const perBatch = 500

async function* readAll(db: Database, query: OfficeOrderQuery, now: Temporal.Instant): AsyncGenerator<OfficeOrder[]> {
  const at = { now, today: storeDay(now).toString(), limit: perBatch, newer: false }
  let key: OrderKey | undefined
  for (;;) {
    const orders = await selectOfficeOrders(db, query, { ...at, key })
    if (orders.length > 0) yield orders
    key = orders.at(-1)
    if (!key || orders.length < perBatch) return
  }
}
