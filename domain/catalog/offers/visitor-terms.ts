/**
 * A visitor's pricing terms in addition to the account's price list: programs, sales channel and tax certificates.
 * Pure.
 */
import type { ExemptionCertificate, ProgramOffer, SalesChannel } from '#domain/pricing/pricing/pricing.ts'

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
 * Returns a cache key for terms. Equal keys have equal prices, and different prices have different keys. It identifies
 * no person, so that visitors with the same terms share derived values.
 */
export function termsKey({ programs, channel, exemptions }: VisitorTerms): string {
  return [
    ...programs.map((program) => (program.kind === 'referral' ? `referral ${program.ratePpm}` : program.kind)),
    ...(channel ? [channel] : []),
    ...exemptions.map(({ stateCode, validThrough }) => `${stateCode} ${validThrough?.toString() ?? 'unlimited'}`),
  ].join(', ')
}
