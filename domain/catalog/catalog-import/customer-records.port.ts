/** What imports of customers and past orders need from the customers, which are above the catalog. */
import type { RawBuilder } from 'kysely'
import type { Tx } from '#platform/db.ts'

/** A customer of a file; `consented_at` is when they agreed to marketing emails. */
export type ImportedCustomer = {
  email: string
  name: string | null
  phone: string | null
  street: string | null
  city: string | null
  state_code: string | null
  zip: string | null
  consented_at: Temporal.Instant | null
  note: string | null
}

/** A line item of an imported file. Order fields are read from the order's first row. */
export type ImportedOrderRow = {
  row_no: number
  store: string
  number: string
  placed_at: Temporal.Instant
  email: string | null
  phone: string | null
  customer_name: string | null
  total_cents: number
  status: string
  line_sku: string | null
  line_name: string | null
  line_quantity: number | null
  line_price_cents: number | null
}

export type CustomerRecords = {
  /** Whether there is a customer with an email in any case, as a condition for a query. */
  hasCustomer(email: RawBuilder<unknown>): RawBuilder<boolean>
  /** Adds and completes the customers that `staged` selects, each email once. Existing data wins. */
  mergeCustomers(
    tx: Tx,
    staged: RawBuilder<ImportedCustomer>,
    change: { at: Temporal.Instant; by: string },
  ): Promise<void>
  /** Whether there is a past order with a store and number in any case, as a condition for a query. */
  hasPastOrder(store: RawBuilder<unknown>, number: RawBuilder<unknown>): RawBuilder<boolean>
  /** Adds the staged orders. Replaces orders with the same store and number, ignoring case. */
  mergePastOrders(tx: Tx, staged: RawBuilder<ImportedOrderRow>, at: Temporal.Instant): Promise<void>
}
