/** Maps fitment results to the tone of a line. The tone sets its icon and color. */
import { isFactorySize, type Level } from '#domain/catalog/fitment/fitment.ts'
import type { FitTone } from '#app/ui/tire-facts.tsx'

/** Tones by level, such as for a single rule. */
export const levelTones: Record<Level, FitTone> = {
  fits: 'yes',
  fits_with_conditions: 'conditions',
  unknown: 'unknown',
  does_not_fit: 'no',
}

type Result = { readonly verdict: Level; readonly conditions: readonly { readonly code: string }[] }

/** Returns a result's tone. An OE size with only the placard left to confirm isn't a warning. */
export function fitToneOf(result: Result): FitTone {
  return isFactorySize(result) ? 'listed' : levelTones[result.verdict]
}

/** Returns the combined tone of several sets with the lowest level `verdict`. */
export function setsToneOf({ verdict, sets }: { readonly verdict: Level; readonly sets: readonly Result[] }): FitTone {
  const isListed = sets.every((set) => set.verdict === 'fits' || isFactorySize(set))
  return verdict === 'fits_with_conditions' && isListed ? 'listed' : levelTones[verdict]
}
