/** Vehicle identification numbers, of which people say the last eight characters. Safe in the browser. */

/** Reads a VIN as it is typed, with spaces and in any case; undefined unless it has 17 valid characters. */
export function readVin(text: string): string | undefined {
  const vin = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return /^[A-HJ-NPR-Z0-9]{17}$/.test(vin) ? vin : undefined
}

/** The last eight characters of a VIN, or of those that somebody searches for; undefined for any other text. */
export function vinEnd(text: string): string | undefined {
  const typed = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return readVin(typed)?.slice(-8) ?? (/^[A-HJ-NPR-Z0-9]{8}$/.test(typed) ? typed : undefined)
}
