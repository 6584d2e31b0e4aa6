import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import { disputeFeeCents, move } from './balance.ts'
import { latestCharge } from './charges.ts'
import { refuseUnknownFiles } from './files.ts'
import { getIntent } from './intents.ts'
import { record, unixSeconds, type Cause, type Ledger } from './ledger.ts'
import { notFound, wrongState } from './refusal.ts'

/** How long there is to answer, as for most cards. */
const answerDays = 9

/** Evidence that Stripe's test mode decides immediately: https://docs.stripe.com/testing#evidence */
const [winning, losing] = ['winning_evidence', 'losing_evidence']

/** Disputes the remaining amount of a captured payment. Deducts the amount and a fee from the balance. */
export function openDispute(ledger: Ledger, intentId: string, reason = 'fraudulent'): Stripe.Dispute {
  const { intent, card } = getIntent(ledger, intentId)
  if (intent.status !== 'succeeded') throw wrongState(`A payment that is '${intent.status}' cannot be disputed.`)
  const charge = latestCharge(ledger, intent)
  const amount = charge.amount_captured - Math.max(0, charge.amount_refunded - (charge.amount - charge.amount_captured))
  if (charge.disputed || amount === 0) throw wrongState('This payment has already been disputed in full.')
  const dueAt = ledger.now().add({ hours: 24 * answerDays })
  const id = newId('du_')
  const taken = move(ledger, {
    amount: -amount,
    fee: disputeFeeCents,
    type: 'adjustment',
    category: 'dispute',
    source: id,
    description: `Chargeback withdrawal for ${charge.id}`,
  })
  const dispute: Stripe.Dispute = {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [taken],
    charge: charge.id,
    created: unixSeconds(ledger.now()),
    currency: 'usd',
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: unixSeconds(dueAt),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_applicable',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intent.id,
    payment_method_details: {
      type: 'card',
      card: {
        brand: card?.brand ?? 'visa',
        case_type: 'chargeback',
        network: card?.brand ?? 'visa',
        network_reason_code: '10.4',
      },
    },
    reason,
    status: 'needs_response',
  }
  ledger.disputes.put(id, dispute, dueAt)
  ledger.charges.put(charge.id, { ...charge, disputed: true })
  record(ledger, null, card, [
    ['charge.dispute.created', dispute],
    ['charge.dispute.funds_withdrawn', dispute],
  ])
  return dispute
}

export function getDispute(ledger: Ledger, id: string): Stripe.Dispute {
  const dispute = ledger.disputes.get(id)
  if (!dispute) throw notFound('dispute', id)
  return dispute
}

/** Saves evidence. Submitted evidence goes to the bank and can't be changed. */
export function updateDispute(
  ledger: Ledger,
  cause: Cause,
  id: string,
  { evidence, submit }: { evidence: Record<string, string>; submit: boolean },
): Stripe.Dispute {
  const dispute = getDispute(ledger, id)
  if (dispute.status !== 'needs_response') throw wrongState(`A dispute that is '${dispute.status}' takes no evidence.`)
  refuseUnknownFiles(ledger, evidence)
  const { evidence_details: details } = dispute
  const updated: Stripe.Dispute = {
    ...dispute,
    evidence: { ...dispute.evidence, ...evidence },
    status: submit ? 'under_review' : 'needs_response',
    evidence_details: {
      ...details,
      has_evidence: true,
      submission_count: details.submission_count + (submit ? 1 : 0),
      submission_method: submit ? 'manual' : details.submission_method,
    },
  }
  ledger.disputes.put(id, updated, submit ? null : undefined)
  record(ledger, cause, null, [['charge.dispute.updated', updated]])
  const said = evidence['uncategorized_text'] ?? ''
  if (submit && said.includes(winning)) return decideDispute(ledger, cause, id, 'won')
  if (submit && said.includes(losing)) return decideDispute(ledger, cause, id, 'lost')
  return updated
}

/** The bank decides, or the store accepts. Won, the money comes back; the fee does not. */
export function decideDispute(ledger: Ledger, cause: Cause, id: string, status: 'won' | 'lost'): Stripe.Dispute {
  const dispute = getDispute(ledger, id)
  if (dispute.status === 'won' || dispute.status === 'lost')
    throw wrongState(`A dispute that is '${dispute.status}' is closed.`)
  const isWon = status === 'won'
  const back = isWon
    ? move(ledger, {
        amount: dispute.amount,
        type: 'adjustment',
        category: 'dispute_reversal',
        source: id,
        description: `Chargeback reversal for ${typeof dispute.charge === 'string' ? dispute.charge : dispute.charge.id}`,
      })
    : null
  const closed: Stripe.Dispute = {
    ...dispute,
    status,
    balance_transactions: back ? [...dispute.balance_transactions, back] : dispute.balance_transactions,
  }
  ledger.disputes.put(id, closed, null)
  record(ledger, cause, null, [
    ['charge.dispute.closed', closed],
    ...(isWon ? ([['charge.dispute.funds_reinstated', closed]] as [Stripe.Event.Type, object][]) : []),
  ])
  return closed
}

/** Creates the card network's early warning about a possibly stolen card. */
export function warnOfFraud(ledger: Ledger, intentId: string): Stripe.Radar.EarlyFraudWarning {
  const { intent, card } = getIntent(ledger, intentId)
  if (intent.status !== 'succeeded') throw wrongState(`A payment that is '${intent.status}' is not warned of.`)
  const charge = latestCharge(ledger, intent)
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: newId('issfr_'),
    object: 'radar.early_fraud_warning',
    actionable: charge.amount_refunded < charge.amount_captured && !charge.disputed,
    charge: charge.id,
    created: unixSeconds(ledger.now()),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    payment_intent: intent.id,
  }
  record(ledger, null, card, [['radar.early_fraud_warning.created', warning]])
  return warning
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}
