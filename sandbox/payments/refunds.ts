import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { move } from './balance.ts'
import { latestCharge } from './charges.ts'
import { getIntent } from './intents.ts'
import { record, unixSeconds, type Cause, type Ledger, type StoredRefund } from './ledger.ts'
import { notFound, refusedParameter, wrongState } from './refusal.ts'

export type NewRefund = {
  intentId: string
  amount: number | undefined
  reason: string | null
  metadata: Record<string, string>
}

const settlesAfterSeconds = 5

/**
 * Refunds `amount` cents of a captured payment, by default all that is left. Refunds never exceed the captured amount
 * in total.
 */
export function createRefund(ledger: Ledger, cause: Cause, input: NewRefund): Stripe.Refund {
  const { intent, card, lenderRefunds } = getIntent(ledger, input.intentId)
  if (intent.status !== 'succeeded') throw wrongState(`A payment that is '${intent.status}' cannot be refunded.`)
  const charge = latestCharge(ledger, intent)
  if (charge.disputed) throw wrongState(`The charge ${charge.id} has been charged back.`, 'charge_disputed')
  const leftCents = charge.amount - charge.amount_refunded
  if (leftCents === 0) throw wrongState('All of this payment has been refunded already.', 'charge_already_refunded')
  const amount = input.amount ?? leftCents
  if (amount < 1 || amount > leftCents) {
    throw refusedParameter('amount', 'amount_too_large', `Between 1 and ${leftCents} cents can be refunded.`)
  }

  const isSlow = card?.behavior.kind === 'refunds-slowly' || lenderRefunds !== undefined
  const isRefused = card?.behavior.kind === 'fails-refunds' || lenderRefunds === 'never'
  const settlesAs = isRefused ? 'failed' : isSlow ? 'succeeded' : null
  const refund: StoredRefund['refund'] = {
    id: newId('re_'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: unixSeconds(ledger.now()),
    currency: 'usd',
    customer: null,
    customer_account: null,
    metadata: input.metadata,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    reason: input.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: isSlow ? 'pending' : 'succeeded',
    transfer_reversal: null,
  }
  refund.balance_transaction = move(ledger, {
    amount: -amount,
    type: 'refund',
    category: 'refund',
    source: refund.id,
    description: `REFUND FOR CHARGE (${charge.id})`,
  }).id
  ledger.refunds.put(refund.id, { refund, settlesAs }, settlesAs && ledger.now().add({ seconds: settlesAfterSeconds }))
  const refundedCharge = countRefunded(ledger, charge, amount)
  record(ledger, cause, card, [
    ['refund.created', refund],
    ['charge.refunded', refundedCharge],
  ])
  return refund
}

export function getRefund(ledger: Ledger, id: string): Stripe.Refund {
  const stored = ledger.refunds.get(id)
  if (!stored) throw notFound('refund', id)
  return stored.refund
}

/**
 * A refund's time-based changes. Slow refunds succeed. Failing refunds fail, and their amount no longer counts as
 * refunded.
 */
export function refundAlarm(ledger: Ledger, { refund, settlesAs }: StoredRefund): void {
  const { card, intent } = getIntent(ledger, refund.payment_intent)
  const settled: StoredRefund['refund'] = { ...refund, status: settlesAs ?? refund.status }
  if (settlesAs === 'failed') {
    settled.failure_reason = 'expired_or_canceled_card'
    settled.failure_balance_transaction = move(ledger, {
      amount: refund.amount,
      type: 'refund_failure',
      category: 'refund_failure',
      source: refund.id,
      description: `REFUND FAILURE FOR ${refund.id}`,
    }).id
    countRefunded(ledger, latestCharge(ledger, intent), -refund.amount)
  }
  ledger.refunds.put(refund.id, { refund: settled, settlesAs: null }, null)
  record(ledger, null, card, [[settlesAs === 'failed' ? 'refund.failed' : 'refund.updated', settled]])
}

function countRefunded(ledger: Ledger, charge: Stripe.Charge, cents: number): Stripe.Charge {
  const amountRefunded = charge.amount_refunded + cents
  const counted = { ...charge, amount_refunded: amountRefunded, refunded: amountRefunded === charge.amount }
  ledger.charges.put(charge.id, counted)
  return counted
}
