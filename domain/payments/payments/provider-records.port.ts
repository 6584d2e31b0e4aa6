/**
 * Data from a payment provider in addition to charges, meaning disputes and balance transactions. A provider without
 * either is omitted from `PaymentRecords`. Charge references are the store's, prefixed with the provider's name, as in
 * `PaymentProvider`.
 */
import type { ProviderAnswer } from './payment-provider.port.ts'

export interface DisputeRecords {
  /** Reads the current state of a dispute. */
  readDispute(ref: string): Promise<ProviderAnswer<DisputeView>>
  /** Submits evidence. This is final, because the provider forwards it to the bank. */
  answerDispute(input: {
    ref: string
    evidence: DisputeEvidence
    files: readonly EvidenceFile[]
    key: string
  }): Promise<ProviderAnswer<DisputeView>>
  /** Accepts that a dispute is lost. */
  acceptDispute(input: { ref: string; key: string }): Promise<ProviderAnswer<DisputeView>>
}

export interface MovementRecords {
  /**
   * A page of what moved from `from` on and before `until`, in no certain order; `after` is the `next` of the page
   * before. `listedUntil`: what moved later may not be listed yet.
   */
  listMovements(input: {
    from: Temporal.Instant
    until: Temporal.Instant
    after: string | null
  }): Promise<ProviderAnswer<MovementPage>>
}

export type MovementPage = { movements: Movement[]; next: string | null; listedUntil?: Temporal.Instant }

/** One that lists no movements has no days to reconcile. */
export type ProviderRecords = DisputeRecords & Partial<MovementRecords>

/** The records of each provider in use. Credit contracts have no disputes. */
export type PaymentRecords = {
  stripe?: ProviderRecords
  paypal?: ProviderRecords
  lender?: MovementRecords
  resolve?: MovementRecords
}

export type DisputeState = 'needs-response' | 'under-review' | 'won' | 'lost' | 'closed'

export type DisputeView = {
  ref: string
  chargeRef: string
  /** An inquiry takes no money, and may become a dispute. */
  kind: 'dispute' | 'inquiry'
  state: DisputeState
  /** In the provider's word, such as "fraudulent". */
  reason: string
  amountCents: number
  openedAt: Temporal.Instant
  /** The evidence deadline; null if evidence isn't accepted. */
  dueAt: Temporal.Instant | null
  /** Amounts withdrawn, reinstated and charged as fees so far, each as a positive sum. */
  withdrawnCents: number
  reinstatedCents: number
  feeCents: number
}

/** A warning that a charge may be fraud, before anyone disputes it. */
export type FraudWarning = { ref: string; chargeRef: string; reason: string; at: Temporal.Instant }

/** What proves a sale, as text. Null for what does not apply. */
export type DisputeEvidence = {
  customerName: string
  customerEmail: string
  billingAddress: string
  productDescription: string
  shippingAddress: string | null
  shippingCarrier: string | null
  shippingTrackingNumber: string | null
  shippingDate: string | null
  serviceDate: string | null
  refundPolicy: string
  cancellationPolicy: string
  /** All other evidence, including receipt, delivery, installation, messages, and staff notes. */
  text: string
}

/** A file of evidence. There is one of each kind at most, as providers have one place for each. */
export type EvidenceFile = {
  kind: 'shipping' | 'completion' | 'more'
  name: string
  type: 'application/pdf' | 'image/jpeg'
  bytes: Uint8Array
}

export type MovementKind =
  | 'charge'
  | 'refund'
  | 'refund-failure'
  | 'dispute'
  | 'dispute-reversal'
  | 'fee'
  | 'payout'
  | 'transfer'
  /** Held or released by the provider, but still the store's money. */
  | 'hold'
  | 'other'

/** A balance transaction at the provider. Positive amounts are credits to the store, before the provider's fee. */
export type Movement = {
  ref: string
  kind: MovementKind
  at: Temporal.Instant
  amountCents: number
  feeCents: number
  chargeRef: string | null
  /** The store's own id of the charge, where the provider repeats that instead. */
  reference?: string
  refundRef: string | null
  disputeRef: string | null
}
