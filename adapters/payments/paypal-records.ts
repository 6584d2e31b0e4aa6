/** Dispute records from Customer Disputes v1, which PayPal's library doesn't cover, and movements. */
import { z } from 'zod'
import type {
  DisputeEvidence,
  DisputeRecords,
  DisputeState,
  DisputeView,
  EvidenceFile,
  MovementRecords,
} from '#domain/payments/payments/provider-records.port.ts'
import {
  answer,
  createPayPalClient,
  PayPalAway,
  PayPalRefusal,
  type PayPalAccess,
  type PayPalClient,
} from './paypal-client.ts'
import { centsOf, instant, money } from './paypal-forms.ts'
import { listMovements } from './paypal-movements.ts'

const disputeForm = z.looseObject({
  dispute_id: z.string().min(1).max(255),
  create_time: instant,
  disputed_transactions: z.array(z.looseObject({ seller_transaction_id: z.string().min(1).max(255) })).min(1),
  reason: z.string().min(1).max(255),
  status: z.string(),
  dispute_amount: money,
  dispute_outcome: z.looseObject({ outcome_code: z.string(), amount_refunded: money.optional() }).optional(),
  money_movements: z
    .array(
      z.looseObject({
        affected_party: z.string(),
        amount: money,
        type: z.string(),
        reason: z.string().optional(),
      }),
    )
    .optional(),
  dispute_life_cycle_stage: z.string().default('CHARGEBACK'),
  seller_response_due_date: instant.optional(),
})

const captureForm = z.looseObject({
  supplementary_data: z.looseObject({ related_ids: z.looseObject({ order_id: z.string().min(1).max(64) }) }),
})

const doneForm = z.looseObject({})

/** What PayPal takes in a note, and of how many it makes one answer. */
const longestNote = 2_000
const mostNotes = 20

/** PayPal's disputes, and what moved on the account. */
export function createPayPalRecords(access: PayPalAccess): DisputeRecords & MovementRecords {
  const client = createPayPalClient(access)
  const read = (ref: string) => readDispute(client, ref)
  return {
    readDispute: (ref) => answer(() => read(ref)),
    answerDispute: ({ ref, evidence, files }) =>
      answer(() =>
        unlessAnswered(client, ref, () =>
          client.upload(pathOf(ref, '/provide-evidence'), doneForm, {
            input: { evidences: evidencesOf(evidence, files) },
            files,
          }),
        ),
      ),
    acceptDispute: ({ ref, key }) =>
      answer(() =>
        unlessAnswered(client, ref, () =>
          client.post(pathOf(ref, '/accept-claim'), doneForm, {
            body: { note: 'We accept the claim and refund the customer.', accept_claim_type: 'REFUND' },
            key,
          }),
        ),
      ),
    listMovements: (asked) => answer(() => listMovements(client, asked)),
  }
}

function pathOf(ref: string, act = ''): string {
  return `/v1/customer/disputes/${encodeURIComponent(ref)}${act}`
}

/** Disputes have no idempotency keys, so a refusal of a repeated response counts as success. */
async function unlessAnswered(client: PayPalClient, ref: string, act: () => Promise<unknown>): Promise<DisputeView> {
  try {
    await act()
  } catch (error) {
    const now = error instanceof PayPalRefusal ? await readDispute(client, ref) : undefined
    if (!now || now.state === 'needs-response') throw error
    return now
  }
  return readDispute(client, ref)
}

async function readDispute(client: PayPalClient, ref: string): Promise<DisputeView> {
  const dispute = await client.get(pathOf(ref), disputeForm)
  const [transaction] = dispute.disputed_transactions
  if (!transaction) throw new PayPalAway(`PayPal names no transaction for ${ref}`)
  // A dispute contains the capture's ID, and the store uses the order's ID.
  const capture = await client.get(
    `/v2/payments/captures/${encodeURIComponent(transaction.seller_transaction_id)}`,
    captureForm,
  )
  return {
    ref: dispute.dispute_id,
    chargeRef: `paypal:${capture.supplementary_data.related_ids.order_id}`,
    kind: dispute.dispute_life_cycle_stage === 'INQUIRY' ? 'inquiry' : 'dispute',
    state: stateOf(dispute),
    reason: dispute.reason.slice(0, 100),
    amountCents: centsOf(dispute.dispute_amount),
    openedAt: dispute.create_time,
    dueAt: dispute.seller_response_due_date ?? null,
    ...sumsOf(dispute),
  }
}

type ReadDispute = z.infer<typeof disputeForm>

const outcomes: Readonly<Record<string, DisputeState>> = {
  RESOLVED_SELLER_FAVOUR: 'won',
  // PayPal paid the customer itself.
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
}

/** What is not known yet, people have to look at. */
function stateOf({ status, dispute_outcome: outcome }: ReadDispute): DisputeState {
  if (status === 'RESOLVED') return outcomes[outcome?.outcome_code ?? ''] ?? 'closed'
  return status === 'UNDER_REVIEW' || status === 'WAITING_FOR_BUYER_RESPONSE' ? 'under-review' : 'needs-response'
}

const fees = ['DISPUTE_SETTLEMENT_FEE', 'DISPUTE_FEE', 'CHARGEBACK_FEE']

/** What moved for the store. Where PayPal does not say, a lost dispute took what it refunded. */
function sumsOf(dispute: ReadDispute): Pick<DisputeView, 'withdrawnCents' | 'reinstatedCents' | 'feeCents'> {
  const { money_movements: all, dispute_outcome: outcome } = dispute
  if (!all) {
    const isLost = stateOf(dispute) === 'lost'
    const withdrawnCents = isLost ? centsOf(outcome?.amount_refunded ?? dispute.dispute_amount) : 0
    return { withdrawnCents, reinstatedCents: 0, feeCents: 0 }
  }
  const ours = all.filter(({ affected_party: party }) => party === 'SELLER')
  const sum = (type: string, isFee: boolean) =>
    ours
      .filter((one) => one.type === type && fees.includes(one.reason ?? '') === isFee)
      .reduce((total, { amount }) => total + centsOf(amount), 0)
  return {
    withdrawnCents: sum('DEBIT', false),
    reinstatedCents: sum('CREDIT', false),
    feeCents: Math.max(0, sum('DEBIT', true) - sum('CREDIT', true)),
  }
}

const carriers: Readonly<Record<string, string>> = { ups: 'UPS', usps: 'USPS', fedex: 'FEDEX', dhl: 'DHL' }

/** Returns PayPal's tracking fields, then the text in as many notes as needed. */
function evidencesOf(evidence: DisputeEvidence, files: readonly EvidenceFile[]): object[] {
  const { shippingCarrier, shippingTrackingNumber, text } = evidence
  const tracking = (shippingTrackingNumber ?? '').split(', ').filter(Boolean).slice(0, 10)
  const name = carriers[(shippingCarrier ?? '').toLowerCase()]
  const carrier = name
    ? { carrier_name: name }
    : { carrier_name: 'OTHER', carrier_name_other: shippingCarrier ?? 'Carrier' }
  const notes = Array.from({ length: Math.min(mostNotes, Math.ceil(text.length / longestNote)) }, (_, index) =>
    text.slice(index * longestNote, (index + 1) * longestNote),
  )
  return [
    ...(tracking.length > 0
      ? [
          {
            evidence_type: 'PROOF_OF_FULFILLMENT',
            evidence_info: { tracking_info: tracking.map((number) => ({ ...carrier, tracking_number: number })) },
          },
        ]
      : []),
    ...(files.length > 0
      ? [{ evidence_type: 'ORDER_DETAILS', documents: files.map((file) => ({ name: file.name })) }]
      : []),
    ...notes.map((note) => ({ evidence_type: 'OTHER', notes: note })),
  ]
}
