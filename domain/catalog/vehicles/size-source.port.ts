import type { Outcome, Refused } from '#platform/outcome.ts'
import type { ListedTire } from './vehicle.ts'

/** An original choice of sizes, for trims with these slugs. It has no trims if the provider doesn't name any. */
export type ProvidedOption = {
  readonly trims: readonly string[]
  readonly front: ListedTire
  readonly rear: ListedTire
}

/** One year of a model. */
export type ModelYearKey = { readonly year: number; readonly makeSlug: string; readonly modelSlug: string }

/** Why a provider has no answer. */
export type SizeProblem = 'refused-key' | 'over-quota' | 'unavailable'

/** A provider that lists original sizes for vehicles sold in the United States. */
export interface SizeSource {
  readonly name: 'wheel-size'
  /** The most calls a day, in UTC. */
  readonly callsPerDay: number
  /** Returns the original sizes of one year of a model; empty for a model that the provider doesn't have. Never throws. */
  sizesOf(model: ModelYearKey): Promise<Outcome<readonly ProvidedOption[], Refused<SizeProblem>>>
}
