/** The amount paid for each order line. */
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
    ])
    .where('order_id', '=', orderId)
    .orderBy('line_no')
    .execute()
}
