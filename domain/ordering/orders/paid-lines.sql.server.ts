/** The amount paid for each order line. */
import { sql } from 'kysely'
import { lineSources, type LineSource } from '#domain/supply/stock/stock.server.ts'
import type { Database } from '#platform/db.ts'

export type PaidLine = {
  lineNo: number
  kind: string
  itemId: number | null
  description: string
  quantity: number
  unitCents: number
  grossCents: number
  discountCents: number
  netCents: number
  taxCents: number
  fetCents: number
  tireFeeCents: number
  /** The landed cost of a unit to the store; null if unknown, and for services. */
  unitCostCents: number | null
  /** The freight in it. */
  unitFreightCents: number
  /** Its units from suppliers, also of canceled purchase orders. */
  sources: LineSource[]
}

/** Selects an order's lines with the amount paid for each, in line order. */
export function selectPaidLines(db: Database, orderId: number): Promise<PaidLine[]> {
  return db
    .selectFrom('order_line')
    .select([
      'line_no as lineNo',
      'kind',
      'item_id as itemId',
      'description',
      'quantity',
      'unit_cents as unitCents',
      'gross_cents as grossCents',
      'discount_cents as discountCents',
      'net_cents as netCents',
      'tax_cents as taxCents',
      'fet_cents as fetCents',
      'tire_fee_cents as tireFeeCents',
      'unit_cost_cents as unitCostCents',
      'unit_freight_cents as unitFreightCents',
      lineSources(sql.ref('order_line.order_id'), sql.ref('order_line.line_no')).as('sources'),
    ])
    .where('order_id', '=', orderId)
    .orderBy('line_no')
    .execute()
}
