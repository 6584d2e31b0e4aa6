/** The tax that reports must show, by state and by authority, from what each order was charged. */
import { sql } from 'kysely'
import { add, canceledAt, sorted, within, zone, type Days, type Row, type Store } from './cells.ts'

type OrderTax = Record<'orders' | 'sales' | 'taxed' | 'tax' | 'fee' | 'excise' | 'taxBefore', number> & {
  taxOf: { stateCode: string; parts?: Part[] }
}

/** Refunds on these days use their line's first units, so units are counted from zero. */
async function orderTaxes({ db }: Store, days: Days): Promise<OrderTax[]> {
  const { rows } = await sql<OrderTax>`
    with moved as (
      select id, 1 as orders, (breakdown -> 'totals' ->> 'taxBaseCents')::int as taxed from sales_order where ${within(sql`placed_at`, days)}
      union all select id, -1, -(breakdown -> 'totals' ->> 'taxBaseCents')::int from sales_order where ${within(canceledAt, days)}
      union all
      select given.order_id, 0, -floor((breakdown -> 'lines' -> (given.line_no - 1) ->> 'taxableCents')::numeric * sum(units) / max(quantity))::int
      from order_refund_line given join order_refund refund on refund.id = given.refund_id join order_line line on line.order_id = given.order_id and line.line_no = given.line_no join sales_order on sales_order.id = given.order_id
      where refund.state = 'approved' and ${within(sql`refund.decided_at`, days)} group by given.order_id, given.line_no, breakdown),
    entry as (
      select order_id, sum(amount_cents) filter (where account = 'sales') as sales, sum(amount_cents) filter (where account = 'sales-tax') as tax,
        sum(amount_cents) filter (where account = 'tire-fee') as fee, sum(amount_cents) filter (where account = 'excise-tax') as excise
      from ledger_entry where ${within(sql`at`, days)} and account in ('sales', 'sales-tax', 'tire-fee', 'excise-tax') group by order_id),
    one as (
      select coalesce(moved.id, entry.order_id) as order_id, sum(orders) as orders, sum(taxed) as taxed, -max(coalesce(sales, 0)) as sales, -max(coalesce(tax, 0)) as tax, -max(coalesce(fee, 0)) as fee, -max(coalesce(excise, 0)) as excise
      from moved full join entry on entry.order_id = moved.id group by 1)
    select breakdown -> 'tax' as "taxOf", orders::int as orders, sales::int as sales, taxed::int as taxed, tax::int as tax, fee::int as fee, excise::int as excise,
      (select coalesce(-sum(amount_cents), 0) from ledger_entry where ledger_entry.order_id = one.order_id and account = 'sales-tax' and (at at time zone ${zone})::date < ${days.from}::date)::int as "taxBefore"
    from one join sales_order on sales_order.id = one.order_id`.execute(db)
  return rows
}

/** Returns the orders' amounts by taxing state. */
export async function taxCells(store: Store, days: Days): Promise<Row[]> {
  const states = Map.groupBy(await orderTaxes(store, days), ({ taxOf }) => taxOf.stateCode)
  return sorted(
    [...states].map(([state, of]) => {
      const [orders, gross, taxed] = [sum(of, 'orders'), grossOf(of), sum(of, 'taxed')]
      return [state, orders, gross, gross - taxed, taxed, sum(of, 'tax'), sum(of, 'fee'), sum(of, 'excise')]
    }),
  )
}

const levels = { state: 'State', county: 'County', city: 'City', special: 'District' } as const
type Part = { level: keyof typeof levels; name: string; cents: number }

/** Returns the orders' amounts by tax authority (the charge at the end of the period minus the charge before it). */
export async function authorityCells(store: Store, days: Days): Promise<Row[]> {
  const charged = (await orderTaxes(store, days)).flatMap((order) => {
    const { stateCode: state, parts = [] } = order.taxOf
    const own = parts.some(({ level }) => level === 'state')
      ? parts
      : [{ level: 'state' as const, name: '', cents: 0 }, ...parts]
    const inOrder = own
      .map(({ level, name, cents }) => ({
        level,
        name: level === 'state' ? null : name,
        cents,
        key: `${level} ${name}`,
      }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    const after = cut(order.taxBefore + order.tax, inOrder)
    const before = cut(order.taxBefore, inOrder)
    return inOrder.map(({ level, name, cents }, at) => {
      const isTaxed = cents > 0 || parts.length === 0
      return { state, level, name, order, tax: (after[at] ?? 0) - (before[at] ?? 0), taxed: isTaxed ? order.taxed : 0 }
    })
  })
  const authorities = Map.groupBy(charged, ({ state, level, name }) => `${state} ${level} ${name}`)
  return sorted(
    [...authorities.values()].flatMap((of) => {
      const [first] = of
      if (!first) return []
      const orders = of.map(({ order }) => order)
      const [gross, taxed] = [grossOf(orders), add(of.map(({ taxed }) => taxed))]
      const numbers = [sum(orders, 'orders'), gross, gross - taxed, taxed, add(of.map(({ tax }) => tax))]
      return [
        [first.state, levels[first.level], first.name, ...numbers, first.level === 'state' ? sum(orders, 'fee') : null],
      ]
    }),
  )
}

/** Splits cents in the ratio of the parts, so that each running total is rounded to the nearest cent. */
function cut(cents: number, parts: readonly Pick<Part, 'cents'>[]): number[] {
  const whole = add(parts.map((part) => part.cents))
  const upTo = (at: number) => {
    const share = whole === 0 ? Number(at > 0) : add(parts.slice(0, at).map((part) => part.cents)) / whole
    return Math.sign(cents) * Math.round(Math.abs(cents) * share)
  }
  return parts.map((_, at) => upTo(at + 1) - upTo(at))
}

function grossOf(orders: readonly OrderTax[]): number {
  return sum(orders, 'sales') + sum(orders, 'fee') + sum(orders, 'excise')
}

function sum(orders: readonly OrderTax[], name: keyof Omit<OrderTax, 'taxOf'>): number {
  return add(orders.map((order) => order[name]))
}
