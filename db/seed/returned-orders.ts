/** Fully returned sample orders with their return, refund, and ledger entries, as staff would have created them. */
import type { PoolClient } from 'pg'
import { entriesOfRefundedLines } from '#domain/payments/ledger/ledger.server.ts'
import { officeLimitDefaults } from '#domain/kernel/settings/settings.ts'
import { RETURN_HANDLING_FEE_CENTS, RETURN_WINDOW_DAYS } from '#platform/business-constants.ts'
import { storeDay } from '#platform/store-zone.ts'
import { insertRows, type Row } from '#db/insert-rows.ts'
import { addTransfer } from './ledger-rows.ts'
import type { OrderRows } from './order-rows.ts'
import { randomStream, uuid } from './random.ts'
import type { Story } from './sample-orders.ts'

/** Who receives, inspects and refunds returns. */
export const returnStaff = 'support@example.com'
const approver = 'manager@example.com'

type Times = Record<
  'requested' | 'labeled' | 'shipped' | 'received' | 'accepted' | 'refunded' | 'paid',
  Temporal.Instant
>

/** When each step of the return of tires delivered at `deliveredAt` happened. */
export function returnTimes(deliveredAt: Temporal.Instant): Times {
  const after = (hours: number) => deliveredAt.add({ hours })
  const refunded = after(144)
  return {
    requested: after(22),
    labeled: after(23),
    shipped: after(48),
    received: after(120),
    accepted: after(141),
    refunded,
    paid: refunded.add({ minutes: 2 }),
  }
}

/** Returns are free for wrong items. Customers who changed their mind pay a handling fee. */
function whyOf({ id }: Story) {
  return id % 2 === 0
    ? ({ reason: 'wrong-item', refund: 'wrong-tire', fee: 'our-mistake', feeCents: 0 } as const)
    : ({ reason: 'changed-mind', refund: 'changed-mind', fee: 'due', feeCents: RETURN_HANDLING_FEE_CENTS } as const)
}

/** What the return of an order with these lines gives back, in cents. */
export function refundOfReturn(rows: Pick<OrderRows, 'order_line' | 'sales_order'>, story: Story) {
  const order = rows.sales_order.find(({ id }) => id === story.id)
  const breakdown = order?.breakdown as { tax: { tireFeeRefundable: boolean } } | undefined
  const lines = rows.order_line
    .filter(({ order_id, kind }) => order_id === story.id && kind === 'tire')
    .map((line) => ({
      lineNo: line.line_no,
      units: line.quantity,
      netCents: line.net_cents,
      taxCents: line.tax_cents,
      fetCents: line.fet_cents,
      tireFeeCents: breakdown?.tax.tireFeeRefundable === true ? line.tire_fee_cents : 0,
    }))
  const sum = (part: 'units' | 'netCents' | 'taxCents' | 'fetCents' | 'tireFeeCents') =>
    lines.reduce((cents, line) => cents + line[part], 0)
  const handlingFeeCents = sum('units') * whyOf(story).feeCents
  const parts = {
    netCents: sum('netCents'),
    taxCents: sum('taxCents'),
    fetCents: sum('fetCents'),
    tireFeeCents: sum('tireFeeCents'),
  }
  const linesCents = parts.netCents + parts.taxCents + parts.fetCents + parts.tireFeeCents
  return { lines, parts, linesCents, handlingFeeCents, amountCents: linesCents - handlingFeeCents }
}

/** Adds a fully returned order's refund. A second person approved it if it's above one person's limit. */
export function addReturn(
  rows: OrderRows,
  story: Story,
  { paymentId, deliveredAt }: { paymentId: string; deliveredAt: Temporal.Instant },
): void {
  const random = randomStream(`return ${story.id}`)
  const [refundId, concessionId, partId] = [uuid(random), uuid(random), uuid(random)]
  const { refunded, paid } = returnTimes(deliveredAt)
  const { lines, parts, linesCents, handlingFeeCents, amountCents } = refundOfReturn(rows, story)
  const isOverLimit = amountCents > officeLimitDefaults.refundAloneCents
  const asked = { at: refunded.subtract({ minutes: 40 }), by: returnStaff }
  const decided = { at: refunded, by: isOverLimit ? approver : returnStaff }
  addConcession(rows, {
    id: concessionId,
    reference: refundId,
    orderId: story.id,
    amountCents,
    isOverLimit,
    asked,
    decided,
  })
  rows.order_refund.push({
    id: refundId,
    order_id: story.id,
    submission_key: uuid(random),
    state: 'approved',
    lines_cents: linesCents,
    handling_fee_cents: handlingFeeCents,
    amount_cents: amountCents,
    card_cents: amountCents,
    credit_cents: 0,
    invoice_cents: 0,
    reason: whyOf(story).refund,
    bearer: 'store',
    is_over_limit: isOverLimit,
    created_at: asked.at,
    created_by: asked.by,
    decided_at: decided.at,
    decided_by: decided.by,
    kind: 'refund',
    lowered_cents: 0,
    goodwill_cents: 0,
  })
  for (const { lineNo, units, netCents, taxCents, fetCents, tireFeeCents } of lines)
    rows.order_refund_line.push({
      refund_id: refundId,
      order_id: story.id,
      line_no: lineNo,
      units,
      net_cents: netCents,
      tax_cents: taxCents,
      fet_cents: fetCents,
      tire_fee_cents: tireFeeCents,
    })
  rows.charge_refund.push({
    id: partId,
    payment_id: paymentId,
    amount_cents: amountCents,
    key: `order-refund:${refundId}`,
    state: 'done',
    attempt: 1,
    // Absent from the sandbox's records, like its charge, so reconciliation excludes both.
    provider_ref: `re_sample_${story.id}`,
    promised_at: decided.at,
    done_at: paid,
  })
  addTransfer(rows, story, 'lines refunded', decided.at, entriesOfRefundedLines({ ...parts, handlingFeeCents }))
  addTransfer(rows, story, 'given back in part', paid, [
    { account: 'refunds', cents: amountCents },
    { account: 'cash', cents: -amountCents },
  ])
  rows.payment_event.push({
    payment_id: paymentId,
    at: paid,
    from_state: 'captured',
    to_state: 'captured',
    actor: 'store',
    note: 'given back in part',
  })
}

type Step = { at: Temporal.Instant; by: string }

function addConcession(
  rows: OrderRows,
  given: {
    id: string
    reference: string
    orderId: number
    amountCents: number
    isOverLimit: boolean
    asked: Step
    decided: Step
  },
): void {
  rows.concession.push({
    id: given.id,
    kind: 'refund',
    reference: given.reference,
    state: 'given',
    order_id: given.orderId,
    shop_id: null,
    amount_cents: given.amountCents,
    is_over_limit: given.isOverLimit,
    requested_by: given.asked.by,
    requested_at: given.asked.at,
    decided_by: given.decided.by,
    decided_at: given.decided.at,
  })
}

/** Lower than the IDs of the demo's open returns. */
const firstReturnId = 901

/** Writes the returns of the refunded orders; tires take the same steps as in the store, which the database insists on. */
export async function loadFinishedReturns(
  client: PoolClient,
  rows: OrderRows,
  stories: readonly Story[],
): Promise<void> {
  for (const [index, story] of stories.filter(({ ending }) => ending === 'returned').entries()) {
    const refund = rows.order_refund.find(({ order_id }) => order_id === story.id)
    const delivered = rows.shipment.find(({ order_id }) => order_id === story.id)?.delivered_at
    if (!refund || !(delivered instanceof Temporal.Instant)) throw new Error(`Order ${story.id} did not come back.`)
    await loadReturn(client, { id: firstReturnId + index, story, refund, times: returnTimes(delivered), delivered })
  }
}

/** The warehouse that shipped a returned tire, in SQL. */
export const returnWarehouse =
  '(select warehouse_id from shipment where shipment.order_id = return_tire.order_id order by shipment.id limit 1)'

async function loadReturn(
  client: PoolClient,
  found: { id: number; story: Story; refund: Row<'order_refund'>; times: Times; delivered: Temporal.Instant },
): Promise<void> {
  const { id, story, refund, times, delivered } = found
  const { reason, fee } = whyOf(story)
  await insertRows(client, 'order_return', [
    {
      id,
      order_id: story.id,
      seq: 1,
      reason,
      wants: 'refund',
      was_said_to_fit: true,
      requested_by: 'shopper',
      requested_at: times.requested,
      ship_by_on: storeDay(delivered).add({ days: RETURN_WINDOW_DAYS }).toString(),
    },
  ])
  await client.query(
    `insert into return_tire (return_id, tire_no, order_id, line_no, unit, ships_back)
     select $1, unit, line.order_id, line.line_no, unit, true
     from order_line line, generate_series(1, line.quantity) as unit where line.order_id = $2 and line.kind = 'tire'`,
    [id, story.id],
  )
  await insertRows(client, 'return_refund', [
    {
      return_id: id,
      no: 1,
      at: times.refunded,
      by: returnStaff,
      goods_cents: refund.lines_cents,
      fee_cents: refund.handling_fee_cents ?? 0,
      fee_reason: fee,
      refund_cents: refund.amount_cents,
      way: 'card',
    },
  ])
  const steps: readonly [
    from: keyof Times | null,
    to: keyof Times,
    actor: string,
    set: string,
    ...values: unknown[],
  ][] = [
    [null, 'requested', 'shopper', ''],
    [
      'requested',
      'labeled',
      'store',
      `, carrier = 'Sidewall Freight', tracking_number = 'SWRETURN' || $1::text || tire_no, warehouse_id = ${returnWarehouse}`,
    ],
    ['labeled', 'shipped', 'carrier', ''],
    ['shipped', 'received', returnStaff, ', received_at = $3::timestamptz', times.received.toString()],
    [
      'received',
      'accepted',
      returnStaff,
      ", outcome = 'restock', inspected_at = $3::timestamptz",
      times.accepted.toString(),
    ],
    [
      'accepted',
      'refunded',
      returnStaff,
      ', refund_no = 1, order_refund_id = $3::uuid, order_refund_fee = $4',
      refund.id,
      fee,
    ],
  ]
  for (const [from, to, actor, set, ...values] of steps) {
    if (from !== null)
      await client.query(`update return_tire set state = $2${set} where return_id = $1`, [id, to, ...values])
    await client.query(
      `insert into return_event (return_id, tire_no, at, from_state, to_state, actor)
       select return_id, tire_no, $2::timestamptz, $3, $4, $5 from return_tire where return_id = $1 order by tire_no`,
      [id, times[to].toString(), from, to, actor],
    )
  }
}
