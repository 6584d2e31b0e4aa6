/** How a day at a payment provider is held against the store, to the cent. Safe in the browser. */
import type { PaymentProviderName } from '#domain/payments/payments/payments.ts'
import type { MovementKind } from '#domain/payments/payments/provider-records.port.ts'

export const differenceKinds = {
  'charge-without-order': 'Charge without an order',
  'order-without-charge': 'Order without a charge',
  'amount-differs': 'Amount differs',
  'refund-missing': 'Refund missing at the provider',
  'refund-unknown': 'Refund that the store did not make',
  fee: 'Fee',
  dispute: 'Dispute',
  'ledger-differs': 'Ledger differs',
} as const
export type DifferenceKind = keyof typeof differenceKinds

/** Those that can list what they moved, as the office calls them. */
export const providerNames = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  lender: 'Lender',
  resolve: 'Resolve',
} as const satisfies Readonly<Record<PaymentProviderName, string>>

export const dayStates = { open: 'Does not balance', resolved: 'Resolved', balanced: 'Balanced' } as const
export type DayState = keyof typeof dayStates

/** The longest note that resolves a day. */
export const longestNote = 1_000

/** Where the provider and the store do not agree. */
export type Difference = {
  kind: DifferenceKind
  ref: string
  orderId: number | null
  providerCents: number
  storeCents: number
}

/** A balance transaction with the store's matching record, or null. */
export type MatchedMovement = {
  ref: string
  kind: MovementKind
  amountCents: number
  feeCents: number
  chargeRef: string | null
  /**
   * What its charge captured, and for which order; `isClaimed`: it has an order or a membership. `movedCents`: all that
   * the provider lists as charged of it, in parts where a lender pays with the goods; its `isLatest` movement shows what
   * differs.
   */
  charge: {
    orderId: number | null
    capturedCents: number
    movedCents: number
    isLatest: boolean
    otherRefundCents: number
    isClaimed: boolean
  } | null
  refund: { cents: number } | null
  /** `feesMovedCents` are dispute fees the provider lists separately; null if it doesn't. */
  dispute: {
    withdrawnCents: number
    reinstatedCents: number
    feeCents: number
    feesMovedCents: number | null
  } | null
}

/** What the store captured or gave back on the day; `isMoved`: the provider lists it, on whatever day. */
export type OwnMovement = {
  kind: 'charge' | 'refund'
  ref: string
  orderId: number | null
  cents: number
  isMoved: boolean
}

/** The cash of an order in the ledger, and what its charges, refunds, invoice and disputes come to. */
export type OrderCash = { orderId: number; ledgerCents: number; owedCents: number }

/** Every difference of a day. */
export function differencesOf(
  movements: readonly MatchedMovement[],
  own: readonly OwnMovement[],
  cash: readonly OrderCash[],
): Difference[] {
  return [
    ...movements.flatMap(differencesOfMovement),
    ...own
      .filter(({ isMoved }) => !isMoved)
      .map(({ kind, ref, orderId, cents }): Difference => ({
        kind: kind === 'charge' ? 'order-without-charge' : 'refund-missing',
        ref,
        orderId,
        providerCents: 0,
        storeCents: cents,
      })),
    ...cash.map(({ orderId, ledgerCents, owedCents }): Difference => ({
      kind: 'ledger-differs',
      ref: `S-${orderId}`,
      orderId,
      providerCents: owedCents,
      storeCents: ledgerCents,
    })),
  ].filter(({ providerCents, storeCents }) => providerCents !== storeCents)
}

function differencesOfMovement(movement: MatchedMovement): Difference[] {
  const { ref, kind, charge } = movement
  const found = compare[kind](movement)
  return found.map((one) => ({ ref, orderId: charge?.orderId ?? null, ...one }))
}

type Compared = Pick<Difference, 'kind' | 'providerCents' | 'storeCents'>

const differ = (kind: DifferenceKind, providerCents: number, storeCents: number): Compared[] => [
  { kind, providerCents, storeCents },
]
/** Transfers between the provider and banks. Installer payouts have a separate ledger. */
const nothing = (): Compared[] => []

const compare: Readonly<Record<MovementKind, (movement: MatchedMovement) => Compared[]>> = {
  charge({ charge, amountCents }) {
    if (!charge?.isClaimed) return differ('charge-without-order', amountCents, 0)
    return charge.isLatest ? differ('amount-differs', charge.movedCents, charge.capturedCents) : []
  },
  refund({ charge, refund, amountCents }) {
    if (refund) return differ('amount-differs', -amountCents, refund.cents)
    // A fully refunded charge has no separate refund record here.
    return charge?.otherRefundCents === -amountCents ? [] : differ('refund-unknown', -amountCents, 0)
  },
  'refund-failure': ({ amountCents }) => differ('refund-missing', 0, amountCents),
  dispute: ({ dispute, amountCents, feeCents }) => [
    ...differ('dispute', -amountCents, dispute?.withdrawnCents ?? 0),
    ...((dispute?.feesMovedCents ?? null) === null ? differ('fee', feeCents, dispute?.feeCents ?? 0) : []),
  ],
  'dispute-reversal': ({ dispute, amountCents }) => differ('dispute', amountCents, dispute?.reinstatedCents ?? 0),
  fee: ({ dispute, amountCents }) =>
    dispute ? differ('fee', dispute.feesMovedCents ?? 0, dispute.feeCents) : differ('fee', -amountCents, 0),
  payout: nothing,
  transfer: nothing,
  // What is set aside is still the store's; what is taken in the end is listed as such.
  hold: nothing,
  other: ({ amountCents }) => differ('amount-differs', amountCents, 0),
}
