import type { WheelFacts } from '#domain/catalog/fitment/fitment.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'

/** A tire in the provider's notation, such as 225/65R17 with load index 102 and speed H. */
export type StatedTire = { readonly size: string; readonly loadIndex: number | null; readonly speed: string | null }

/** The original choices for trims with these slugs. It has no trims if the provider doesn't name any. */
export type StatedSizes = {
  readonly trims: readonly string[]
  readonly choices: readonly {
    readonly front: StatedTire
    readonly rear: StatedTire | null
    readonly wheels?: WheelFacts
  }[]
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
  sizesOf(model: ModelYearKey): Promise<Outcome<readonly StatedSizes[], Refused<SizeProblem>>>
}
