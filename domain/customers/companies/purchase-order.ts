/**
 * Purchase order numbers in a company's format. A mask instead of a pattern language, so that no mask can be slow to
 * match.
 */

/** `mask` is null if any text of up to 40 characters is allowed. */
export type PoRule = { readonly rule: 'required' | 'optional' | 'off'; readonly mask: string | null }

/** Matches # to a digit, ? to a letter, * to either, everything else to itself, ignoring case. */
export function matchesMask(text: string, mask: string): boolean {
  return text.length === mask.length && [...mask].every((sign, place) => matchesSign(text[place] ?? '', sign))
}

function matchesSign(character: string, sign: string): boolean {
  switch (sign) {
    case '#':
      return /^\d$/.test(character)
    case '?':
      return /^[A-Za-z]$/.test(character)
    case '*':
      return /^[A-Za-z\d]$/.test(character)
    default:
      return character.toLowerCase() === sign.toLowerCase()
  }
}

/** An example of the mask: "PO-12345". */
export function maskWords(mask: string): string {
  let digit = 0
  let letter = 0
  const nextDigit = () => String((digit += 1) % 10)
  const nextLetter = () => 'ABCDEFGHJKLMNPQRSTUVWXYZ'[letter++ % 24] ?? 'A'
  return [...mask]
    .map((sign) => (sign === '#' || sign === '*' ? nextDigit() : sign === '?' ? nextLetter() : sign))
    .join('')
}

/**
 * Returns the problem with a PO number under a rule, worded for the field; null if it is accepted. A missing number is
 * null.
 */
export function poProblem(number: string | null, { rule, mask }: PoRule): string | null {
  if (rule === 'off') return null
  if (number === null) return rule === 'required' ? 'Your company wants a PO number on every order.' : null
  if (mask === null || matchesMask(number, mask)) return null
  return `Write the PO number as your company does, like ${maskWords(mask)}.`
}
