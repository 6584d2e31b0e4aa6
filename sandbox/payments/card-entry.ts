/** A card as typed into the fields. `expiry` is MM/YY. */
export type CardEntry = { number: string; expiry: string; cvc: string; zip: string }
/** Error messages by field, for the shopper; fields without an error are absent. */
export type CardFaults = { [Field in keyof CardEntry]?: string }

/**
 * Checks everything that does not need the bank. `year` (4 digits) and `month` (1-12) are the current ones. A card is
 * valid through the end of its month.
 *
 * NOTE: the card fields run this function in the browser, where it is sent as source text. It must not use anything
 * from outside itself.
 */
export function cardFaults(entry: CardEntry, year: number, month: number): CardFaults {
  function expiryFault(): string | undefined {
    const expiry = entry.expiry.replace(/\s/g, '')
    if (expiry === '') return 'Please fill out an expiration date'
    const parts = /^(\d{1,2})\/?(\d{2})$/.exec(expiry)
    const expiresMonth = Number(parts?.[1])
    const expiresYear = 2000 + Number(parts?.[2])
    const isPast = expiresYear < year || (expiresYear === year && expiresMonth < month)
    const isValid = parts && expiresMonth >= 1 && expiresMonth <= 12 && !isPast && expiresYear <= year + 20
    return isValid ? undefined : 'This expiration date is not valid'
  }

  const faults: CardFaults = {}

  const digits = entry.number.replace(/[ -]/g, '')
  // Checks the Luhn digit. Every second digit from the right is doubled with its digits summed, and the total is a
  // multiple of ten.
  const total = [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  if (!/^\d{13,19}$/.test(digits) || total % 10 !== 0) faults.number = 'The card number is not valid'

  const ofExpiry = expiryFault()
  if (ofExpiry !== undefined) faults.expiry = ofExpiry

  const cvcLength = /^3[47]/.test(digits) ? 4 : 3
  if (entry.cvc.trim().length !== cvcLength || !/^\d+$/.test(entry.cvc.trim()))
    faults.cvc = `Enter the ${cvcLength}-digit security code printed on the card`
  if (!/^\d{5}(-\d{4})?$/.test(entry.zip.trim())) faults.zip = 'Enter the 5-digit ZIP code of the billing address'
  return faults
}

/** The month and year of a checked entry: `{ month: 3, year: 2028 }`. */
export function expiryOf(entry: CardEntry): { month: number; year: number } {
  const digits = entry.expiry.replace(/\D/g, '')
  return { month: Number(digits.slice(0, -2)), year: 2000 + Number(digits.slice(-2)) }
}
