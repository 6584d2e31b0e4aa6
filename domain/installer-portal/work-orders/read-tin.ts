/** Finds the DOT code in a sidewall photo, with any OCR engine. Safe in the browser, where the photo stays. */
import {
  lookThrough,
  type GrayPicture,
  type LookOptions,
  type ReadLine,
} from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { parseTin, tinWeek } from './tin.ts'

/** `confidence`: the OCR engine's, 0 to 100, lower for each corrected character, higher after the letters DOT. */
export type ReadTin = { readonly tin: string; readonly confidence: number }

/** The characters of a DOT code; the O of DOT is read as a zero. */
export const tinLetters = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ '

/**
 * Returns the DOT code in a photo; undefined if no code is credible, or it was stopped. Tries views in sequence until a
 * code was read clearly, or twice. `now` is the current week, since a future production week is invalid.
 */
export async function readTinPhoto(
  photo: GrayPicture,
  { now, ...options }: LookOptions & { now: Week },
): Promise<ReadTin | undefined> {
  let tins: ReadTin[] = []
  const isWhole = await lookThrough(photo, options, (lines) => {
    tins = mergeTins([...tins, ...readTins(lines, now)])
    return (tins[0]?.confidence ?? 0) >= sureConfidence
  })
  const [first] = tins
  return isWhole && first && first.confidence >= leastConfidence ? first : undefined
}

export type Week = { readonly week: number; readonly year: number }

/** The week of a date, counted from January 1 as `tinWeek` counts it to within days. */
export function weekOf({ year, month, day }: { year: number; month: number; day: number }): Week {
  return { week: Math.ceil((30.44 * (month - 1) + day) / 7), year }
}

/** The DOT codes in `lines`, most certain first. A code may be on two lines, as its parts are molded apart. */
export function readTins(lines: readonly ReadLine[], now: Week): ReadTin[] {
  const plain = lines.slice(0, mostLines).map(({ text, confidence }) => ({ text: plainText(text), confidence }))
  const pairs = plain.slice(1).map(({ text, confidence }, index) => ({
    text: `${plain[index]?.text} ${text}`,
    confidence: Math.min(confidence, plain[index]?.confidence ?? 0) * correctedFactor,
  }))
  return mergeTins([...plain, ...pairs].flatMap(({ text, confidence }) => tinsInLine(text, confidence, now)))
}

/** Merges repeated readings, which raise the confidence. */
function mergeTins(tins: readonly ReadTin[]): ReadTin[] {
  const merged = new Map<string, number>()
  for (const { tin, confidence } of tins) {
    const before = merged.get(tin)
    merged.set(tin, before === undefined ? confidence : 100 - ((100 - before) * (100 - confidence)) / 100)
  }
  return [...merged].map(([tin, confidence]) => ({ tin, confidence })).toSorted((a, b) => b.confidence - a.confidence)
}

const sureConfidence = 80
const leastConfidence = 50
const correctedFactor = 0.9
/** Confidence is ignored, because text after DOT that ends in a recent week isn't a coincidence. */
const confidenceAfterDot = 55
/** Plant, manufacturer code and date are spaced, so separately read parts may belong together. */
const mostParts = 5
const [mostLines, longestLine] = [200, 200]
const oldestYears = 12
/** Without DOT before it, a shorter text that ends in a date is a load or a pressure. */
const leastWithoutDot = 10

function plainText(text: string): string {
  return text
    .slice(0, longestLine)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, ' ')
}

function tinsInLine(text: string, confidence: number, now: Week): ReadTin[] {
  const parts = text.split(' ').filter((part) => part !== '')
  return parts.flatMap((part, index) => {
    const dot = /^D[O0QD]?[T7](.*)$/.exec(part)
    const best = dot
      ? bestOf([dot[1] ?? '', ...parts.slice(index + 1)], now)
      : bestOf(parts.slice(index), now, leastWithoutDot)
    if (!best) return []
    const base = dot ? confidenceAfterDot : 0
    const sure = Math.min(100, Math.max(0, confidence))
    return [{ tin: best.tin, confidence: (base + ((100 - base) * sure) / 100) * correctedFactor ** best.corrections }]
  })
}

type Guess = { tin: string; corrections: number }

/** The longest code that the first parts make together, with the fewest corrections. */
function bestOf(parts: readonly string[], now: Week, least = 0): Guess | undefined {
  const guesses = Array.from({ length: Math.min(mostParts, parts.length) }, (_, index) =>
    corrected(parts.slice(0, index + 1).join('')),
  )
  return guesses
    .flatMap(({ tin, corrections }) => {
      const parsed = parseTin(tin)
      return parsed && parsed.length >= least && isRecent(parsed, now) ? [{ tin: parsed, corrections }] : []
    })
    .toSorted((a, b) => a.corrections - b.corrections || b.tin.length - a.tin.length)[0]
}

function isRecent(tin: string, now: Week): boolean {
  const { week, year } = tinWeek(tin)
  const isAhead = year > now.year || (year === now.year && week > now.week)
  return !isAhead && year >= now.year - oldestYears
}

const neverOnTires: Readonly<Record<string, string>> = { O: '0', Q: '0', I: '1' }
const likeDigits: Readonly<Record<string, string>> = {
  ...neverOnTires,
  D: '0',
  L: '1',
  Z: '2',
  A: '4',
  S: '5',
  G: '6',
  T: '7',
  B: '8',
}

/** Letters not used on tires are digits, as is anything in the positions of the week and year. */
function corrected(text: string): Guess {
  let corrections = 0
  const tin = [...text]
    .map((letter, at) => {
      const digit = (at >= text.length - 4 ? likeDigits : neverOnTires)[letter]
      if (digit !== undefined) corrections += 1
      return digit ?? letter
    })
    .join('')
  return { tin, corrections }
}
