/** Payments of sample orders and their ledger entries. */
import { dueDay } from '#domain/payments/invoices/invoices.ts'
import { entriesOfReceipt, entriesOfSale, reversed, type Entry } from '#domain/payments/ledger/ledger.server.ts'
import { type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { REFERRER_REWARD_CENTS, RETURN_WINDOW_DAYS } from '#platform/business-constants.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { ReferredBy } from './demo-pasts.ts'
import { addTransfer } from './ledger-rows.ts'
import type { OrderRows } from './order-rows.ts'
import { randomStream, uuid } from './random.ts'
import { refundOfReturn } from './returned-orders.ts'
import type { Story } from './sample-orders.ts'

/**
 * The charge or the invoice, and the double entries; canceled orders were never charged, returned ones are refunded (`returned-orders.ts`),
 * incomplete ones are not charged yet.
 */
export function addMoney(
  rows: OrderRows,
  story: Story,
  parts: ChargeIds & Turns & { breakdown: PriceBreakdown; now: Temporal.Instant },
): void {
  const { buyer, placedAt } = story
  const { totals } = parts.breakdown
  const sale = entriesOfSale(totals)
  addTransfer(rows, story, 'order placed', placedAt, sale)
  if (buyer?.company && buyer.invoice) {
    const { netDays } = buyer.company
    addInvoice(rows, story, { totalCents: totals.totalCents, netDays, state: buyer.invoice }, parts.now)
  } else {
    addCharge(rows, story, parts, totals.totalCents)
    addChargeTransfers(rows, story, parts, sale, totals.totalCents)
  }
}

type ChargeIds = { paymentId: string; cartId: string }

/** When an order is canceled by the shopper, if at all. */
type Turns = { canceledAt: Temporal.Instant }

/** A paid invoice was paid two days before it was due, or yesterday if that is in the future. */
function addInvoice(
  rows: OrderRows,
  story: Story,
  { totalCents, netDays, state }: { totalCents: number; netDays: number; state: 'open' | 'paid' },
  now: Temporal.Instant,
): void {
  const { id, placedAt } = story
  const issuedOn = storeDay(placedAt)
  const paidAt =
    state === 'paid' ? earlier(placedAt.add({ hours: 24 * (netDays - 2) }), now.subtract({ hours: 20 })) : null
  rows.invoice.push({
    order_id: id,
    amount_cents: totalCents,
    net_days: netDays,
    issued_on: issuedOn.toString(),
    due_on: dueDay(issuedOn, netDays).toString(),
    state,
    paid_cents: paidAt ? totalCents : 0,
    settled_at: paidAt,
    settled_by: paidAt && 'Finance',
    reference: paidAt && `ACH ${id}`,
  })
  if (!paidAt) return
  rows.invoice_payment.push({
    order_id: id,
    amount_cents: totalCents,
    reference: `ACH ${id}`,
    recorded_by: 'Finance',
    recorded_at: paidAt,
  })
  addTransfer(rows, story, 'invoice paid', paidAt, entriesOfReceipt(totalCents))
}

/** An authorization is captured once the order can no longer be canceled. */
const capturedAt = ({ placedAt }: Story): Temporal.Instant => placedAt.add({ minutes: 30 })

function chargeState({ ending }: Story): 'voided' | 'authorized' | 'captured' {
  return ending === 'canceled' ? 'voided' : ending === 'unconfirmed' ? 'authorized' : 'captured'
}

function addCharge(
  rows: OrderRows,
  story: Story,
  { paymentId, cartId, canceledAt }: ChargeIds & Turns,
  totalCents: number,
): void {
  const { id, ending, placedAt } = story
  const state = chargeState(story)
  const authorizedAt = placedAt.subtract({ minutes: 2 })
  const backCents = ending === 'returned' ? refundOfReturn(rows, story).amountCents : 0
  const lastAt = { captured: capturedAt(story), voided: canceledAt, authorized: placedAt }[state]
  rows.payment.push({
    id: paymentId,
    cart_id: cartId,
    order_id: id,
    provider: 'stripe',
    // The sandbox creates the charge from this reference: `sandbox/payments/sample-charges.ts`.
    provider_ref: `pi_sample_${ending === 'returned' ? `refunded_${totalCents}_${backCents}back` : `${state}_${totalCents}`}_${id}`,
    flow: 'fields',
    amount_cents: totalCents,
    captured_cents: state === 'captured' ? totalCents : 0,
    refunded_cents: backCents,
    state,
    created_at: authorizedAt,
    updated_at: lastAt,
  })
  rows.payment_event.push({
    payment_id: paymentId,
    at: authorizedAt,
    from_state: null,
    to_state: 'authorized',
    actor: 'shopper',
    note: null,
  })
  if (state !== 'authorized')
    rows.payment_event.push({
      payment_id: paymentId,
      at: lastAt,
      from_state: 'authorized',
      to_state: state,
      actor: 'store',
      note: null,
    })
}

function addChargeTransfers(
  rows: OrderRows,
  story: Story,
  { canceledAt }: Turns,
  sale: readonly Entry[],
  totalCents: number,
): void {
  const state = chargeState(story)
  if (state === 'voided') addTransfer(rows, story, 'order canceled', canceledAt, reversed(sale))
  if (state === 'captured')
    addTransfer(rows, story, 'charge captured', capturedAt(story), [
      { account: 'cash', cents: totalCents },
      { account: 'receivable', cents: -totalCents },
    ])
}

/** The referrer has the reward by now, since the tires were kept. */
export function addReferral(
  rows: OrderRows,
  { id, placedAt }: Story,
  { referrerId, ratePpm, keptFrom }: ReferredBy & { keptFrom: Temporal.Instant },
  friendId: string,
): void {
  const settledAt = keptFrom.add({ hours: 24 * RETURN_WINDOW_DAYS + 3 })
  rows.referral.push({
    order_id: id,
    referrer_id: referrerId,
    friend_id: friendId,
    rate_ppm: ratePpm,
    state: 'earned',
    placed_at: placedAt,
    settled_at: settledAt,
  })
  const reward = {
    transfer_id: uuid(randomStream(`reward ${id}`)),
    order_id: id,
    reason: 'referral reward',
    at: settledAt,
  }
  rows.ledger_entry.push(
    { ...reward, account: 'referral-rewards', amount_cents: REFERRER_REWARD_CENTS, owner_id: null },
    { ...reward, account: 'store-credit', amount_cents: -REFERRER_REWARD_CENTS, owner_id: referrerId },
  )
}

function earlier(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? one : other
}
