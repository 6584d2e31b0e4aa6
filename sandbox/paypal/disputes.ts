/** Disputes at PayPal, opened by a payer or their bank, answered by the store, and decided by PayPal. */
import { z } from 'zod'
import { recordPayPalEvent } from './events.ts'
import { paypalPath, paypalTime, type PayPalDispute, type PayPalLedger } from './ledger.ts'
import { getOrder } from './orders.ts'
import { getCapture } from './payments.ts'
import { notFound, PayPalRefusal, unprocessable } from './refusal.ts'
import { usd } from './requests.ts'
import { recordDisputeMoves, recordTransaction } from './transactions.ts'

/** What PayPal gives a store to answer. */
const answerDays = 10
const feeCents = { INTERNAL: 1_500, EXTERNAL: 2_000 } as const

/** Evidence that the sandbox decides immediately, as in the payments sandbox. */
const [winning, losing] = ['winning_evidence', 'losing_evidence']

/** The most of one file and of all, in bytes, and what they may be. */
const mostBytes = { file: 10_000_000, all: 50_000_000 }
const takenTypes = ['image/jpeg', 'image/png', 'image/gif', 'application/pdf']

export const disputeReasons = [
  'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
  'UNAUTHORISED',
  'DUPLICATE_TRANSACTION',
] as const

/**
 * Disputes the remaining amount of a capture. A bank takes the money immediately (`EXTERNAL`); PayPal takes it with its
 * decision.
 */
export function openDispute(
  ledger: PayPalLedger,
  captureId: string,
  { reason, channel }: { reason: string; channel: PayPalDispute['channel'] },
): PayPalDispute {
  const capture = getCapture(ledger, captureId)
  const cents = capture.cents - capture.refundedCents
  const isDisputed = ledger.disputes.list({ limit: 10_000 }).some((one) => one.captureId === captureId)
  if (isDisputed || cents === 0)
    throw unprocessable('INVALID_TRANSACTION', 'This payment has already been disputed in full.')
  const now = ledger.now()
  const at = paypalTime(now)
  const due = now.add({ hours: 24 * answerDays })
  const dispute: PayPalDispute = {
    id: `PP-D-${String(100_000 + ledger.disputes.list({ limit: 10_000 }).length)}`,
    captureId,
    orderId: capture.orderId,
    cents,
    reason: (disputeReasons as readonly string[]).includes(reason) ? reason : 'OTHER',
    channel,
    stage: channel === 'EXTERNAL' ? 'CHARGEBACK' : 'INQUIRY',
    status: 'WAITING_FOR_SELLER_RESPONSE',
    outcome: null,
    movements:
      channel === 'EXTERNAL'
        ? [
            { type: 'DEBIT', cents, reason: 'DISPUTE_SETTLEMENT', at },
            { type: 'DEBIT', cents: feeCents.EXTERNAL, reason: 'CHARGEBACK_FEE', at },
          ]
        : [],
    evidences: [],
    files: [],
    createdAt: at,
    updatedAt: at,
    dueAt: paypalTime(due),
  }
  ledger.disputes.put(dispute.id, dispute, due)
  if (channel === 'EXTERNAL') recordDisputeMoves(ledger, dispute, dispute.movements)
  else recordTransaction(ledger, { code: 'T1110', cents: -cents, referenceId: captureId })
  tell(ledger, 'CUSTOMER.DISPUTE.CREATED', dispute)
  return dispute
}

export function getDispute(ledger: PayPalLedger, id: string): PayPalDispute {
  const dispute = ledger.disputes.get(id)
  if (!dispute) throw notFound()
  return dispute
}

const evidencesForm = z.strictObject({
  evidences: z
    .array(
      z.strictObject({
        evidence_type: z.string().regex(/^[0-9A-Z_]{1,255}$/),
        evidence_info: z
          .strictObject({
            tracking_info: z
              .array(
                z.strictObject({
                  carrier_name: z.string().regex(/^[0-9A-Z_]{1,255}$/),
                  carrier_name_other: z.string().min(1).max(2_000).optional(),
                  tracking_number: z.string().min(1).max(255),
                }),
              )
              .min(1)
              .max(10),
          })
          .optional(),
        documents: z
          .array(z.strictObject({ name: z.string().regex(/^[A-Za-z0-9-_,\s]+[.][A-Za-z]+$/) }))
          .min(1)
          .optional(),
        notes: z.string().min(1).max(2_000).optional(),
      }),
    )
    .min(1)
    .max(100),
})

/** Takes evidence with its files, once. */
export function provideEvidence(
  ledger: PayPalLedger,
  id: string,
  { input, files }: { input: string; files: { name: string; type: string; size: number }[] },
): PayPalDispute {
  const dispute = getDispute(ledger, id)
  if (dispute.status !== 'WAITING_FOR_SELLER_RESPONSE')
    throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE', `A dispute ${dispute.status} takes no evidence.`)
  const parsed = evidencesForm.safeParse(parse(input))
  if (!parsed.success)
    throw new PayPalRefusal(400, 'INVALID_EVIDENCE', parsed.error.issues[0]?.message ?? 'Not evidence.', '/evidences')
  const sum = files.reduce((total, { size }) => total + size, 0)
  for (const { name, type, size } of files)
    if (!takenTypes.includes(type) || size > mostBytes.file || size === 0 || sum > mostBytes.all)
      throw new PayPalRefusal(400, 'INVALID_EVIDENCE_FILE', `${name} cannot be taken as evidence.`)
  const { evidences } = parsed.data
  const answered: PayPalDispute = {
    ...dispute,
    status: 'UNDER_REVIEW',
    evidences,
    files,
    updatedAt: paypalTime(ledger.now()),
  }
  ledger.disputes.put(id, answered, null)
  tell(ledger, 'CUSTOMER.DISPUTE.UPDATED', answered)
  const said = JSON.stringify(evidences)
  if (said.includes(winning)) return decideDispute(ledger, id, 'RESOLVED_SELLER_FAVOUR')
  if (said.includes(losing)) return decideDispute(ledger, id, 'RESOLVED_BUYER_FAVOUR')
  return answered
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Decides a dispute. If lost, takes the remaining amount and a fee. If won, returns the amount but not the fee. */
export function decideDispute(
  ledger: PayPalLedger,
  id: string,
  outcome: NonNullable<PayPalDispute['outcome']>,
): PayPalDispute {
  const dispute = getDispute(ledger, id)
  if (dispute.status === 'RESOLVED')
    throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE', 'The dispute is resolved.')
  const at = paypalTime(ledger.now())
  const isWon = outcome === 'RESOLVED_SELLER_FAVOUR' || outcome === 'CANCELED_BY_BUYER'
  const isTaken = dispute.movements.length > 0
  const { cents } = dispute
  const moved: PayPalDispute['movements'] = isWon
    ? isTaken
      ? [{ type: 'CREDIT', cents, reason: 'DISPUTE_SETTLEMENT', at }]
      : []
    : isTaken
      ? []
      : [
          { type: 'DEBIT', cents, reason: 'DISPUTE_SETTLEMENT', at },
          // Accepting a dispute has no fee.
          ...(outcome === 'ACCEPTED'
            ? []
            : [{ type: 'DEBIT' as const, cents: feeCents.INTERNAL, reason: 'DISPUTE_FEE' as const, at }]),
        ]
  const closed: PayPalDispute = {
    ...dispute,
    status: 'RESOLVED',
    outcome,
    movements: [...dispute.movements, ...moved],
    updatedAt: at,
  }
  ledger.disputes.put(id, closed, null)
  if (dispute.channel === 'INTERNAL')
    recordTransaction(ledger, { code: 'T1111', cents, referenceId: dispute.captureId })
  recordDisputeMoves(ledger, dispute, moved)
  tell(ledger, 'CUSTOMER.DISPUTE.RESOLVED', closed)
  return closed
}

/** The store did not answer in time. */
export function disputeAlarm(ledger: PayPalLedger, dispute: PayPalDispute): void {
  decideDispute(ledger, dispute.id, 'RESOLVED_BUYER_FAVOUR')
}

function tell(
  ledger: PayPalLedger,
  type: 'CUSTOMER.DISPUTE.CREATED' | 'CUSTOMER.DISPUTE.UPDATED' | 'CUSTOMER.DISPUTE.RESOLVED',
  dispute: PayPalDispute,
): void {
  recordPayPalEvent(ledger, getOrder(ledger, dispute.orderId), type, disputeView(ledger, dispute))
}

/** Disputes of one capture, the newest first, as a list shows them. */
export function listDisputes(ledger: PayPalLedger, captureId: string): object {
  const found = ledger.disputes.list({ limit: 10_000 }).filter((one) => one.captureId === captureId)
  const items = found.map((dispute) => ({
    dispute_id: dispute.id,
    create_time: dispute.createdAt,
    update_time: dispute.updatedAt,
    reason: dispute.reason,
    status: dispute.status,
    dispute_amount: usd(dispute.cents),
    dispute_life_cycle_stage: dispute.stage,
    dispute_channel: dispute.channel,
    links: linksOf(ledger, dispute),
  }))
  const self = `${ledger.publicOrigin}${paypalPath}/v1/customer/disputes`
  return { ...(items.length > 0 && { items }), links: [{ href: self, rel: 'self', method: 'GET' }] }
}

export function disputeView(ledger: PayPalLedger, dispute: PayPalDispute): object {
  const { id, captureId, orderId, cents, status, outcome, movements } = dispute
  const { invoice_id: invoice, custom_id: custom } = getOrder(ledger, orderId).unit
  return {
    dispute_id: id,
    create_time: dispute.createdAt,
    update_time: dispute.updatedAt,
    disputed_transactions: [
      {
        buyer_transaction_id: `B${captureId.slice(1)}`,
        seller_transaction_id: captureId,
        create_time: getCapture(ledger, captureId).createdAt,
        transaction_status: 'COMPLETED',
        gross_amount: usd(getCapture(ledger, captureId).cents),
        ...(invoice !== undefined && { invoice_number: invoice }),
        ...(custom !== undefined && { custom }),
        buyer: { name: 'Pat Payer' },
        seller: { email: 'merchant@store.example', merchant_id: 'SIDEWALLTIRES', name: 'Sidewall' },
      },
    ],
    reason: dispute.reason,
    status,
    dispute_amount: usd(cents),
    ...(outcome !== null && {
      dispute_outcome: {
        outcome_code: outcome,
        ...(outcome !== 'RESOLVED_SELLER_FAVOUR' && outcome !== 'CANCELED_BY_BUYER' && { amount_refunded: usd(cents) }),
      },
    }),
    ...(movements.length > 0 && {
      money_movements: movements.map(({ type, cents: moved, reason, at }) => ({
        affected_party: 'SELLER',
        amount: usd(moved),
        initiated_time: at,
        type,
        reason,
      })),
    }),
    ...(dispute.evidences.length > 0 && {
      evidences: dispute.evidences.map((one) => ({ ...one, source: 'SUBMITTED_BY_SELLER', date: dispute.updatedAt })),
    }),
    dispute_life_cycle_stage: dispute.stage,
    dispute_channel: dispute.channel,
    ...(status === 'WAITING_FOR_SELLER_RESPONSE' && { seller_response_due_date: dispute.dueAt }),
    links: linksOf(ledger, dispute),
  }
}

/** Also the answer to what the store does about a dispute. */
export function linksOf(ledger: PayPalLedger, { id, status }: PayPalDispute): object[] {
  const self = `${ledger.publicOrigin}${paypalPath}/v1/customer/disputes/${id}`
  return [
    { href: self, rel: 'self', method: 'GET' },
    ...(status === 'WAITING_FOR_SELLER_RESPONSE'
      ? [
          { href: `${self}/provide-evidence`, rel: 'provide_evidence', method: 'POST' },
          { href: `${self}/accept-claim`, rel: 'accept_claim', method: 'POST' },
        ]
      : []),
  ]
}
