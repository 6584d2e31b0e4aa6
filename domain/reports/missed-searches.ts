const maxLength = 60

/**
 * The text under which a search is counted: lowercase, with single spaces. Empty for a text that may hold personal data:
 * an email address, a number of six or more digits, such as those of phones and orders, a VIN or a plate, or more than
 * six words; and for one that is too long.
 */
export function missedQueryOf(typed: string): string {
  const query = typed.slice(0, 200).toLowerCase().replaceAll(/\s+/g, ' ').trim()
  const words = query.split(' ')
  const digits = query.replaceAll(/[\s().-]/g, '')
  const mayBePersonal = query.includes('@') || /\d{6}/.test(digits) || words.length > 6 || words.some(isKey)
  return mayBePersonal || query.length > maxLength ? '' : query
}

/** A long word of letters and digits, as VINs and keys are. */
function isKey(word: string): boolean {
  return word.length > 12 && /\d/.test(word)
}
