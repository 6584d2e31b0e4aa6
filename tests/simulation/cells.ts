/** What the tests' own sums of reports are made with. */
import { sql } from 'kysely'
import type { Cell } from '#domain/operations/reports/reports.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

export type Store = { db: Database; clock: Clock }
export type Row = readonly Cell[]

export const zone = sql.lit('America/New_York')

export type Days = { from: string; to: string }

export const within = (at: ReturnType<typeof sql>, { from, to }: Days) =>
  sql<boolean>`(${at} at time zone ${zone})::date between ${from}::date and ${to}::date`

/** When an order was canceled; null for the others. */
export const canceledAt = sql`(select max(at) from order_event where order_event.order_id = sales_order.id and to_state = 'canceled')`

export function sorted(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

export function add(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
