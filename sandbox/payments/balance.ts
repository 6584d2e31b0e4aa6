import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { unixSeconds, type Ledger } from './ledger.ts'

/** Returns Stripe's published fee for US cards: 2.9% and 30 cents. */
function feeOf(cents: number): number {
  return Math.round(cents * 0.029) + 30
}

/** What Stripe charges for a dispute. */
export const disputeFeeCents = 1_500

type Moved = {
  amount: number
  fee?: number
  type: Stripe.BalanceTransaction.Type
  category: string
  source: string
  description: string | null
}

/** Records that the balance changed, and returns the transaction. */
export function move(
  ledger: Ledger,
  { amount, fee = 0, type, category, source, description }: Moved,
): Stripe.BalanceTransaction {
  const now = unixSeconds(ledger.now())
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn_'),
    object: 'balance_transaction',
    amount,
    available_on: now + 2 * 24 * 3_600,
    balance_type: 'payments',
    created: now,
    currency: 'usd',
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: 'usd',
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'pending',
    type,
  }
  ledger.balance.put(transaction.id, transaction)
  return transaction
}

/** The capture of a charge reaches the balance. */
export function moveCharge(ledger: Ledger, charge: Stripe.Charge): Stripe.Charge {
  const { amount_captured: amount, description } = charge
  const { id } = move(ledger, {
    amount,
    fee: feeOf(amount),
    type: 'charge',
    category: 'charge',
    source: charge.id,
    description,
  })
  const moved: Stripe.Charge = { ...charge, balance_transaction: id }
  ledger.charges.put(charge.id, moved)
  return moved
}

/** A page of the balance's transactions, newest first, within the asked time. */
export function listBalance(
  ledger: Ledger,
  asked: {
    limit: number
    starting_after?: string | undefined
    ending_before?: string | undefined
    type?: string | undefined
    source?: string | undefined
    created?: { [Bound in 'gt' | 'gte' | 'lt' | 'lte']?: number | undefined } | undefined
  },
): object {
  const { limit, starting_after: before, ending_before: after, type, source, created = {} } = asked
  const { gt = -1, gte = 0, lt = Infinity, lte = Infinity } = created
  // A day is read for each page of it, so that all that was before it is left unread.
  const isRecent = (one: Stripe.BalanceTransaction) => one.created > gt && one.created >= gte
  const listed =
    after === undefined
      ? ledger.balance.newestWhile(isRecent, before)
      : ledger.balance.list({ limit: 100_000, after }).filter(isRecent)
  const all = listed
    .filter((one) => one.created < lt && one.created <= lte)
    .filter((one) => (type === undefined || one.type === type) && (source === undefined || one.source === source))
  const page = after === undefined ? all.slice(0, limit) : all.slice(-limit)
  return { object: 'list', url: '/v1/balance_transactions', has_more: all.length > page.length, data: page }
}
