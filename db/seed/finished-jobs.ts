/**
 * The shops' records of past appointments and their pay, as the portal and the payout job would have written them. Each
 * job is paid within the promised time.
 */
import type { PoolClient } from 'pg'
import { jobOf } from '#domain/scheduling/installers/installers.ts'
import { rateFor, type PayRate } from '#domain/installer-portal/payouts/payouts.ts'
import { payTermDefaults } from '#domain/kernel/settings/settings.ts'
import { slotsOf } from '#domain/installer-portal/work-orders/work-orders.ts'
import { insertRows, type Row } from '#db/insert-rows.ts'
import type { OrderRows } from './order-rows.ts'
import { randomStream, uuid } from './random.ts'
import { endedAt, type Story } from './sample-orders.ts'
import type { Line } from './lines.ts'
import type { Shop } from './shops.ts'

type JobTables =
  | 'work_order'
  | 'work_order_piece'
  | 'work_order_tire'
  | 'work_order_event'
  | 'tire_registration'
  | 'job_pay'
  | 'job_pay_line'
  | 'payout_account'
  | 'pay_transfer'
  | 'pay_transfer_item'
  | 'bank_payout'
export type JobRows = { [Table in JobTables]: Row<Table>[] }

/** The interval in minutes at which timetable.ts runs `send-due-payouts`. */
const payoutMinutes = 5
/** A sample signature that could be any name, as one stroke of points. */
const signature = '30,62 44,34 50,66 62,44 70,62 82,48 90,60 104,50 114,58 130,50 146,56 168,48'

type Market = {
  rates: readonly PayRate[]
  lines: readonly Line[]
  /** The technician of each shop that has one. */
  technicians: ReadonlyMap<number, string>
  now: Temporal.Instant
}

/** An appointment that is over, with its order's row. */
type Over = { story: Story; shop: Shop; bookingId: string; order: Row<'sales_order'>; lineNo: number; nth: number }

/** Returns the rows of every finished and missed appointment among the sample orders. */
export function rowsOfJobs(stories: readonly Story[], orders: OrderRows, market: Market): JobRows {
  const rows: JobRows = {
    work_order: [],
    work_order_piece: [],
    work_order_tire: [],
    work_order_event: [],
    tire_registration: [],
    job_pay: [],
    job_pay_line: [],
    payout_account: [],
    pay_transfer: [],
    pay_transfer_item: [],
    bank_payout: [],
  }
  const orderOf = new Map(orders.sales_order.map((order) => [order.id, order]))
  const bookingOf = new Map(orders.booking.map((booking) => [booking.order_id, booking]))
  const tireLineOf = new Map(
    orders.order_line.filter(({ kind }) => kind === 'tire').map((line) => [line.order_id, line.line_no]),
  )
  for (const [nth, story] of stories.entries()) {
    const [order, booking, lineNo] = [orderOf.get(story.id), bookingOf.get(story.id), tireLineOf.get(story.id)]
    if (!story.shop || !story.slot || !order || !booking || lineNo === undefined) continue
    const over = { story, shop: story.shop, bookingId: booking.id, order, lineNo, nth }
    if (booking.state === 'done') addFinishedJob(rows, over, market)
    if (booking.state === 'no-show') addMissedJob(rows, over, market)
  }
  addPayouts(rows, stories, market.now)
  return rows
}

const pieces = 4

function addFinishedJob(rows: JobRows, over: Over, market: Market): void {
  const { story, bookingId, order, lineNo, nth } = over
  const { start, end } = instants(story)
  const line = market.lines.find(({ id }) => id === story.item.product_line_id)
  if (!line) throw new Error(`The tires of sample order ${story.id} have no line.`)
  const name = `${order.first_name} ${order.last_name}`
  addWorkOrder(rows, over, {
    state: 'done',
    at: end,
    odometer_miles: 21_836 + ((nth * 2_417) % 70_000),
    signed_name: name,
    signed_at: end,
    signed_strokes: signature,
  })
  const counted = start.subtract({ minutes: 25 })
  rows.work_order_piece.push({ booking_id: bookingId, line_no: lineNo, received: pieces, counted_at: counted })
  const note = (received: number) => `${received} of ${pieces} ${story.itemName}`
  for (let received = 1; received <= pieces; received++)
    addEvent(rows, over, market, { what: 'pieces', note: note(received), at: counted })
  addEvent(rows, over, market, { what: 'moved', to: 'arrived', at: start })
  addEvent(rows, over, market, { what: 'moved', to: 'in-bay', at: start.add({ minutes: 6 }) })
  addEvent(rows, over, market, { what: 'moved', to: 'done', at: end })
  for (const { nth: tire, position } of slotsOf([{ lineNo, axle: 'all', quantity: pieces }])) {
    const tin = tinOf(end, nth)
    rows.work_order_tire.push({
      booking_id: bookingId,
      line_no: lineNo,
      nth: tire,
      position,
      tin,
      old_tread_32: 2 + ((tire + nth) % 3),
    })
    rows.tire_registration.push({
      booking_id: bookingId,
      line_no: lineNo,
      nth: tire,
      position,
      order_id: story.id,
      shop_id: over.shop.id,
      tin,
      brand: line.brand.name,
      line: line.name,
      size: story.size.designation,
      buyer_name: name,
      street: order.address1,
      city: order.city,
      us_state: order.state_code,
      zip: order.zip,
      installed_at: end,
    })
  }
  addPay(rows, over, market, 'finished')
}

function addMissedJob(rows: JobRows, over: Over, market: Market): void {
  const at = endedAt(over.story.slot!)
  addWorkOrder(rows, over, { state: 'no-show', at })
  addEvent(rows, over, market, { what: 'moved', to: 'no-show', at })
  addPay(rows, over, market, 'no-show')
}

function addWorkOrder(
  rows: JobRows,
  { story, shop, bookingId }: Over,
  { at, ...facts }: { state: string; at: Temporal.Instant } & Partial<Row<'work_order'>>,
): void {
  rows.work_order.push({
    booking_id: bookingId,
    shop_id: shop.id,
    order_id: story.id,
    odometer_miles: null,
    signed_name: null,
    signed_at: null,
    signed_strokes: null,
    state_at: at,
    saved_at: at,
    ...facts,
  })
}

function addEvent(
  rows: JobRows,
  { bookingId, shop }: Over,
  { technicians }: Market,
  {
    what,
    to = null,
    note = null,
    at,
  }: { what: string; to?: string | null; note?: string | null; at: Temporal.Instant },
): void {
  const member_id = technicians.get(shop.id) ?? null
  rows.work_order_event.push({ booking_id: bookingId, at, what, to_state: to, member_id, note })
}

/** The number of tires made in the half year before. */
function tinOf(at: Temporal.Instant, nth: number): string {
  const made = at
    .toZonedDateTimeISO('UTC')
    .toPlainDate()
    .subtract({ days: 60 + ((7 * nth) % 120) })
  const two = (count: number) => String(count).padStart(2, '0')
  return `7B3KXYZ92${two(made.weekOfYear ?? 1)}${two((made.yearOfWeek ?? made.year) % 100)}`
}

function addPay(
  rows: JobRows,
  { story, shop, bookingId }: Over,
  { rates }: Market,
  kind: 'finished' | 'no-show',
): void {
  const id = uuid(randomStream(`pay ${story.id}`))
  const at = kind === 'finished' ? instants(story).end : endedAt(story.slot!)
  const day = at.toZonedDateTimeISO(shop.time_zone).toPlainDate()
  const { rim: rimIn, aspect, kind: sizeKind } = story.size
  const job = jobOf({ aspect, runFlat: false, sizeKind })
  const rate = kind === 'finished' ? rateFor(rates, { job, rimIn, state: shop.state, day }) : undefined
  if (kind === 'finished' && !rate) throw new Error(`The pay matrix has no rate for sample order ${story.id}.`)
  rows.job_pay.push({
    id,
    booking_id: bookingId,
    kind,
    shop_id: shop.id,
    order_id: story.id,
    at,
    on_day: day.toString(),
    due_at: at.add({ hours: payTermDefaults.holdHours }),
    dispute_until: at.add({ hours: 24 * payTermDefaults.disputeDays }),
    amount_cents: rate ? pieces * rate.cents : payTermDefaults.noShowCents,
  })
  if (rate)
    rows.job_pay_line.push({
      job_pay_id: id,
      line_no: 1,
      quantity: pieces,
      description: story.itemName,
      job,
      rim_in: rimIn,
      rate_cents: rate.cents,
    })
}

/**
 * Sends each shop with an account its due pay in the next payout run. Shops have accounts. Vans haven't submitted bank
 * details yet, so their pay is pending.
 */
function addPayouts(rows: JobRows, stories: readonly Story[], now: Temporal.Instant): void {
  const shops = new Map(stories.flatMap(({ shop }) => (shop?.kind === 'shop' ? [[shop.id, shop] as const] : [])))
  const payOf = Map.groupBy(rows.job_pay, ({ shop_id }) => shop_id)
  for (const shop of shops.values()) {
    const account = accountOf(shop)
    const opened = now.subtract({ hours: 24 * 60 })
    rows.payout_account.push({
      shop_id: shop.id,
      ref: `acct_sample_${account}`,
      state: 'ready',
      bank_last4: account.slice(0, 4),
      made_at: opened,
      read_at: opened,
      ready_at: opened,
    })
    const runs = Map.groupBy(payOf.get(shop.id) ?? [], ({ due_at }) => runAfter(due_at as Temporal.Instant))
    for (const [milliseconds, due] of runs) {
      const sentAt = Temporal.Instant.fromEpochMilliseconds(milliseconds)
      // The run that sends the newest is still to come.
      if (Temporal.Instant.compare(sentAt, now) < 0) addTransfer(rows, { shop, account, due, sentAt })
    }
  }
}

function addTransfer(
  rows: JobRows,
  { shop, account, due, sentAt }: { shop: Shop; account: string; due: Row<'job_pay'>[]; sentAt: Temporal.Instant },
): void {
  const id = uuid(randomStream(`transfer to ${shop.code} ${sentAt.toString()}`))
  const cents = due.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  rows.pay_transfer.push({
    id,
    shop_id: shop.id,
    account_ref: `acct_sample_${account}`,
    amount_cents: cents,
    state: 'sent',
    // The sandbox finds the account and the transfer by these references in `sandbox/payments/sample-accounts.ts`.
    ref: `tr_sample_${cents}_${account}_${id}`,
    intended_at: sentAt,
    asked_at: sentAt,
    sent_at: sentAt.add({ seconds: 1 }),
  })
  for (const pay of due)
    rows.pay_transfer_item.push({
      transfer_id: id,
      shop_id: shop.id,
      job_pay_id: pay.id,
      amount_cents: pay.amount_cents,
    })
  rows.bank_payout.push({
    ref: `po_sample_${id}`,
    shop_id: shop.id,
    amount_cents: cents,
    state: 'paid',
    arrives_on: sentAt.add({ hours: 24 }).toZonedDateTimeISO('UTC').toPlainDate().toString(),
    at: sentAt.add({ seconds: 6 }),
  })
}

function accountOf({ id, code }: Shop): string {
  return `${4_000 + ((id * 37) % 6_000)}_${code.toLowerCase().replaceAll('-', '')}`
}

function runAfter(due: Temporal.Instant): number {
  const every = payoutMinutes * 60_000
  return Math.ceil(due.epochMilliseconds / every) * every
}

function instants({ slot }: Story): { start: Temporal.Instant; end: Temporal.Instant } {
  if (!slot) throw new Error('A job has an appointment.')
  return { start: slot.start.toInstant(), end: slot.end.toInstant() }
}

/** Writes the jobs; work orders take the steps that the database insists on. */
export async function loadJobs(client: PoolClient, rows: JobRows): Promise<void> {
  await insertRows(
    client,
    'work_order',
    rows.work_order.map((job) => ({ ...job, state: 'open' })),
  )
  const parts = ['work_order_piece', 'work_order_tire', 'work_order_event', 'tire_registration'] as const
  for (const table of parts) await insertRows(client, table, rows[table])
  const move = (to: string, among: string) =>
    client.query('update work_order set state = $1 where booking_id = any($2::uuid[])', [
      to,
      rows.work_order.flatMap(({ booking_id, state }) => (state === among ? [booking_id] : [])),
    ])
  await move('arrived', 'done')
  await move('done', 'done')
  await move('no-show', 'no-show')
  const pay = ['job_pay', 'job_pay_line', 'payout_account', 'pay_transfer', 'pay_transfer_item', 'bank_payout'] as const
  for (const table of pay) await insertRows(client, table, rows[table])
}

/** Reads the pay matrix rates. */
export async function readPayRates(client: PoolClient): Promise<PayRate[]> {
  const { rows } = await client.query<PayRate>(
    `select id, job, state_code as state, rim_from_in::float as "rimFromIn", rim_to_in::float as "rimToIn", cents,
       lower(valid)::text as "startsOn", upper(valid)::text as "endsOn" from pay_rate`,
  )
  return rows
}
