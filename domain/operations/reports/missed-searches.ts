const maxLength = 60

/**
 * Returns the text a search is counted under, in lowercase with single spaces. Empty for text that may contain personal
 * data (an email address, a number of six or more digits such as a phone or order number, a VIN or a plate, or more
 * than six words) and for overly long text.
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
