/** Comparing addresses as people write them. Safe in the browser. */

export type StreetAddress = {
  address1: string
  address2: string | null
  city: string
  state: string
  zip: string
}

/** USPS Publication 28, appendices C1 and B, mapping long words to postal abbreviations. */
const short: Readonly<Record<string, string>> = {
  ALLEY: 'ALY',
  AVENUE: 'AVE',
  AV: 'AVE',
  BOULEVARD: 'BLVD',
  CIRCLE: 'CIR',
  COURT: 'CT',
  DRIVE: 'DR',
  EAST: 'E',
  EXPRESSWAY: 'EXPY',
  HIGHWAY: 'HWY',
  LANE: 'LN',
  NORTH: 'N',
  NORTHEAST: 'NE',
  NORTHWEST: 'NW',
  PARKWAY: 'PKWY',
  PLACE: 'PL',
  ROAD: 'RD',
  SOUTH: 'S',
  SOUTHEAST: 'SE',
  SOUTHWEST: 'SW',
  SQUARE: 'SQ',
  STREET: 'ST',
  SUITE: 'STE',
  TERRACE: 'TER',
  TRAIL: 'TRL',
  WEST: 'W',
}
const cityShort: Readonly<Record<string, string>> = { SAINT: 'ST', FORT: 'FT', MOUNT: 'MT', SAINTE: 'STE' }
const units = new Set(['APT', 'APARTMENT', 'STE', 'UNIT', 'BLDG', 'FL', 'RM', 'BAY', 'DOOR'])
const numberWord = /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/i

/** The maximum line length to parse; the rest is ignored. */
const longest = 200

function wordsOf(line: string): string[] {
  return line
    .slice(0, longest)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
}

/** "1430 North Halsted Street, Suite 2" is "1430 N HALSTED ST": what two spellings of one building have in common. */
export function plainStreet(line: string): string {
  const words = wordsOf(line).map((word) => short[word] ?? word)
  const unit = words.findIndex((word, index) => index > 2 && units.has(word))
  return words.slice(0, unit < 0 ? undefined : unit).join(' ')
}

/** "St. Louis" and "Saint Louis" are one city. */
export function isSameCity(one: string, other: string): boolean {
  const plain = (city: string) => wordsOf(city).map((word) => cityShort[word] ?? short[word] ?? word)
  return plain(one).join(' ') === plain(other).join(' ')
}

/** "5th Ave" names a street; "12 5th Ave", "N6W23001 Bluemound Rd" and "One Oak Plaza" name a house on it. */
export function hasHouseNumber(street: readonly (string | null)[]): boolean {
  return street.some((line) => {
    const text = (line ?? '').slice(0, longest).trim()
    return numberWord.test(text) || /\d/.test(text.replaceAll(/\b\d{1,4}(?:st|nd|rd|th)\b/gi, ''))
  })
}

/** Returns whether a driver could find a street, which requires a house number and a name. */
export function isStreet(street: readonly (string | null)[]): boolean {
  return hasHouseNumber(street) && street.some((line) => /\p{L}{2}/u.test((line ?? '').slice(0, longest)))
}

/** Returns a normalized street address with apartment for comparison, regardless of spelling. */
export function plainAddress({
  address1,
  address2,
  zip,
}: Pick<StreetAddress, 'address1' | 'address2' | 'zip'>): string {
  const words = wordsOf(`${address1} ${address2 ?? ''}`).map((word) => short[word] ?? word)
  return [...words.map((word) => (units.has(word) ? 'APT' : word)), zip.slice(0, 5)].join(' ')
}

/** Whether two addresses are the same but for spelling. */
export function isSameAddress(one: StreetAddress, other: StreetAddress): boolean {
  const street = ({ address1, address2 }: StreetAddress) =>
    wordsOf(`${address1} ${address2 ?? ''}`).map((word) => short[word] ?? word)
  return (
    street(one).join(' ') === street(other).join(' ') &&
    isSameCity(one.city, other.city) &&
    one.state === other.state &&
    one.zip.slice(0, 5) === other.zip.slice(0, 5)
  )
}

/** The address in one line: "1430 N Halsted St, Apt 2, Chicago, IL 60614". */
export function addressText({ address1, address2, city, state, zip }: StreetAddress): string {
  return [address1, address2, city, `${state} ${zip}`].filter(Boolean).join(', ')
}
