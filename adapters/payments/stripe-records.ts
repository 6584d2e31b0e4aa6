import type Stripe from 'stripe'
import type {
  DisputeEvidence,
  DisputeRecords,
  DisputeState,
  DisputeView,
  EvidenceFile,
  Movement,
  MovementKind,
  MovementRecords,
} from '#domain/payments/payments/provider-records.port.ts'
import { answer, openStripe } from './stripe-client.ts'

const perPage = 100

/** Disputes and balance transactions of Stripe. */
export function createStripeRecords(config: {
  apiOrigin: string
  secretKey: string
}): DisputeRecords & MovementRecords {
  const stripe = openStripe(config)
  return {
    readDispute: (ref) => answer(async () => disputeView(await stripe.disputes.retrieve(ref))),
    answerDispute: ({ ref, evidence, files, key }) =>
      answer(async () => {
        const params = { ...evidenceParams(evidence), ...(await uploaded(stripe, files, key)) }
        return disputeView(
          await stripe.disputes.update(ref, { evidence: params, submit: true }, { idempotencyKey: key }),
        )
      }),
    acceptDispute: ({ ref, key }) =>
      answer(async () => disputeView(await stripe.disputes.close(ref, {}, { idempotencyKey: key }))),
    listMovements: ({ from, until, after }) =>
      answer(async () => {
        const page = await stripe.balanceTransactions.list({
          created: { gte: seconds(from), lt: seconds(until) },
          limit: perPage,
          expand: ['data.source'],
          ...(after !== null && { starting_after: after }),
        })
        return { movements: page.data.map(movementOf), next: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
      }),
  }
}

function disputeView(dispute: Stripe.Dispute): DisputeView {
  const { evidence_details: details, balance_transactions: moved } = dispute
  const sumOf = (part: (transaction: Stripe.BalanceTransaction) => number) =>
    moved.reduce((sum, transaction) => sum + part(transaction), 0)
  return {
    ref: dispute.id,
    // A charge without an intent wasn't made by the store, so its own ID is unknown to the store.
    chargeRef: idOf(dispute.payment_intent) ?? idOf(dispute.charge) ?? dispute.id,
    kind: dispute.status.startsWith('warning') ? 'inquiry' : 'dispute',
    state: stateOf(dispute.status),
    reason: dispute.reason,
    amountCents: dispute.amount,
    openedAt: instantOf(dispute.created),
    dueAt: details.due_by === null ? null : instantOf(details.due_by),
    withdrawnCents: sumOf(({ amount }) => Math.max(0, -amount)),
    reinstatedCents: sumOf(({ amount }) => Math.max(0, amount)),
    feeCents: Math.max(
      0,
      sumOf(({ fee }) => fee),
    ),
  }
}

/** All other states need a response because staff must look at unknown states. */
const states: Readonly<Record<string, DisputeState>> = {
  won: 'won',
  lost: 'lost',
  warning_closed: 'closed',
  prevented: 'closed',
}

function stateOf(status: string): DisputeState {
  return status.endsWith('under_review') ? 'under-review' : (states[status] ?? 'needs-response')
}

/** The longest text that Stripe takes in one field, and by far less than its sum of 150,000. */
const longest = 20_000

function evidenceParams(evidence: DisputeEvidence): Stripe.DisputeUpdateParams.Evidence {
  const params = {
    customer_name: evidence.customerName,
    customer_email_address: evidence.customerEmail,
    billing_address: evidence.billingAddress,
    product_description: evidence.productDescription,
    shipping_address: evidence.shippingAddress,
    shipping_carrier: evidence.shippingCarrier,
    shipping_tracking_number: evidence.shippingTrackingNumber,
    shipping_date: evidence.shippingDate,
    service_date: evidence.serviceDate,
    refund_policy_disclosure: evidence.refundPolicy,
    cancellation_policy_disclosure: evidence.cancellationPolicy,
    uncategorized_text: evidence.text,
  }
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value ? [[name, value.slice(0, longest)]] : [])),
  )
}

const places = {
  shipping: 'shipping_documentation',
  completion: 'service_documentation',
  more: 'uncategorized_file',
} as const satisfies Record<EvidenceFile['kind'], keyof Stripe.DisputeUpdateParams.Evidence>

/** Staff wait for it, and a file takes longer than a call. */
const uploadTimeoutMs = 60_000

/** Uploads the files, each with an idempotency key, and returns their evidence fields. */
async function uploaded(
  stripe: Stripe,
  files: readonly EvidenceFile[],
  key: string,
): Promise<Stripe.DisputeUpdateParams.Evidence> {
  const params: Stripe.DisputeUpdateParams.Evidence = {}
  for (const { kind, name, type, bytes } of files) {
    const file = await stripe.files.create(
      { purpose: 'dispute_evidence', file: { data: bytes, name, type } },
      { idempotencyKey: `${key}:${kind}`, timeout: uploadTimeoutMs },
    )
    params[places[kind]] = file.id
  }
  return params
}

const kinds: Readonly<Record<string, MovementKind>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund-failure',
  payment_failure_refund: 'refund-failure',
  dispute: 'dispute',
  dispute_reversal: 'dispute-reversal',
  fee: 'fee',
  stripe_fee: 'fee',
  network_cost: 'fee',
  payout: 'payout',
  payout_reversal: 'payout',
  transfer: 'transfer',
  transfer_reversal: 'transfer',
  transfer_refund: 'transfer',
}

function movementOf(transaction: Stripe.BalanceTransaction): Movement {
  const { id: ref, amount, fee, created, source } = transaction
  const kind = kinds[transaction.reporting_category] ?? kinds[transaction.type] ?? 'other'
  const about = source !== null && typeof source === 'object' ? source : null
  return {
    ref,
    kind,
    at: instantOf(created),
    amountCents: amount,
    feeCents: fee,
    chargeRef: about && 'payment_intent' in about ? idOf(about.payment_intent) : null,
    refundRef: kind === 'refund' || kind === 'refund-failure' ? (about?.id ?? null) : null,
    disputeRef: kind === 'dispute' || kind === 'dispute-reversal' ? (about?.id ?? null) : null,
  }
}

function idOf(named: string | { id: string } | null | undefined): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null)
}

function instantOf(unixSeconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(unixSeconds * 1000)
}

function seconds(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1000)
}
