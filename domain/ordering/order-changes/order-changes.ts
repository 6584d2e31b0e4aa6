/** States, limits, and settlement of the difference for edits of an order's destination. Safe in the browser. */
import type { Fulfillment } from '#domain/supply/delivery/delivery.ts'
import { salesTaxNote, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'

/** `overtaken` means that the order could no longer be edited, whether paid or not. Only `awaiting-payment` is open. */
export type ChangeState = 'awaiting-payment' | 'done' | 'expired' | 'withdrawn' | 'overtaken'

/**
 * `lower-charge`: not captured yet, so that less is captured. `payment`: by the customer, before the change is made.
 * `waiver`: the store bears it.
 */
export type Settlement = 'nothing' | 'refund' | 'lower-charge' | 'payment' | 'waiver'

/** How long the customer can pay a difference; the bay is held for as long. */
export const linkHours = 24

/** The most of a difference that staff may waive, in cents. */
export const mostWaivedCents = 5_000

/** The place staff choose. */
export type AskedPlace = { fulfillment: Fulfillment; shopId: number | null; carrierLocationId: number | null }

/** One row of the summary before and after; null where it is not in one of them. */
export type ChangeRow = { key: string; label: string; beforeCents: number | null; afterCents: number | null }

/** The rows of both summaries, the total last. */
export function changeRows(before: PriceBreakdown, after: PriceBreakdown): ChangeRow[] {
  const then = new Map(before.explain.map((row) => [row.key, row]))
  const now = new Map(after.explain.map((row) => [row.key, row]))
  const gone = before.explain.filter(({ key }) => !now.has(key))
  const rows = [...after.explain.filter(({ kind }) => kind !== 'total'), ...gone]
  return [...rows, ...after.explain.filter(({ kind }) => kind === 'total')].map(({ key, label }) => ({
    key,
    // These rows have no details, so that the footnote of the sales tax follows its label.
    label: key === 'sales-tax' ? [label, salesTaxNote(after.tax)].filter(Boolean).join('. ') : label,
    beforeCents: then.get(key)?.cents ?? null,
    afterCents: now.get(key)?.cents ?? null,
  }))
}

/** How the difference of a change is settled; a higher price is paid unless staff waive it. */
export function settlementOf(
  cents: { before: number; after: number },
  facts: { isCaptured: boolean; waives: boolean },
) {
  const { before, after } = cents
  if (after === before) return 'nothing' satisfies Settlement
  if (after < before) return facts.isCaptured ? 'refund' : 'lower-charge'
  return facts.waives ? 'waiver' : 'payment'
}

/** Returns whether an edit's link can still be paid at `at`. */
export function isPayable(
  { state, expiresAt }: { state: ChangeState; expiresAt: Temporal.Instant | null },
  at: Temporal.Instant,
): boolean {
  return state === 'awaiting-payment' && expiresAt !== null && Temporal.Instant.compare(at, expiresAt) < 0
}
