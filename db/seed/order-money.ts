/** How sample orders are paid for, and what that leaves in the books. */
import { dueDay } from '#domain/invoices/invoices.ts'
import { entriesOfReceipt, entriesOfSale, reversed, type Entry } from '#domain/ledger/ledger.server.ts'
import { type PriceBreakdown } from '#domain/pricing/pricing.ts'
import { REFERRER_REWARD_CENTS } from '#platform/business-constants.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { ReferredBy } from './demo-pasts.ts'
import type { OrderRows } from './order-rows.ts'
import { randomStream, uuid } from './random.ts'
import type { Story } from './sample-orders.ts'

/**
 * The charge or the invoice, and the double entries; canceled orders were never charged, returned ones are paid back,
 * incomplete ones not yet.
 */
export function addMoney(
  rows: OrderRows,
  { id, ending, placedAt, buyer }: Story,
  parts: {
    paymentId: string
    cartId: string
    breakdown: PriceBreakdown
    canceledAt: Temporal.Instant
    goodsBack: Temporal.Instant
    now: Temporal.Instant
  },
): void {
  const { totals } = parts.breakdown
  const total = totals.totalCents
  const transfer = (reason: string, at: Temporal.Instant, entries: readonly Entry[]): void => {
    const transferId = uuid(randomStream(`transfer ${id} ${reason}`))
    for (const entry of entries)
      if (entry.cents !== 0)
        rows.ledger_entry.push({
          transfer_id: transferId,
          order_id: id,
          account: entry.account,
          amount_cents: entry.cents,
          owner_id: 'ownerId' in entry ? entry.ownerId : null,
          reason,
          at,
        })
  }
  const sale = entriesOfSale(totals)
  transfer('order placed', placedAt, sale)
  if (buyer?.company && buyer.invoice) {
    const { netDays } = buyer.company
    const issuedOn = storeDay(placedAt)
    const paidAt =
      buyer.invoice === 'paid'
        ? earlier(placedAt.add({ hours: 24 * (netDays - 2) }), parts.now.subtract({ hours: 20 }))
        : null
    rows.invoice.push({
      order_id: id,
      amount_cents: total,
      net_days: netDays,
      issued_on: issuedOn.toString(),
      due_on: dueDay(issuedOn, netDays).toString(),
      state: buyer.invoice,
      settled_at: paidAt,
      settled_by: paidAt && 'Finance',
      reference: paidAt && `ACH ${id}`,
    })
    if (paidAt) transfer('invoice paid', paidAt, entriesOfReceipt(total))
    return
  }
  const capturedAt = placedAt.add({ minutes: 30 })
  const state = ending === 'canceled' ? 'voided' : ending === 'unconfirmed' ? 'authorized' : 'captured'
  const lastAt = state === 'captured' ? capturedAt : state === 'voided' ? parts.canceledAt : placedAt
  rows.payment.push({
    id: parts.paymentId,
    cart_id: parts.cartId,
    order_id: id,
    provider: 'stripe',
    provider_ref: `pi_sample_${id}`,
    flow: 'fields',
    amount_cents: total,
    captured_cents: state === 'captured' ? total : 0,
    refunded_cents: ending === 'returned' ? total : 0,
    state,
    created_at: placedAt.subtract({ minutes: 2 }),
    updated_at: lastAt,
  })
  const event = (at: Temporal.Instant, from_state: string | null, to_state: string): void =>
    void rows.payment_event.push({
      payment_id: parts.paymentId,
      at,
      from_state,
      to_state,
      actor: from_state === null ? 'shopper' : 'store',
    })
  event(placedAt.subtract({ minutes: 2 }), null, 'authorized')
  if (state !== 'authorized') event(lastAt, 'authorized', state)
  if (state === 'voided') transfer('order canceled', parts.canceledAt, reversed(sale))
  if (state === 'captured')
    transfer('charge captured', capturedAt, [
      { account: 'cash', cents: total },
      { account: 'receivable', cents: -total },
    ])
  if (ending === 'returned')
    transfer('order returned', parts.goodsBack, [
      { account: 'refunds', cents: total },
      { account: 'cash', cents: -total },
    ])
}

/** Who sent the friend has the reward by now: the tires were kept. */
export function addReferral(
  rows: OrderRows,
  { id, placedAt }: Story,
  { referrerId, ratePpm }: ReferredBy,
  friendId: string,
): void {
  const settledAt = placedAt.add({ hours: 24 * 35 })
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
