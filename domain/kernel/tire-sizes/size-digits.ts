/** Parses a tire size from search box input. */

/** The digits of a word that may be a size ("225/65R17", "2256517"), or null for any other word. */
export function sizeDigits(word: string): string | null {
  const digits = word.replaceAll(/\D/g, '')
  return digits.length >= 3 && /^(?:p|lt|st|t)?[\dx/.]+(?:z?r[\d.]+)?(?:c|lt)?$/i.test(word) ? digits : null
}
