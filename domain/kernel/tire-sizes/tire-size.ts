/**
 * A structured tire size, with only the attributes that distinguish sizes. Everything printed next to it (load index,
 * speed, HL, ZR, XL) belongs to the marking, so "P235/65R17", "235/65ZR17" and "HL235/65R17" are one size with one
 * page.
 */

/**
 * Determined from the size only, never from a product title. Flotation sizes are light-truck sizes; `c` is the European
 * van type.
 */
export type TireKind = 'passenger' | 'lt' | 'c' | 'st' | 'spare' | 'commercial'
export type Construction = 'radial' | 'bias' | 'belted'

type Common = { readonly construction: Construction; readonly rimIn: number }
export type MetricSize = Common & {
  readonly form: 'metric'
  readonly kind: TireKind
  readonly widthMm: number
  readonly aspect: number
}
/** Sized in inches by overall diameter: 35X12.50R17LT. */
export type FlotationSize = Common & {
  readonly form: 'flotation'
  readonly kind: 'lt'
  readonly diameterIn: number
  readonly widthIn: number
}
/** A size in inches with only a width, such as 11R22.5 or 7.50R16LT. */
export type NumericSize = Common & { readonly form: 'numeric'; readonly kind: TireKind; readonly widthIn: number }
export type TireSize = MetricSize | FlotationSize | NumericSize

/**
 * Nominal measurements; a real tire may be a few percent off. `overallDiameterMm` is undefined if the size does not
 * state it (7.50R16).
 */
export type TireGeometry = {
  readonly rimIn: number
  readonly sectionWidthMm: number
  readonly sidewallMm: number | undefined
  readonly overallDiameterMm: number | undefined
  /** Rolling under load, so about 3% more than from the free circumference. */
  readonly revsPerMile: number | undefined
}

/** The size at the beginning of a text, the other meanings of its letters, and the rest of the text. */
export type SizeReading = {
  readonly size: TireSize
  readonly highLoad: boolean
  readonly zr: boolean
  readonly runFlat: boolean
  readonly rangeC: boolean
  readonly rest: string
}

/**
 * Parses the size at the start of uppercase text with single spaces; undefined if there isn't one. Also accepts what
 * people type: 225/65 R17, 225 65 17, 2256517, 35x12.5r17, 35125017.
 */
export function readSize(text: string): SizeReading | undefined {
  return readMetric(text) ?? readFlotation(text) ?? readNumeric(text)
}

/** Whether width, aspect, and rim are equal regardless of the kind, as for LT265/70R17 and 265/70R17. */
export function hasSameDimensions(a: TireSize, b: TireSize): boolean {
  if (a.rimIn !== b.rimIn) return false
  if (a.form === 'metric') return b.form === 'metric' && a.widthMm === b.widthMm && a.aspect === b.aspect
  if (a.form === 'flotation') return b.form === 'flotation' && a.diameterIn === b.diameterIn && a.widthIn === b.widthIn
  return b.form === 'numeric' && a.widthIn === b.widthIn
}

/**
 * Rule FR6: whether width, aspect, rim and kind are equal. Radial or bias doesn't matter here, because rule FR30
 * evaluates it.
 */
export function isSameSize(a: TireSize, b: TireSize): boolean {
  return a.kind === b.kind && hasSameDimensions(a, b)
}

/** The canonical spelling: "235/65R17", "LT275/70R18", "235/65R16C", "35X12.50R17LT", "11R22.5". */
export function sizeDesignation(size: TireSize): string {
  if (size.form === 'flotation')
    return `${size.diameterIn}X${size.widthIn.toFixed(2)}${inchLetter[size.construction]}${size.rimIn}LT`
  if (size.form === 'numeric') {
    const width = Number.isInteger(size.widthIn) ? size.widthIn : size.widthIn.toFixed(2)
    return `${width}${inchLetter[size.construction]}${size.rimIn}${numericSuffix[size.kind] ?? ''}`
  }
  return `${metricPrefix[size.kind] ?? ''}${size.widthMm}/${size.aspect}${metricLetter[size.construction]}${size.rimIn}${size.kind === 'c' ? 'C' : ''}`
}

/** The spelling in our URLs: "235-65r17", "lt275-70r18", "35x12-50r17", "11r22-5". One size has one slug. */
export function sizeSlug(size: TireSize): string {
  const designation = sizeDesignation(size).toLowerCase().replaceAll(/[/.]/g, '-')
  return size.form === 'flotation' ? designation.slice(0, -'lt'.length) : designation
}

/** Parses a slug of `sizeSlug`. Undefined for any other spelling, so that a size never has two URLs. */
export function parseSizeSlug(slug: string): TireSize | undefined {
  const writing = slug
    .replaceAll(/-5(?=$|[a-z])/g, '.5')
    .replace(/^((?:lt|st|t)?\d{3})-/, '$1/')
    .replace(/^(\d{1,2}|.+x\d{1,2})-(\d{2})(?=[r-])/, '$1.$2')
  const reading = slug.length <= longestSlug ? readSize(writing.toUpperCase()) : undefined
  return reading && sizeSlug(reading.size) === slug ? reading.size : undefined
}

export function tireGeometry(size: TireSize): TireGeometry {
  const overallDiameterMm = overallDiameterOf(size)
  const rimMm = size.rimIn * mmPerInch
  return {
    rimIn: size.rimIn,
    sectionWidthMm: size.form === 'metric' ? size.widthMm : size.widthIn * mmPerInch,
    sidewallMm: overallDiameterMm === undefined ? undefined : (overallDiameterMm - rimMm) / 2,
    overallDiameterMm,
    revsPerMile:
      overallDiameterMm === undefined ? undefined : Math.round(mmPerMile / (Math.PI * overallDiameterMm * loadedShare)),
  }
}

/**
 * Nominal overall diameter in mm: rim × 25.4 + 2 × width × aspect/100, or inches × 25.4. Undefined if the size does not
 * state it.
 */
export function overallDiameterOf(size: TireSize): number | undefined {
  if (size.form === 'metric') return size.rimIn * mmPerInch + (2 * size.widthMm * size.aspect) / 100
  if (size.form === 'flotation') return size.diameterIn * mmPerInch
  return Number.isInteger(size.rimIn) ? undefined : (size.rimIn + 2 * size.widthIn * tubelessAspect) * mmPerInch
}

const longestSlug = 24
const mmPerInch = 25.4
const mmPerMile = 1_609_344
const loadedShare = 0.97
/** Tubeless commercial sizes have no aspect; their sidewall is about 86% of their width (11R22.5: 1,052 mm). */
const tubelessAspect = 0.86

const metricPattern =
  /^(?<prefix>P|LT|HL|ST|T)? ?(?<width>\d{3}) ?[/ -]? ?(?<aspect>\d{2,3}?) ?(?<build>ZRF|ZR|RF|R|F|D|B|[-/])? ?(?<rim>\d{2}(?:\.5)?)(?: ?(?<suffix>LT|ST|C)(?![A-Z\d]))?(?![\d.])/
const flotationPattern =
  /^(?:LT)? ?(?<diameter>\d{2}(?:\.\d{1,2})?) ?(?<joint>[X/ -]) ?(?<width>\d{3,4}|\d{1,2}(?:\.\d{1,2})?) ?(?<build>[RDX/-])? ?(?<rim>\d{2}(?:\.5)?)(?: ?LT(?![A-Z\d]))?(?![\d.])/
const flotationDigits = /^(?<diameter>\d{2})(?<width>\d{4})(?<rim>\d{2})(?!\d)/
const numericPattern =
  /^(?<width>\d{1,2}(?:\.\d{2})?) ?(?<build>[RD-]) ?(?<rim>\d{2}(?:\.5)?)(?: ?(?<suffix>LT|ST|C)(?![A-Z\d]))?(?![\d.])/

const metricPrefix: Partial<Record<TireKind, string>> = { lt: 'LT', st: 'ST', spare: 'T' }
const numericSuffix: Partial<Record<TireKind, string>> = { lt: 'LT', st: 'ST', c: 'C' }
const metricLetter: Record<Construction, string> = { radial: 'R', bias: 'D', belted: 'B' }
const inchLetter: Record<Construction, string> = { radial: 'R', bias: '-', belted: 'B' }

function readMetric(text: string): SizeReading | undefined {
  const found = metricPattern.exec(text)
  const { prefix = '', width, aspect, build = '', rim, suffix = '' } = found?.groups ?? {}
  if (!found || !within(width, 105, 455) || !within(aspect, 20, 105) || !within(rim, 8, 32)) return undefined
  // "LT245/75R16 C" means load range C; "235/65R16C" is the van type.
  const rangeC = suffix === 'C' && metricKind(prefix, '') !== 'passenger'
  const named = metricKind(prefix, rangeC ? '' : suffix)
  const kind = named === 'passenger' && rim?.endsWith('.5') ? 'commercial' : named
  return {
    size: {
      form: 'metric',
      kind,
      widthMm: Number(width),
      aspect: Number(aspect),
      construction: metricConstruction(build),
      rimIn: Number(rim),
    },
    highLoad: prefix === 'HL',
    zr: build.startsWith('Z'),
    runFlat: build.endsWith('F'),
    rangeC,
    rest: text.slice(found[0].length),
  }
}

/** A hyphen or slash before the rim is a typing habit, not the old bias mark: "225/65-17". */
function metricConstruction(build: string): Construction {
  if (build === 'D') return 'bias'
  return build === 'B' ? 'belted' : 'radial'
}

function metricKind(prefix: string, suffix: string): TireKind {
  if (prefix === 'LT' || suffix === 'LT') return 'lt'
  if (prefix === 'ST' || suffix === 'ST') return 'st'
  if (prefix === 'T') return 'spare'
  return suffix === 'C' ? 'c' : 'passenger'
}

function readFlotation(text: string): SizeReading | undefined {
  const found = flotationPattern.exec(text) ?? flotationDigits.exec(text)
  const { diameter, joint, width = '', build, rim } = found?.groups ?? {}
  const widthIn = Number(width) >= 100 ? Number(width.padEnd(4, '0')) / 100 : Number(width)
  if (!found || !within(diameter, 24, 50) || !within(widthIn, 6, 20) || !within(rim, 12, 30)) return undefined
  const construction = build === 'D' || (build === '-' && joint === 'X') ? 'bias' : 'radial'
  return plain(
    { form: 'flotation', kind: 'lt', diameterIn: Number(diameter), widthIn, construction, rimIn: Number(rim) },
    text.slice(found[0].length),
  )
}

function readNumeric(text: string): SizeReading | undefined {
  const found = numericPattern.exec(text)
  const { width, build, rim, suffix = '' } = found?.groups ?? {}
  if (!found || !within(width, 4, 20) || !within(rim, 10, 25)) return undefined
  const kind = suffix === '' ? 'commercial' : metricKind('', suffix)
  return plain(
    {
      form: 'numeric',
      kind,
      widthIn: Number(width),
      construction: build === 'R' ? 'radial' : 'bias',
      rimIn: Number(rim),
    },
    text.slice(found[0].length),
  )
}

function plain(size: TireSize, rest: string): SizeReading {
  return { size, highLoad: false, zr: false, runFlat: false, rangeC: false, rest }
}

function within(value: string | number | undefined, least: number, most: number): boolean {
  return Number(value) >= least && Number(value) <= most
}
