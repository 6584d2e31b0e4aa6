/**
 * What a visitor pays besides the account's price list: the programs, the sales channel and the tax certificates that
 * the cart counts for them. Pure.
 */
import type { ExemptionCertificate, ProgramOffer, SalesChannel } from '#domain/pricing/pricing.ts'

/** A coupon belongs to one cart and its tires, so it is not part of these terms. */
export type VisitorTerms = {
  readonly programs: readonly Exclude<ProgramOffer, { kind: 'coupon' }>[]
  readonly channel?: SalesChannel | undefined
  /** The company's accepted certificates, one for each state. */
  readonly exemptions: readonly ExemptionCertificate[]
}

/** The terms of guests without a program. */
export const publicTerms: VisitorTerms = { programs: [], exemptions: [] }

/**
 * Returns a cache key under which equal terms lead to equal prices, and different ones do not share a price. It names
 * no person: visitors with the same terms share what is derived for them.
 */
export function termsKey({ programs, channel, exemptions }: VisitorTerms): string {
  return [
    ...programs.map((program) => (program.kind === 'referral' ? `referral ${program.ratePpm}` : program.kind)),
    ...(channel ? [channel] : []),
    ...exemptions.map(({ stateCode, validThrough }) => `${stateCode} ${validThrough?.toString() ?? 'unlimited'}`),
  ].join(', ')
}
