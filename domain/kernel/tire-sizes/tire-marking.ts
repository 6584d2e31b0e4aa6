import { isLoadRange, isSpeedSymbol, type LoadClass, type LoadRange, type MarkedSpeed } from './load-and-speed.ts'
import { readSize, sizeDesignation, type TireSize } from './tire-size.ts'

/** The markings of one tire, or those on a vehicle's label. `undefined` is "not stated". */
export type TireMarking = {
  readonly size: TireSize
  /** As written; may be outside the load index table, which the rules treat as not known. */
  readonly loadIndex?: number | undefined
  /** The second index of "125/122". It is the load per tire in a dual fitment. */
  readonly dualLoadIndex?: number | undefined
  readonly speed?: MarkedSpeed | undefined
  readonly loadClass?: LoadClass | undefined
  readonly loadRange?: LoadRange | undefined
  /** True if marked run-flat. If it is missing, the tire may still be run-flat. */
  readonly runFlat?: true | undefined
}

/**
 * Parses a tire in any common notation, with or without the service description: "P265/70R17 113S", "LT275/70R18
 * 125/122S E", "255/35ZR19 (96Y) XL", "35x12.50r17", "2256517 102h", "11R22.5 146/143L G". Undefined if any part can't
 * be parsed, because a partly understood size is worse than a question.
 */
export function parseTire(text: string): TireMarking | undefined {
  if (text.length > longestWriting) return undefined
  const reading = readSize(text.toUpperCase().replaceAll(/[×✕]/g, 'X').replaceAll(/\s+/g, ' ').trim())
  const described =
    reading && readDescription(reading.rest, reading.size.kind === 'passenger' ? passengerIndex : otherIndex)
  if (!reading || !described) return undefined
  return {
    size: reading.size,
    loadIndex: described.loadIndex,
    dualLoadIndex: described.dualLoadIndex,
    // A ZR in the size counts only without a speed symbol: "245/35ZR19 89Y" is rated Y.
    speed: described.speed ?? (reading.zr ? 'ZR' : undefined),
    loadClass: reading.highLoad ? 'HL' : described.loadClass,
    loadRange: described.loadRange ?? (reading.rangeC ? 'C' : undefined),
    runFlat: described.runFlat ?? (reading.runFlat ? true : undefined),
  }
}

/** Parses only the size, in any common notation. Undefined if it cannot be read. */
export function parseTireSize(text: string): TireSize | undefined {
  return parseTire(text)?.size
}

/**
 * The canonical spelling of the whole marking: "LT275/70R18 125/122S E", "255/35R19 (96Y) XL", "HL265/40R22 109V",
 * "305/30ZR20".
 */
export function tireDesignation(tire: TireMarking): string {
  const size = sizeDesignation(tire.size)
  const parts = [
    (tire.loadClass === 'HL' && tire.size.kind === 'passenger' ? 'HL' : '') +
      (tire.speed === 'ZR' ? size.replace('R', 'ZR') : size),
    serviceDescription(tire),
    tire.loadClass === 'XL' ? 'XL' : '',
    tire.loadRange ?? '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/**
 * Load index and speed as printed together: "102H", "125/122S", "(96Y)"; "" if neither is known. A bare ZR is part of
 * the size.
 */
export function serviceDescription({
  loadIndex,
  dualLoadIndex,
  speed,
}: Pick<TireMarking, 'loadIndex' | 'dualLoadIndex' | 'speed'>): string {
  const load = `${loadIndex ?? ''}${dualLoadIndex === undefined ? '' : `/${dualLoadIndex}`}`
  if (speed === undefined || speed === 'ZR') return load
  return speed === '(Y)' ? `(${load}Y)` : load + speed
}

const longestWriting = 60

/**
 * Outside passenger sizes a letter separated from the index is a load range unless it is P or above: "113 D" but "113
 * S".
 */
const passengerIndex = indexPattern('A-Z')
const otherIndex = indexPattern('P-Z')
const rangePattern = /^(?:LR ?|LOAD RANGE )?(?<range>[B-L])(?:\d{1,2})?(?![A-Z\d])/

type Description = Partial<Omit<TireMarking, 'size'>>

/** Words with one meaning anywhere after the size; tried before the index, so that "10 PR" is a ply count. */
const wordFacts: readonly (readonly [pattern: RegExp, facts: Description])[] = [
  // Ignored: snow marks are product facts, the others describe the sidewall and plies.
  [/^(?:M[+&/]?S|3PMSF|TL|BSW|BLK|OWL|RWL|WSW|\d{1,2} ?(?:PR|PLY))(?![A-Z\d])/, {}],
  [/^ZR(?= |$)/, { speed: 'ZR' }],
  [/^(?:RFT?|ROF|SSR|ZP|EMT|RUN[ -]?FLAT)(?![A-Z\d])/, { runFlat: true }],
  [/^(?:SL|STANDARD LOAD)(?![A-Z\d])/, { loadClass: 'SL' }],
  [/^(?:XL|EXTRA LOAD|REINF(?:ORCED)?)(?![A-Z\d])/, { loadClass: 'XL' }],
  [/^(?:HL|HIGH LOAD)(?![A-Z\d])/, { loadClass: 'HL' }],
]

function indexPattern(lettersApart: string): RegExp {
  const load = String.raw`(?<single>\d{1,3})(?:\/(?<dual>\d{2,3}))?`
  const speed = String.raw`(?:(?<near>\(Y\)|[A-Z]\d?)| (?<apart>\(Y\)|[${lettersApart}]))?`
  return new RegExp(String.raw`^(?:\((?<over>\d{2,3})Y\)|${load}${speed})(?![A-Z\d+])`)
}

function readDescription(text: string, index: RegExp): Description | undefined {
  let rest = text.replace(/^[ /]+/, '')
  const known: Description = {}
  while (rest !== '') {
    const word = readWord(rest, known, index)
    if (!word) return undefined
    Object.assign(known, word.facts)
    rest = rest.slice(word.length).replace(/^[ /]+/, '')
  }
  return known
}

/**
 * Parses the word at the start of `text` and returns its length and meaning. The index is read only once, so a later
 * "10PR" is a ply count.
 */
function readWord(
  text: string,
  known: Description,
  indexed: RegExp,
): { length: number; facts: Description } | undefined {
  for (const [pattern, facts] of wordFacts) {
    const word = pattern.exec(text)
    if (word) return { length: word[0].length, facts }
  }
  const index = known.loadIndex === undefined ? indexed.exec(text) : null
  if (index) return { length: index[0].length, facts: readIndex(index.groups ?? {}) }
  const range = rangePattern.exec(text)
  const letter = range?.groups?.range
  return range && letter && isLoadRange(letter) ? { length: range[0].length, facts: { loadRange: letter } } : undefined
}

function readIndex({ over, single, dual, near, apart }: Record<string, string | undefined>): Description {
  if (over !== undefined) return { loadIndex: Number(over), speed: '(Y)' }
  const letter = near ?? apart
  return {
    loadIndex: Number(single),
    ...(dual === undefined ? {} : { dualLoadIndex: Number(dual) }),
    ...(letter !== undefined && isSpeedSymbol(letter) ? { speed: letter } : {}),
  }
}
