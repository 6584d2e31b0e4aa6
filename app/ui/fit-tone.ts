/** Fitment results as the tone of a line: its icon and its color. */
import { isFactorySize, type Level } from '#domain/fitment/fitment.ts'
import type { FitTone } from '#app/ui/tire-facts.tsx'

/** Tones of a level alone, as of one rule. */
export const levelTones: Record<Level, FitTone> = {
  fits: 'yes',
  fits_with_conditions: 'conditions',
  unknown: 'unknown',
  does_not_fit: 'no',
}

type Result = { readonly verdict: Level; readonly conditions: readonly { readonly code: string }[] }

/** The tone of a result: a factory size whose door label alone is left to confirm is no warning. */
export function fitToneOf(result: Result): FitTone {
  return isFactorySize(result) ? 'listed' : levelTones[result.verdict]
}

/** The tone of several sets together, whose lowest level is `verdict`. */
export function setsToneOf({ verdict, sets }: { readonly verdict: Level; readonly sets: readonly Result[] }): FitTone {
  const isListed = sets.every((set) => set.verdict === 'fits' || isFactorySize(set))
  return verdict === 'fits_with_conditions' && isListed ? 'listed' : levelTones[verdict]
}
