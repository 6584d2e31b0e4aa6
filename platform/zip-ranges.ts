/** ZIP codes by their first three to five digits, such as 967, 995-999, or 00601. Safe in the browser. */

const rangeForm = /^(\d{3,5})(?:-(\d{3,5}))?$/

/** Returns the first and last digits of a range. A single prefix is both. */
export function zipRangeEnds(range: string): { first: string; last: string } {
  const [first = '', last = first] = range.split('-')
  return { first, last }
}

/** Returns whether a text is a prefix or a rising range of prefixes with the same number of digits. */
export function isZipRange(text: string): boolean {
  if (!rangeForm.test(text)) return false
  const { first, last } = zipRangeEnds(text)
  return first.length === last.length && first <= last
}

/** Returns whether a range has a ZIP code. */
export function hasZip(range: string, zip: string): boolean {
  const { first, last } = zipRangeEnds(range)
  const prefix = zip.slice(0, first.length)
  return first <= prefix && prefix <= last
}

/** Returns how many digits a range has. More digits are more exact. */
export function zipRangeDigits(range: string): number {
  return zipRangeEnds(range).first.length
}

/** Returns whether two ranges with the same number of digits have a ZIP code in common. */
export function isSameZips(one: string, other: string): boolean {
  const [ends, others] = [zipRangeEnds(one), zipRangeEnds(other)]
  return ends.first.length === others.first.length && ends.first <= others.last && others.first <= ends.last
}
