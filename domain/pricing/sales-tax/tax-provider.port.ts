/** A sales tax provider. Tire fees are excluded, because no provider supports them. */
import type { AnsweredTax, TaxedAmount } from '#domain/pricing/pricing/pricing.ts'

/** Where the tires go or are installed; a street and city are missing while only the ZIP is known. */
export type TaxAddress = {
  readonly street: string | null
  readonly city: string | null
  readonly state: string
  readonly zip: string
}

export type TaxQuestion = {
  readonly lines: readonly TaxedAmount[]
  readonly to: TaxAddress
  readonly at: Temporal.Instant
}

/** An answer, with the provider's reference, under which it is kept until then. */
export type TaxCalculation = AnsweredTax & { readonly ref: string; readonly until: Temporal.Instant }

/** `unavailable` can be retried; `refused-input` is permanent. */
export type TaxAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: 'unavailable' | 'refused-input'; readonly message: string }

/** A recorded line, by the id of the order's line. */
export type RecordedLine = { readonly lineId: string; readonly ref: string }

/** What of a recorded line was given back, in cents, both above or equal to zero. */
export type ReversedLine = { readonly lineId: string; readonly amountCents: number; readonly taxCents: number }

export type TaxProvider = {
  /** Answers within two seconds, or is `unavailable`. */
  calculate(question: TaxQuestion): Promise<TaxAnswer<TaxCalculation>>
  /** Records the charged tax, once per key. */
  record(sale: {
    ref: string
    reference: string
    key: string
  }): Promise<TaxAnswer<{ ref: string; lines: RecordedLine[] }>>
  /** Takes a recorded sale back, whole without lines, once for a key. */
  reverse(reversal: {
    ref: string
    reference: string
    lines: readonly (ReversedLine & { ref: string })[] | null
    key: string
  }): Promise<TaxAnswer<{ ref: string }>>
}
