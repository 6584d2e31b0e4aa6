/** Extracts tire sizes from OCR lines with all their errors. */
import { parseTireSize, sizeDesignation, sizeSlug, type TireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'

/** `confidence` is the OCR engine's, 0 to 100. */
export type ReadLine = { readonly text: string; readonly confidence: number }

export type ReadSize = {
  readonly designation: string
  readonly slug: string
  /** 0 to 100: the OCR engine's, higher for a known size, lower for each corrected character. */
  readonly confidence: number
  /** One of the given sizes. */
  readonly isKnown: boolean
}

/**
 * Returns the sizes in `lines`, most certain first, without duplicates. Letters often misread for digits (O for 0, S
 * for 5) and a stroke that is missing or read as a 1 are corrected, but only if that gives one of the `known`
 * designations; without corrections the size grammar decides.
 */
export function readSizes(lines: readonly ReadLine[], known: ReadonlySet<string>): ReadSize[] {
  return mergeSizes(lines.flatMap(({ text, confidence }) => sizesInLine(plainLine(text), confidence, known)))
}

/**
 * Merges repeated readings, which raise the confidence. Letters before and after the numbers get lost but are not
 * invented: 275/70R18 is LT275/70R18 once that was read. Known sizes come first, then the most certain.
 */
export function mergeSizes(sizes: readonly ReadSize[]): ReadSize[] {
  const merged = new Map<string, ReadSize>()
  const whole = new Map(sizes.filter(({ isKnown }) => isKnown).map((size) => [numbersOf(size.designation), size]))
  for (const read of sizes) {
    const size = { ...(whole.get(read.designation) ?? read), confidence: read.confidence }
    const before = merged.get(size.slug)
    const confidence = before
      ? Math.round(100 - ((100 - before.confidence) * (100 - size.confidence)) / 100)
      : size.confidence
    merged.set(size.slug, { ...size, confidence })
  }
  return [...merged.values()].toSorted((a, b) => Number(b.isKnown) - Number(a.isKnown) || b.confidence - a.confidence)
}

/** Returns whether no further view is needed, because one clear reading matches a known size, or two readings agree. */
export function isSure([first]: readonly ReadSize[]): boolean {
  return first !== undefined && first.isKnown && first.confidence >= sureConfidence
}

/**
 * Filters `sizes` to credible ones. A wrong size is worse than a missing one, so this drops corrected sizes read only
 * once with low confidence, and unknown sizes unless clear. Adds letters to plain numbers from a known size, because
 * letters are harder to read.
 */
export function believable(sizes: readonly ReadSize[], known: ReadonlySet<string>): ReadSize[] {
  const shown = sizes.filter(
    ({ isKnown, confidence }) => confidence >= (isKnown ? leastConfidence.known : leastConfidence.unknown),
  )
  const lettered = shown.flatMap(({ designation, confidence }) =>
    [...known]
      .filter((other) => other !== designation && numbersOf(other) === designation)
      .flatMap((other) => accept({ writing: other, corrections: 0, end: 0 }, 0, known))
      .map(({ size }) => ({ ...size, confidence: Math.round(confidence / 2) })),
  )
  return [...shown, ...lettered.filter(({ slug }) => shown.every((size) => size.slug !== slug))]
}

/** LT275/70R18 → 275/70R18 */
function numbersOf(designation: string): string {
  return /\d.*\d/.exec(designation)?.[0] ?? designation
}

const sureConfidence = 80
const leastConfidence = { known: 55, unknown: 85 } as const

/** The confidence factor of an OCR error. */
const correctedFactor = 0.85
/** A complete known size is not a coincidence, whatever the OCR engine's confidence. */
const knownConfidence = 60

const digit = '[0-9OQDILZSBGTA|!]'
const gap = ' {0,2}'
const metric = new RegExp(
  `(?<prefix>LT|ST|HL|P|T)?${gap}(?<width>${digit}{3})${gap}(?<stroke>[/1ILJ7|!\\\\.,-])?${gap}(?<aspect>${digit}{2})${gap}(?<build>ZRF|ZR|RF|[RDBAKNHPF8])?${gap}(?<rim>${digit}{2}(?:[.,]5)?)(?<suffix>${gap}(?:LT|ST|C)(?![A-Z0-9]))?(?![0-9])`,
  'y',
)
const flotation = new RegExp(
  `(?<diameter>${digit}{2})${gap}(?<cross>[X%*K])${gap}(?<width>${digit}{1,2}[.,]${gap}${digit}{2})${gap}(?<build>[RDAKNHPF8-])?${gap}(?<rim>${digit}{2})(?:${gap}LT)?(?![0-9])`,
  'y',
)
const likeDigits: Record<string, string> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  '|': '1',
  '!': '1',
  Z: '2',
  A: '4',
  S: '5',
  G: '6',
  T: '7',
  B: '8',
}

type Guess = { readonly writing: string; readonly corrections: number; readonly end: number }

function plainLine(text: string): string {
  return text.toUpperCase().replaceAll(/[×✕]/g, 'X').replaceAll(/[∕⁄]/g, '/').replaceAll(/\s+/g, ' ')
}

function sizesInLine(line: string, confidence: number, known: ReadonlySet<string>): ReadSize[] {
  const found: ReadSize[] = []
  for (let at = 0; at < line.length; at++) {
    // Extra digits before a size are an OCR error, or it is not a size.
    const extra = /[0-9/]/.test(line[at - 1] ?? ' ') ? 1 : 0
    const [best] = [...metricGuesses(line, at), ...flotationGuesses(line, at)]
      .flatMap((guess) => accept({ ...guess, corrections: guess.corrections + extra }, confidence, known))
      .toSorted((a, b) => Number(b.size.isKnown) - Number(a.size.isKnown) || b.size.confidence - a.size.confidence)
    if (!best) continue
    found.push(best.size)
    at = best.end - 1
  }
  return found
}

function accept(
  { writing, corrections, end }: Guess,
  confidence: number,
  known: ReadonlySet<string>,
): { size: ReadSize; end: number }[] {
  const size: TireSize | undefined = parseTireSize(writing)
  if (!size) return []
  const designation = sizeDesignation(size)
  const isKnown = known.has(designation)
  if (!isKnown && corrections > 0) return []
  const base = isKnown ? knownConfidence : 0
  const sure = (base + ((100 - base) * Math.min(100, Math.max(0, confidence))) / 100) * correctedFactor ** corrections
  return [{ size: { designation, slug: sizeSlug(size), confidence: Math.round(sure), isKnown }, end }]
}

function metricGuesses(line: string, at: number): Guess[] {
  const found = matchAt(metric, line, at)
  if (!found) return []
  const { prefix = '', width = '', stroke = '', aspect = '', build = '', rim = '', suffix = '' } = found.groups ?? {}
  const numbers = [width, aspect, rim].map(asDigits)
  const isPlainBuild = /^(?:ZRF|ZR|RF|R|D|B)$/.test(build)
  const corrections =
    numbers.reduce((sum, { corrections: corrected }) => sum + corrected, 0) +
    (stroke === '/' ? 0 : 1) +
    (isPlainBuild ? 0 : 1)
  const [first, second, third] = numbers.map(({ text }) => text)
  const writing = `${first}/${second}${isPlainBuild ? build : 'R'}${third}`
  const end = at + found[0].length
  return [
    { writing: `${prefix}${writing}${suffix.trim()}`, corrections, end },
    // A leading letter may belong to the previous word, or be a scratch.
    ...(prefix === '' ? [] : [{ writing: `${writing}${suffix.trim()}`, corrections: corrections + 1, end }]),
    ...(suffix === '' ? [] : [{ writing: `${prefix}${writing}`, corrections: corrections + 1, end }]),
  ]
}

function flotationGuesses(line: string, at: number): Guess[] {
  const found = matchAt(flotation, line, at)
  if (!found) return []
  const { diameter = '', cross = '', width = '', build = '', rim = '' } = found.groups ?? {}
  const [inches, section, wheel] = [diameter, width.replaceAll(' ', ''), rim].map(asDigits)
  if (!inches || !section || !wheel) return []
  const isPlainBuild = build === 'R' || build === 'D'
  const corrections =
    inches.corrections + section.corrections + wheel.corrections + (cross === 'X' ? 0 : 1) + (isPlainBuild ? 0 : 1)
  return [
    {
      writing: `${inches.text}X${section.text}${isPlainBuild ? build : 'R'}${wheel.text}LT`,
      corrections,
      end: at + found[0].length,
    },
  ]
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(line)
}

function asDigits(text: string): { text: string; corrections: number } {
  let corrections = 0
  const corrected = text.replaceAll(',', '.').replaceAll(/[^0-9.]/g, (letter) => {
    corrections++
    return likeDigits[letter] ?? letter
  })
  return { text: corrected, corrections }
}
