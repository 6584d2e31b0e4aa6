/** Entries that figures are summed from. Each has its order, time and amounts. */
import { sql, type RawBuilder } from 'kysely'

/** From `from` until before `until`. */
export type Span = { from: Temporal.Instant; until: Temporal.Instant }

const amounts = [
  'orders',
  'units',
  'kept',
  'amount_cents',
  'cost_cents',
  'unknown_cents',
  'taxed_cents',
  'tax_cents',
  'fee_cents',
  'excise_cents',
  'funded_cents',
  'captured_cents',
  'refunded_cents',
] as const

type Amount = (typeof amounts)[number]

/** An entry's dimensions and description. `order` and `purchaseOrder` are null if unrelated to either. */
export type EntryFacts = Record<'kind' | 'label' | 'state' | 'shop' | 'type' | 'at' | 'what', RawBuilder<unknown>> & {
  order?: RawBuilder<unknown>
  purchaseOrder?: RawBuilder<unknown>
}

/** The columns of an entry, for a select; amounts that are not given are zero. */
export function entryColumns(facts: EntryFacts, counted: Partial<Record<Amount, RawBuilder<unknown>>>) {
  const { kind, label, state, shop, type, at, what, order = sql`null`, purchaseOrder = sql`null` } = facts
  return sql`
    ${kind} as kind, ${label} as label, ${state} as state_code, (${shop})::int as shop_id, ${type} as account_type,
    (${at})::timestamptz as at, (${order})::bigint as order_id, (${purchaseOrder})::bigint as purchase_order_id, ${what} as what,
    ${sql.join(amounts.map((amount) => sql`(${counted[amount] ?? sql`0`})::bigint as ${sql.ref(amount)}`))}`
}

const sums = sql.join(amounts.map((amount) => sql`sum(${sql.ref(amount)}) as ${sql.ref(amount)}`))

/** The statement that adds the figures of a day from its entries. */
export function figuresFrom(day: string, entries: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into report_figure (day, kind, label, state_code, shop_id, account_type, ${sql.join(amounts.map((amount) => sql.ref(amount)))})
    select ${day}::date, kind, label, state_code, shop_id, account_type, ${sums}
    from (${entries}) as entry group by kind, label, state_code, shop_id, account_type`
}

/** What the entries of an order at one time and of one kind add together. */
export function mergedEntries(entries: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select kind, label, state_code, shop_id, account_type, at, order_id, purchase_order_id, what, ${sums}
    from (${entries}) as entry group by kind, label, state_code, shop_id, account_type, at, order_id, purchase_order_id, what`
}
