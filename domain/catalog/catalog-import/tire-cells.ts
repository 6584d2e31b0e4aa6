/** Tire cells, checked with the tables and grammar of the fitment rules. */
import {
  isLoadRange,
  isSpeedSymbol,
  loadOf,
  parseTire,
  sizeDesignation,
  sizeSlug,
  tireGeometry,
  type LoadRange,
  type SpeedSymbol,
  type TireKind,
  type TireSize,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { parseDotWeek } from '#platform/dot-week.ts'
import { slugOf } from '#platform/slug.ts'
import { countOf } from '#platform/count-text.ts'
import { text, type Reader } from './cells.ts'

/** A size as the `size` table stores it, and as parsed. */
export type SizeCell = {
  parsed: TireSize
  designation: string
  slug: string
  kind: 'P' | 'LT' | 'FLOTATION' | 'C' | 'ST' | 'T' | 'COMMERCIAL'
  sectionWidthMm: number
  aspect: number
  rimIn: number
  overallDiameterMm: number
}

const kinds: Record<TireKind, SizeCell['kind']> = {
  passenger: 'P',
  lt: 'LT',
  c: 'C',
  st: 'ST',
  spare: 'T',
  commercial: 'COMMERCIAL',
}

/** Only the size. Load index, speed and load range have separate columns, and duplicate facts would diverge. */
export const size: Reader<SizeCell> = {
  expected: 'a tire size alone, such as 225/65R17, LT275/70R18, 35X12.50R17LT or 11R22.5',
  problem: 'is not a tire size we can read',
  read(text) {
    const tire = parseTire(text)
    if (
      !tire ||
      tire.loadIndex !== undefined ||
      tire.loadClass !== undefined ||
      tire.loadRange !== undefined ||
      tire.runFlat
    )
      return undefined
    const { rimIn, sectionWidthMm, sidewallMm, overallDiameterMm } = tireGeometry(tire.size)
    // An inch size such as 7.50R16 has no known diameter, which pages and rules need.
    if (sidewallMm === undefined || overallDiameterMm === undefined) return undefined
    return {
      parsed: tire.size,
      designation: sizeDesignation(tire.size),
      slug: sizeSlug(tire.size),
      kind: tire.size.form === 'flotation' ? 'FLOTATION' : kinds[tire.size.kind],
      sectionWidthMm: hundredths(sectionWidthMm),
      aspect: hundredths((sidewallMm / sectionWidthMm) * 100),
      rimIn,
      overallDiameterMm: hundredths(overallDiameterMm),
    }
  },
}

export const loadIndex: Reader<number> = {
  expected: 'a load index from 0 to 160',
  problem: 'is not a load index',
  read: (text) => (/^\d{1,3}$/.test(text) && loadOf(Number(text)) ? Number(text) : undefined),
}

export const speed: Reader<SpeedSymbol> = {
  expected: 'a speed symbol such as T, H, V, W, Y or (Y)',
  problem: 'is not a speed symbol',
  read(text) {
    const upper = text.toUpperCase()
    return isSpeedSymbol(upper) ? upper : undefined
  },
}

export const loadRange: Reader<LoadRange> = {
  expected: 'a load range letter: B, C, D, E, F, G, H, J or L',
  problem: 'is not a load range',
  read(text) {
    const upper = text.toUpperCase()
    return isLoadRange(upper) ? upper : undefined
  },
}

/** A name and its slug. */
export const name: Reader<{ name: string; slug: string }> = {
  expected: 'a name of at most 60 characters with a letter or digit in it',
  problem: 'is not a name that can stand in an address',
  read(text) {
    const slug = slugOf(text)
    return text.length <= 60 && slug !== '' && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)
      ? { name: text, slug }
      : undefined
  },
}

/** The DOT week (49 CFR 574.5): "2326" is week 23 of 2026 → the Monday of that week, "2026-06-01". */
export function dotWeek(today: Temporal.PlainDate): Reader<string> {
  return {
    expected: 'week and year of making as on the tire, four digits such as 2326 for week 23 of 2026, not in the future',
    problem: 'is not a DOT week',
    read: (text) => parseDotWeek(text, today),
  }
}

/**
 * A GTIN (UPC, EAN) → its shortest form. The last digit checks the others (GS1 General Specifications, 7.9.1). Numbers that
 * GS1 leaves to stores and coupons (prefixes 02, 04, 2, 98 and 99) name no product.
 */
export const gtin: Reader<string> = {
  expected: 'the 8, 12, 13 or 14 digits below the bar code, such as 036000291452',
  problem(text) {
    if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return 'is not a GTIN'
    return hasCheckDigit(text) ? 'is a number for use inside a store, not a GTIN' : 'has a wrong check digit'
  },
  read(text) {
    if (!/^(?:\d{8}|\d{12,14})$/.test(text) || !hasCheckDigit(text)) return undefined
    const whole = text.padStart(14, '0')
    if (whole.startsWith('000000')) return whole.slice(6)
    if (/^\d(?:02|04|2|98|99)/.test(whole)) return undefined
    return whole.startsWith('00') ? whole.slice(2) : whole.startsWith('0') ? whole.slice(1) : whole
  },
}

function hasCheckDigit(text: string): boolean {
  let sum = 0
  for (const [place, digit] of [...text.padStart(14, '0')].entries()) sum += Number(digit) * (place % 2 === 0 ? 3 : 1)
  return sum % 10 === 0
}

/** A part number, with its letters and digits in capitals as the key for comparisons. */
export function partNumber(longest: number): Reader<{ number: string; key: string }> {
  return {
    expected: `a part number of at most ${countOf(longest, 'character')} with a letter or digit in it`,
    problem: 'is not a part number',
    read(number) {
      const key = number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
      return key !== '' && text(longest).read(number) !== undefined ? { number, key } : undefined
    },
  }
}

export const brandCode: Reader<string> = {
  expected: 'the four letters of a brand',
  problem: 'is not the code of a brand',
  read: (code) => (/^[A-Z]{4}$/.test(code) ? code : undefined),
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
/** Codes that aren't countries, such as unions, unknown and test regions. */
const noCountries: readonly string[] = ['EU', 'EZ', 'UN', 'QO', 'ZZ', 'XA', 'XB']

/** A country by its two letters (ISO 3166-1). */
export const country: Reader<string> = {
  expected: 'the two letters of a country, such as US or TH',
  problem: 'is not a country',
  read(text) {
    const upper = text.toUpperCase()
    return /^[A-Z]{2}$/.test(upper) && !noCountries.includes(upper) && countryNames.of(upper) !== undefined
      ? upper
      : undefined
  },
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
