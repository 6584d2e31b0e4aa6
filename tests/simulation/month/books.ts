/** The month's accounts. Each amount must match in every place and is computed independently. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { isSuperseded } from '#platform/jobs.ts'
import { firstPlacedOrder } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import { byOutage } from './life.ts'
import type { Lived } from './days.ts'
import { unitsOf, type Place } from './place.ts'

/** All `figures` must be equal. `isFree` rows are informational. */
export type Row = {
  book: string
  what: string
  unit: 'cents' | 'pieces'
  figures: Record<string, number>
  isFree?: boolean
}

/** How far the figures of a row are apart. */
export function differenceOf({ figures, isFree }: Row): number {
  const all = Object.values(figures)
  return isFree ? 0 : Math.max(...all) - Math.min(...all)
}

/** Every row of the books, with the invariants of `npm run verify`. */
export async function closeBooks(lived: Lived): Promise<Row[]> {
  return [...(await countBooks(lived)), ...(await invariantsOf(lived.life.place))]
}

/**
 * Returns the month's rows. With `only`, returns one account, because reading all email and movements takes minutes.
 */
export async function countBooks({ life, left }: Lived, only?: string): Promise<Row[]> {
  const { place } = life
  const { db } = place.database
  const books: Record<string, () => Promise<Row[]>> = {
    Cash: async () => [...(await cashOf(db)), await renewalsOf(place)],
    'Statements of shops': () => statementsOf(place),
    Reconciliation: () => daysOf(db),
    Orders: async () => [
      ...(await ordersOf(db, life.placed.length)),
      must('Orders', 'acts refused while nothing was down', refusedOf(life)),
    ],
    Bays: () => baysOf(db),
    Stock: async () => [await stockOf(place)],
    Mails: () => mailsOf(place),
    Timers: () => timersOf(db, left.length),
  }
  const rows: Row[] = []
  for (const [book, count] of Object.entries(books))
    if (only === undefined || book === only) rows.push(...(await count()))
  return rows
}

const refusedOf = ({ refusals }: Lived['life']) =>
  [...refusals].reduce((sum, [words, times]) => sum + (words === byOutage ? 0 : times), 0)

const must = (book: string, what: string, figure: number): Row => ({
  book,
  what,
  unit: 'pieces',
  figures: { found: figure, allowed: 0 },
})

/** What each provider moved, or companies paid, what the ledger has as cash, and what orders come to. */
async function cashOf(db: Database): Promise<Row[]> {
  const { rows } = await sql<{ provider: string; moved: string; cash: string; orders: string }>`
    with paid as (select distinct order_id, provider from payment where order_id is not null and provider_ref not like 'pi\\_sample\\_%')
    select provider,
      (select coalesce(sum(amount_cents) - coalesce(sum(fee_cents) filter (where kind = 'dispute'), 0), 0) from provider_movement movement
        where movement.provider = paid.provider and kind not in ('payout', 'transfer', 'hold')
          and not exists (select from payment where provider_ref = movement.charge_ref and membership_term_id is not null)) as moved,
      sum((select coalesce(sum(amount_cents), 0) from ledger_entry entry where entry.order_id = paid.order_id and account = 'cash')) as cash,
      sum((select sum(captured_cents - refunded_cents) from payment where order_id = paid.order_id)
        - (select coalesce(sum(withdrawn_cents - reinstated_cents + fee_cents), 0) from dispute where dispute.order_id = paid.order_id)) as orders
    from paid group by provider
    union all
    select 'own terms', coalesce(sum(payment.amount_cents), 0), coalesce((select sum(entry.amount_cents) from ledger_entry entry join invoice on invoice.order_id = entry.order_id
      where account = 'cash' and entry.order_id >= ${firstPlacedOrder}), 0),
      coalesce((select sum(paid_cents) from invoice where order_id >= ${firstPlacedOrder}), 0)
    from invoice_payment payment where order_id >= ${firstPlacedOrder}
    order by provider`.execute(db)
  return rows.map(({ provider, moved, cash, orders }) => ({
    book: 'Cash',
    what: provider,
    unit: 'cents',
    figures: { 'moved there': Number(moved), ledger: Number(cash), orders: Number(orders) },
  }))
}

/** Memberships that were renewed within the month. */
async function renewalsOf({ database, start }: Place): Promise<Row> {
  const { rows } = await sql<{ moved: string; cash: string; terms: string }>`
    with paid as (select id, provider_ref, captured_cents - refunded_cents as cents, membership_term_id as term from payment
      where membership_term_id is not null and created_at >= ${start.toString()}::timestamptz)
    select (select coalesce(sum(amount_cents), 0) from provider_movement where charge_ref in (select provider_ref from paid)) as moved,
      (select coalesce(sum(amount_cents), 0) from ledger_entry where account = 'cash' and membership_term_id in (select term from paid)) as cash,
      (select coalesce(sum(renewal.amount_cents), 0) from membership_renewal renewal where state = 'renewed') as terms`.execute(
    database.db,
  )
  const { moved, cash, terms } = rows[0] ?? { moved: 0, cash: 0, terms: 0 }
  return {
    book: 'Cash',
    what: 'renewed memberships',
    unit: 'cents',
    figures: { 'moved there': Number(moved), ledger: Number(cash), 'renewals told': Number(terms) },
  }
}

/** Returns the shops' earnings, their sent and pending payouts, and the provider's record of payouts. */
async function statementsOf({ database, sandboxFile }: Place): Promise<Row[]> {
  const { rows } = await sql<{ earned: string; sent: string; waiting: string }>`
    select
      (select coalesce(sum(amount_cents), 0) from job_pay)
        + (select coalesce(sum(amount_cents), 0) from pay_adjustment where state = 'approved')
        + (select coalesce(sum(amount_cents), 0) from pay_reversal) as earned,
      (select coalesce(sum(amount_cents), 0) from pay_transfer where state = 'sent') as sent,
      (select coalesce(sum(amount_cents), 0) from job_pay where not exists (select from pay_transfer_item where job_pay_id = job_pay.id))
        + (select coalesce(sum(amount_cents), 0) from pay_adjustment where state = 'approved' and not exists (select from pay_transfer_item where adjustment_id = pay_adjustment.id)) as waiting`.execute(
    database.db,
  )
  const { earned, sent, waiting } = rows[0] ?? { earned: 0, sent: 0, waiting: 0 }
  using sandbox = new DatabaseSync(sandboxFile, { readOnly: true })
  const transfers = [...sandbox.prepare("select body from document where kind = 'transfer'").iterate()].map(
    ({ body }) => JSON.parse(String(body)) as { amount: number; amount_reversed: number },
  )
  const there = transfers.reduce((sum, { amount, amount_reversed: back }) => sum + amount - back, 0)
  return [
    {
      book: 'Statements of shops',
      what: 'earned, and sent or waiting for bank details',
      unit: 'cents',
      figures: { earned: Number(earned), 'sent and waiting': Number(sent) + Number(waiting) },
    },
    {
      book: 'Statements of shops',
      what: 'sent to their banks',
      unit: 'cents',
      figures: { statements: Number(sent), 'at the provider': there },
    },
  ]
}

async function daysOf(db: Database): Promise<Row[]> {
  const { rows } = await sql<{ provider: string; days: number; open: number; differences: number }>`
    select provider, count(*)::int as days, count(*) filter (where state <> 'balanced')::int as open,
      (select count(*)::int from reconciled_difference difference where difference.provider = day.provider) as differences
    from reconciled_day day group by provider order by provider`.execute(db)
  return rows.flatMap(({ provider, days, open, differences }): Row[] => [
    {
      book: 'Reconciliation',
      what: `days of ${provider}`,
      unit: 'pieces',
      figures: { all: days, balanced: days - open },
    },
    must('Reconciliation', `differences at ${provider}`, differences),
  ])
}

async function ordersOf(db: Database, told: number): Promise<Row[]> {
  const { rows } = await sql<{ orders: number; unpaid: number }>`
    select count(*)::int as orders, count(*) filter (where state in ('confirmed', 'delivered') and released_at is not null
      and not exists (select from payment where order_id = sales_order.id and (captured_cents > 0))
      and not exists (select from invoice where order_id = sales_order.id))::int as unpaid
    from sales_order where id >= ${firstPlacedOrder}`.execute(db)
  return [
    {
      book: 'Orders',
      what: 'placed',
      unit: 'pieces',
      figures: { 'buyers were told of': told, 'in the store': rows[0]?.orders ?? 0 },
    },
    must('Orders', 'released and not paid', rows[0]?.unpaid ?? 0),
  ]
}

async function baysOf(db: Database): Promise<Row[]> {
  const { rows } = await sql<{ bookings: number; twice: number; expired: number }>`
    select (select count(*)::int from booking) as bookings,
      (select count(*)::int from booking one join booking other on other.bay_id = one.bay_id and other.shop_id = one.shop_id and other.id > one.id and other.during && one.during
        where one.state in ('held', 'confirmed') and other.state in ('held', 'confirmed')) as twice,
      (select count(*)::int from booking where state = 'held' and hold_expires_at < now() - interval '1 hour') as expired`.execute(
    db,
  )
  return [
    must('Bays', 'taken twice', rows[0]?.twice ?? 0),
    must('Bays', 'held for longer than promised', rows[0]?.expired ?? 0),
  ]
}

/** Returns the initial stock plus adjustments minus live orders. */
async function stockOf({ database, items, unitsAtStart }: Place): Promise<Row> {
  const { rows } = await sql<{ counted: string; sold: string }>`
    select
      (select coalesce(sum(change_units), 0) from stock_adjustment where item_id = any(${items}::int[])) as counted,
      (select coalesce(sum(allocation.quantity), 0) from stock_allocation allocation
        join order_line line using (order_id, line_no) join sales_order on sales_order.id = order_id join warehouse on warehouse.id = allocation.warehouse_id
        where line.item_id = any(${items}::int[]) and order_id >= ${firstPlacedOrder} and sales_order.state <> 'canceled' and supplier_id is null) as sold`.execute(
    database.db,
  )
  const { counted, sold } = rows[0] ?? { counted: 0, sold: 0 }
  return {
    book: 'Stock',
    what: 'at the start and received, less sold, and put back',
    unit: 'pieces',
    figures: {
      'should be free': unitsAtStart + Number(counted) - Number(sold),
      'is free': await unitsOf(database, items),
    },
  }
}

/** The message id of a mail, as the store derives it (adapters/mail/smtp.ts). */
const mailIdOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32)

/** Checks that every sent email has arrived. A second copy means that a crash interrupted the record. */
async function mailsOf({ database, sandboxFile, start }: Place): Promise<Row[]> {
  const every = await database.db.selectFrom('message').select(['id', 'state', 'created_at as at']).execute()
  // The demo's own emails are samples that weren't sent.
  const messages = every.filter(({ at }) => Temporal.Instant.compare(at, start) >= 0)
  const copies = new Map<string, number>()
  using sandbox = new DatabaseSync(sandboxFile, { readOnly: true })
  for (const { body } of sandbox.prepare("select body from document where kind = 'mail'").iterate()) {
    const { source } = JSON.parse(String(body)) as { source: string }
    const id = /^message-id:\s*<([0-9a-f]{32})@/im.exec(Buffer.from(source, 'base64').toString('latin1'))?.[1]
    if (id !== undefined) copies.set(id, (copies.get(id) ?? 0) + 1)
  }
  const sent = messages.filter(({ state }) => state === 'sent').map(({ id }) => mailIdOf(id))
  const known = new Set(every.map(({ id }) => mailIdOf(id)))
  const unknown = [...copies.keys()].filter((id) => !known.has(id)).length
  return [
    {
      book: 'Mails',
      what: 'of this month',
      unit: 'pieces',
      figures: { 'said to be sent': sent.length, arrived: sent.filter((id) => copies.has(id)).length },
    },
    must('Mails', 'arrived, and not of the store', unknown),
    must('Mails', 'still waiting to be sent', messages.filter(({ state }) => state === 'queued').length),
    {
      book: 'Mails',
      what: 'second copies, after a crash',
      unit: 'pieces',
      figures: { copies: [...copies.values()].reduce((sum, each) => sum + each - 1, 0) },
      isFree: true,
    },
  ]
}

async function timersOf(db: Database, left: number): Promise<Row[]> {
  const { rows } = await sql<{ failed: number; unreleased: number; expired: number; unsent: number; told: number }>`
    select (select count(*)::int from graphile_worker.jobs where attempts >= max_attempts and not ${isSuperseded}) as failed,
      (select count(*)::int from sales_order where id >= ${firstPlacedOrder} and state = 'confirmed' and released_at is null and cancel_until < now() - interval '1 day') as unreleased,
      (select count(*)::int from membership_renewal where state = 'told' and charge_at < now() - interval '8 days') as told,
      (select count(*)::int from payment where state = 'authorized' and order_id >= ${firstPlacedOrder} and capture_before < now()) as expired,
      (select count(*)::int from delay_notice where answer is null and answer_due_on < (now() - interval '2 days')::date and order_id >= ${firstPlacedOrder}) as unsent`.execute(
    db,
  )
  const [found] = rows
  return [
    must('Timers', 'jobs that were due and are not done', left),
    must('Timers', 'jobs that were given up', found?.failed ?? 0),
    must('Timers', 'orders not released a day after their window', found?.unreleased ?? 0),
    must('Timers', 'charges whose authorization ran out', found?.expired ?? 0),
    must('Timers', 'renewals neither made nor given up, a week after the last try', found?.told ?? 0),
    must('Timers', 'delays without an answer, two days after it was due', found?.unsent ?? 0),
  ]
}

async function invariantsOf({ database, clock }: Place): Promise<Row[]> {
  const broken = await verify(database.db, clock.now())
  return [
    must('Invariants of npm run verify', 'broken', broken.filter(({ severity }) => severity === 'error').length),
    ...broken.map((one) => must('Invariants of npm run verify', `${one.name}: ${one.examples.join(', ')}`, one.broken)),
  ]
}
