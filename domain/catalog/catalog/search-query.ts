/** Parses a search into a size, year, item number, ZIP code, filters, and the remaining words. */
import { isSaidFor, kindsForUse, otherWords } from './search-words.ts'
import { parseTire, sizeSlug, type LoadRange, type TireMarking } from '#domain/kernel/tire-sizes/tire-sizes.ts'

export type SearchQuery = {
  /** Lowercase, single spaces, at most 80 characters. */
  readonly text: string
  /** The size in the text, in any common notation. */
  readonly size: string | null
  /** A second, wider size for the rear wheels. */
  readonly rear: string | null
  /** The digits of an incomplete size: "225/65 r" gives "22565". */
  readonly sizeDigits: string | null
  /** The letters in front of such a size ("LT" or "ST"), or empty. */
  readonly sizeLetters: string
  readonly year: number | null
  /** An integer, which may be an item, a size in digits or a ZIP code. */
  readonly number: number | null
  readonly zip: string | null
  /** Words other than size, year and filters, letters and digits only, at most five. */
  readonly words: readonly string[]
  /** The words, plus adjacent ones joined: "cr v" also means "crv". */
  readonly terms: readonly string[]
  /** The kinds of tire that a use in the text suggests: "sport tires" may be summer tires. Matched with kinds only. */
  readonly kindTerms: readonly string[]
  /**
   * The whole text without filler words, joined, for comparing with questions and pages; and every run of up to four of
   * those words.
   */
  readonly phrase: string
  readonly runs: readonly string[]
  /** The whole text in letters and digits only, which ends with its last term. */
  readonly ending: string
  readonly filters: SearchFilters
}

/** A text's tire filters, excluding the searched name. */
export type SearchFilters = {
  /** The load range by letter or ply rating: "E", "10 ply". */
  readonly range: LoadRange | null
  readonly runFlat: boolean
  readonly cheap: boolean
  /** A number followed by "inch", a quote mark or "s". It is the wheel ("20 inch") or tire height ("35s"). */
  readonly inches: number | null
  /** The drive type, if stated: "4x4", "xdrive"; "4x2", "fwd". */
  readonly drive: 'all' | 'two' | null
  /** The text is about shops or nearby places. */
  readonly shops: boolean
}

/** Parses a search. Accepts any text; one without letters and digits has no words. */
export function readSearch(typed: string): SearchQuery {
  // Truncated before decomposition, because one character can become eighteen.
  const text = typed.slice(0, 200).normalize('NFKD').toLowerCase().replaceAll(/\s+/g, ' ').trim().slice(0, 80)
  const { filters, rest: unfiltered } = readFilters(text)
  const { found, size, rear, others } = takeSizes(unfiltered.split(' ').filter((word) => word !== ''))
  const rim = found || filters.inches !== null ? undefined : rimAlone(others)
  const rest = others.filter((word) => word !== rim)
  const wanted = rim === undefined ? filters : { ...filters, inches: Number(rim.replaceAll(/\D/g, '')) }
  const year = rest.find((word) => /^(19[5-9]\d|20\d\d)$/.test(word))
  const all = rest.filter((word) => word !== year).flatMap((word) => plainWord(word) || [])
  const said = all.filter((word) => !smallWords.has(word))
  // A text of only filler words is searched by them.
  const isSaid = said.length > 0 || found !== undefined || year !== undefined || rim !== undefined
  const words = (isSaid ? said : all.filter((word) => !emptyWords.has(word))).slice(0, 5)
  const terms = termsOf(words)
  const digits = /^\d{1,9}$/.test(text) ? text : null
  return {
    text,
    size,
    rear,
    sizeDigits: sizeDigits(text),
    sizeLetters: /^(lt|st)/.exec(text)?.[0].toUpperCase() ?? '',
    year: year === undefined ? null : Number(year),
    number: digits === null ? null : Number(digits),
    zip: zipOf(text, rest, wanted),
    words,
    terms,
    kindTerms: kindTermsOf(words, all).filter((term) => !terms.includes(term)),
    phrase: phraseOf(text),
    ending: text.replaceAll(/[^a-z0-9]/g, ''),
    runs: runsOf(phraseWords(text).slice(0, 8)),
    filters: found ? withMarking(wanted, found.tire) : wanted,
  }
}

/**
 * Expands a two-digit year in front of a name, such as "22 camry" to "2022 camry". Returns null without such digits.
 */
export function withWholeYear(typed: string): string | null {
  const found = /^\s*['\u2019]?([0-2]\d|9\d) (?=[a-z])/i.exec(typed)
  return found ? `${found[1]?.startsWith('9') ? 19 : 20}${found[1]} ${typed.slice(found[0].length)}` : null
}

/** Extracts up to two sizes from the words, with the narrower front size first. */
function takeSizes(words: readonly string[]) {
  const found = findSize(words)
  if (!found) return { found, size: null, rear: null, others: words }
  const afterFirst = words.toSpliced(found.from, found.count)
  const second = findSize(afterFirst)
  if (!second) return { found, size: sizeSlug(found.tire.size), rear: null, others: afterFirst }
  const others = afterFirst.toSpliced(second.from, second.count).filter((word) => !axleWords.has(word))
  const [size = '', rear = ''] = [found, second]
    .map(({ tire }) => sizeSlug(tire.size))
    .toSorted((a, b) => widthOf(a) - widthOf(b))
  return { found, size, rear: rear === size ? null : rear, others }
}

/**
 * Matches five digits, optionally with filler words, as in "tires near 60614". Tests the raw text, because punctuation
 * distinguishes a size from a ZIP code, as in "225/65" and "750-16".
 */
function zipOf(text: string, typedWords: readonly string[], { inches }: SearchFilters): string | null {
  if (fiveDigits.test(text)) return text
  const said = typedWords.filter((word) => !smallWords.has(plainWord(word)))
  const [word] = said
  return said.length === 1 && word !== undefined && inches === null && fiveDigits.test(word) ? word : null
}

const fiveDigits = /^\d{5}$/

const axleWords = new Set(['front', 'fronts', 'rear', 'rears', 'back'])

/** Returns a separately typed wheel diameter such as "r17", but not next to an incomplete size. */
function rimAlone(words: readonly string[]): string | undefined {
  return words.some((word) => /^\d/.test(word) && !/^(19|20)\d\d$/.test(word))
    ? undefined
    : words.find((word) => /^z?r(1[2-9]|2[0-6])$/.test(word))
}

/** Returns the first number of a size. It is the width, or the height if both are in inches. */
function widthOf(slug: string): number {
  return Number(/\d+/.exec(slug)?.[0] ?? 0)
}

/** A marking after the size counts like the spelled-out filter. */
function withMarking(filters: SearchFilters, { loadRange, runFlat }: TireMarking): SearchFilters {
  return { ...filters, range: filters.range ?? loadRange ?? null, runFlat: filters.runFlat || runFlat === true }
}

/** Normalizes a question or page name for comparison by removing filler words and punctuation and joining the rest. */
export function phraseOf(text: string): string {
  return phraseWords(text).join('')
}

function phraseWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .split(' ')
    .map(plainWord)
    .filter((word) => !phraseFillers.has(word))
}

/** Normalizes the name of a shop or place for comparison. */
export function nameWords(name: string): string[] {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .split(/[\s/-]+/)
    .map(plainWord)
    .filter((word) => !smallWords.has(word))
}

function plainWord(word: string): string {
  const plain = word.replaceAll(/[^a-z0-9]/g, '')
  return plain === 'saint' ? 'st' : plain
}

const plies: Readonly<Record<string, LoadRange>> = { 6: 'C', 8: 'D', 10: 'E', 12: 'F', 14: 'G' }

/** Extracts filters from anywhere in the text. Each pattern is a few bounded words, so that no input is slow. */
function readFilters(text: string): { filters: SearchFilters; rest: string } {
  let rest = ` ${text} `
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest)
    if (found) rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`
    return found
  }
  const ply = take(/ (6|8|10|12|14)[ -]?(?:ply|pr)(?: rated)?(?= )/)
  const range = take(/ (?:load range|range|lr) ?([c-g])(?= )/) ?? take(/ ([c-g])[ -](?:rated|range|load)(?= )/)
  const runFlat = take(/ (?:run ?-?flats?|rft|rof|zp)(?= )/)
  const cheap = take(/ (?:cheap|cheapest|cheaper|budget|affordable|inexpensive|discount)(?= )/)
  const inches =
    take(/ (\d{2}(?:\.5)?) ?-?(?:"|''|”|″|in|inch|inches)(?: (?:rims?|wheels?))?(?= )/) ??
    take(/ (\d{2})(?: (?:rims?|wheels?)|s)(?= )/)
  const drive = take(
    / (?:(4x4|4wd|awd|all wheel drive|four wheel drive|4 wheel drive|xdrive|quattro|4matic|4motion)|4x2|2wd|fwd|rwd|sdrive|two wheel drive)(?= )/,
  )
  const shops =
    take(/ (?:near ?(?:me|by)|nearby|close to me|closest|nearest|around me|local)(?= )/) ??
    take(/ (?:near|shops?|stores?|installers?|dealers?)(?= )/)
  const letter = range?.[1]?.toUpperCase() ?? plies[ply?.[1] ?? '']
  return {
    filters: {
      range: (letter as LoadRange | undefined) ?? null,
      runFlat: runFlat !== null,
      cheap: cheap !== null,
      inches: inches ? Number(inches[1]) : null,
      drive: drive ? (drive[1] === undefined ? 'two' : 'all') : null,
      shops: shops !== null,
    },
    rest: rest.replaceAll(/\s+/g, ' ').trim(),
  }
}

/** Words that do not say which tire is meant. */
const emptyWords = new Set(['tire', 'tires', 'tyre', 'tyres', 'for', 'a', 'the', 'my', 'size', 'sizes', 'and', ''])
/** Filler words, which names match only if there are no other words. */
const smallWords = new Set([
  ...emptyWords,
  ...'an of on in with to at from by me i we is are am be do does did you your our it its this that these what whats which who where when why how can could should'.split(
    ' ',
  ),
  ...'would will need needs want looking look find get buy buying order please best great top set pair price prices cost much many any some wheel wheels'.split(
    ' ',
  ),
  ...'install installed installation car truck vehicle brand brands drive shop store'.split(' '),
])
/** Optional words in a question. */
const phraseFillers = new Set([
  '',
  ...'a an the my your is are do does did has have you i we how can could should what whats when to of for please me on in with it and tire tires get still'.split(
    ' ',
  ),
])

/** The longest run of up to four words that parses as a size. */
function findSize(words: readonly string[]): { tire: TireMarking; from: number; count: number } | undefined {
  for (let count = Math.min(4, words.length); count >= 1; count--) {
    for (let from = 0; from + count <= words.length; from++) {
      const typed = words.slice(from, from + count)
      // "F 150 2017" is a model and its year, not 150/20R17.
      const isModelAndYear = count === 2 && typed.every((word) => /^\d{3,4}$/.test(word))
      const tire = isModelAndYear ? undefined : parseTire(typed.join(' '))
      if (tire) return { tire, from, count }
    }
  }
  return undefined
}

function sizeDigits(text: string): string | null {
  const digits = text.replaceAll(/\D/g, '')
  return digits.length >= (/^(lt|st)/.test(text) ? 1 : 3) && /^(p|lt|st|hl|t)? ?\d[\d ./xr-]*(lt|c)?$/.test(text)
    ? digits
    : null
}

function runsOf(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    [1, 2, 3, 4].flatMap((count) => (from + count <= words.length ? [words.slice(from, from + count).join('')] : [])),
  )
}

function termsOf(words: readonly string[]): string[] {
  const joined = [2, 3].flatMap((count) =>
    words.slice(count - 1).map((_, from) => words.slice(from, from + count).join('')),
  )
  const whole = words.length > 3 ? [words.join('')] : []
  return [...new Set([...words, ...joined, ...whole, ...[...words, ...joined].flatMap((word) => otherWords(word))])]
}

/** The kinds for the uses in the words, and in pairs of all words that were typed: "box truck". */
function kindTermsOf(words: readonly string[], all: readonly string[]): string[] {
  const pairs = [words, all].flatMap((each) => each.slice(1).map((word, index) => `${each[index]}${word}`))
  const runs = [...words, ...pairs]
  return [...new Set(runs.flatMap(kindsForUse))]
}

/** Whether a typed word is part of a term, or a synonym. */
export function isPartOf({ words }: Pick<SearchQuery, 'words'>, word: string, term: string): boolean {
  // One or two letters within another typed word are a coincidence, such as the "f" of "ford f 150" in "ford".
  if (word !== term && word.length <= 2 && words.includes(term)) return false
  return term.includes(word) || isSaidFor(word, term)
}
