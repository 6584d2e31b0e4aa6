/** Vehicle identification numbers, often given by their last eight characters. Safe in the browser. */

/** Reads a VIN as it is typed, with spaces and in any case; undefined unless it has 17 valid characters. */
export function readVin(text: string): string | undefined {
  const vin = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return /^[A-HJ-NPR-Z0-9]{17}$/.test(vin) ? vin : undefined
}

/** The message for a VIN with a misread character. */
export const wrongCheckDigit = 'This VIN has a wrong check digit. Read it again.'

/**
 * Parses a VIN from a search box; undefined if the text isn't a VIN. The last three characters of a VIN are digits (49
 * CFR 565.15). If entered as several words, such as "1HGCM826 33A004352", its check digit must match.
 */
export function vinInSearch(text: string): string | undefined {
  if (text.length > 40) return undefined
  const vin = readVin(text)
  if (vin === undefined || !/\d{3}$/.test(vin)) return undefined
  return isVinChecked(vin) || !/\s/.test(text.trim()) ? vin : undefined
}

/**
 * Returns whether a search is a VIN or most of one, meaning at least eleven VIN characters without spaces, with a
 * letter and three digits. Such text doesn't request suggestions, so that VINs never appear in URLs and caches.
 */
export function resemblesVin(text: string): boolean {
  const typed = text.trim()
  const isMostOfOne = /^[A-HJ-NPR-Z0-9]{11,17}$/i.test(typed) && /[A-Z]/i.test(typed)
  return (isMostOfOne && typed.replaceAll(/\D/g, '').length >= 3) || vinInSearch(text) !== undefined
}

/** Returns the last eight characters of a VIN or partial VIN; undefined for other text. */
export function vinEnd(text: string): string | undefined {
  const typed = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return readVin(typed)?.slice(-8) ?? (/^[A-HJ-NPR-Z0-9]{8}$/.test(typed) ? typed : undefined)
}

/** Parses a full VIN or its last eight characters; null if empty. `error` is the message for invalid text. */
export function readAnyVin(typed: string): { value: string | null; error?: string } {
  if (typed.trim() === '') return { value: null }
  const end = typed.length > 40 ? undefined : vinEnd(typed)
  if (end === undefined)
    return { value: null, error: 'Enter the last 8 characters of the VIN, or all 17, without I, O and Q.' }
  const whole = readVin(typed)
  if (whole !== undefined && !isVinChecked(whole)) return { value: null, error: wrongCheckDigit }
  return { value: whole ?? end }
}

const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** The number of a character in the check digit of 49 CFR 565.15. */
function valueOf(letter: string): number {
  if (/\d/.test(letter)) return Number(letter)
  const at = 'ABCDEFGH.JKLMN.P.R.STUVWXYZ'.indexOf(letter)
  return at < 9 ? at + 1 : at < 18 ? at - 8 : at - 17
}

/** Whether the ninth character of a whole VIN is what the others say (49 CFR 565.15). */
export function isVinChecked(vin: string): boolean {
  const sum = weights.reduce((total, weight, index) => total + weight * valueOf(vin.charAt(index)), 0)
  return vin[8] === (sum % 11 === 10 ? 'X' : String(sum % 11))
}
