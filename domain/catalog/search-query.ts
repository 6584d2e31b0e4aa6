/** What a shopper typed into the search box, taken apart: a size, a year, an article number, a ZIP, and the words that are left. */
import { parseTireSize, sizeSlug } from '#domain/fitment/fitment.ts'

export type SearchQuery = {
  /** Lower case, single spaces, at most 80 characters. */
  readonly text: string
  /** The size the words contain, in any usual writing. */
  readonly size: string | null
  /** The digits of a size still being typed: "225/65 r" gives "22565". */
  readonly sizeDigits: string | null
  /** The letters such a size begins with: "LT", "ST" or none. */
  readonly sizeLetters: string
  readonly year: number | null
  /** A whole number: an article, a size in digits or a ZIP. */
  readonly number: number | null
  readonly zip: string | null
  /** Words besides size and year, letters and digits only, at most five. */
  readonly words: readonly string[]
  /** The words, and neighbours joined: "cr v" also means "crv". */
  readonly terms: readonly string[]
}

/** Takes a typed text apart. Any text can be read; one without letters and digits has no words. */
export function readSearch(typed: string): SearchQuery {
  // Cut before it is decomposed: one sign may become eighteen.
  const text = typed.slice(0, 200).normalize('NFKD').toLowerCase().replaceAll(/\s+/g, ' ').trim().slice(0, 80)
  const typedWords = text.split(' ').filter((word) => word !== '')
  const found = findSize(typedWords)
  const rest = found ? typedWords.toSpliced(found.from, found.count) : typedWords
  const year = rest.find((word) => /^(19[5-9]\d|20\d\d)$/.test(word))
  const words = rest
    .filter((word) => word !== year && !emptyWords.has(word))
    .map((word) => word.replaceAll(/[^a-z0-9]/g, ''))
    .filter((word) => word !== '')
    .slice(0, 5)
  const digits = /^\d{1,9}$/.test(text) ? text : null
  return {
    text,
    size: found?.slug ?? null,
    sizeDigits: sizeDigits(text),
    sizeLetters: /^(lt|st)/.exec(text)?.[0].toUpperCase() ?? '',
    year: year === undefined ? null : Number(year),
    number: digits === null ? null : Number(digits),
    zip: digits?.length === 5 ? digits : null,
    words,
    terms: termsOf(words),
  }
}

/** Words that say nothing about which tire is meant. */
const emptyWords = new Set(['tire', 'tires', 'for', 'a', 'the', 'my', 'size', 'and', '&'])

/** The longest run of up to three words that reads as a size. */
function findSize(words: readonly string[]): { slug: string; from: number; count: number } | undefined {
  for (let count = Math.min(3, words.length); count >= 1; count--) {
    for (let from = 0; from + count <= words.length; from++) {
      const size = parseTireSize(words.slice(from, from + count).join(' '))
      if (size) return { slug: sizeSlug(size), from, count }
    }
  }
  return undefined
}

function sizeDigits(text: string): string | null {
  const digits = text.replaceAll(/\D/g, '')
  return digits.length >= (/^(lt|st)/.test(text) ? 1 : 3) && /^(p|lt|st|hl|t)? ?\d[\d ./xr-]*(lt|c)?$/.test(text) ? digits : null
}

function termsOf(words: readonly string[]): string[] {
  const joined = [2, 3].flatMap((count) => words.slice(count - 1).map((_, from) => words.slice(from, from + count).join('')))
  return [...new Set([...words, ...joined, ...words.flatMap((word) => otherWords[word] ?? [])])]
}

/** What people say for what we call otherwise. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  snow: ['winter'],
  ice: ['winter'],
  offroad: ['allterrain'],
  suv: ['crossover'],
  chevy: ['chevrolet'],
  vw: ['volkswagen'],
  benz: ['mercedesbenz'],
  beemer: ['bmw'],
  caddy: ['cadillac'],
}
