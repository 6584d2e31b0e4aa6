/** Explains each marking on a tire's sidewall, as text and for the drawing. */
import {
  describeLoadRange,
  describeSpeed,
  grouped,
  loadOf,
  parseTire,
  rangeOf,
  sizeDesignation,
  tireDesignation,
  tireGeometry,
  type FlotationSize,
  type MetricSize,
  type NumericSize,
  type TireMarking,
  type TireSize,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { countOf } from '#platform/count-text.ts'
import { drawMarkedSidewall, isDrawable, type MarkPlace, type TireKind } from '#pictures/pictures.ts'

/** The style sheet references these IDs. `#mark-width` highlights `.mark-width`. */
export type PartId =
  | 'kind'
  | 'height'
  | 'width'
  | 'aspect'
  | 'construction'
  | 'rim'
  | 'load'
  | 'speed'
  | 'range'
  | 'limits'
  | 'grades'
  | 'tin'
  | 'mud'
  | 'peaks'

/** `written` is the marking on the tire, `name` its name, `says` its meaning. */
export type SidewallPart = {
  readonly id: PartId
  readonly written: string
  readonly name: string
  readonly says: string
}

type Marked = SidewallPart & { readonly drawn: string; readonly place: MarkPlace }

/** The tire shown until the reader enters another. */
export const exampleTire: TireMarking = parseTire('225/65R17 102H') ?? never()

/**
 * Returns every part of a tire's sidewall in reading order, starting with its size and followed by an example tire's
 * other markings.
 */
export function explainSidewall(tire: TireMarking): SidewallPart[] {
  return markingsOf(tire).map(({ id, written, name, says }) => ({ id, written, name, says }))
}

/**
 * Returns the sidewall drawing with its markings as links to `#mark-…`; null if the size does not state the tire's
 * height.
 */
export function drawGuide(tire: TireMarking): string | null {
  const { overallDiameterMm, sectionWidthMm, rimIn } = tireGeometry(tire.size)
  const size = {
    designation: sizeDesignation(tire.size),
    sectionWidthMm,
    rimIn,
    overallDiameterMm: overallDiameterMm ?? 0,
  }
  if (!isDrawable(size)) return null
  const plain = {
    loadIndex: String(tire.loadIndex ?? ''),
    speed: tire.speed ?? '',
    mPlusS: false,
    threePeak: false,
    outlinedWhiteLetters: false,
  }
  return drawMarkedSidewall(
    { ...plain, brand: 'Brand', line: 'Model', kind: kindOf(tire.size), size },
    markingsOf(tire).map(({ id, drawn, place }) => ({ id, text: drawn, href: `#mark-${id}`, place })),
  )
}

/** "225/65R17 102H" */
export function writtenAs(tire: TireMarking): string {
  return tireDesignation(tire)
}

const inches = (mm: number) => `${(mm / 25.4).toFixed(1)} in`

function markingsOf(tire: TireMarking): Marked[] {
  return [...sizeParts(tire), ...serviceParts(tire), ...exampleParts(tire)]
}

/** The parts of the size, in the order printed. */
function sizeParts(tire: TireMarking): Marked[] {
  const { size } = tire
  const ending = [constructionPart(tire), rimPart(size)]
  if (size.form === 'flotation')
    return [...flotationMeasures(size), ...ending, part('kind', 'LT', 'Kind of tire', kindWords.lt)]
  const measures = size.form === 'metric' ? metricMeasures(size) : [numericWidth(size)]
  const isKindFirst = size.form === 'metric' && (tire.loadClass === 'HL' || firstKinds.has(size.kind))
  const kind = kindParts(tire)
  return isKindFirst ? [...kind, ...measures, ...ending] : [...measures, ...ending, ...kind]
}

/** The high-load letters replace the kind's letters. Passenger tires without high load have no letters there. */
function kindParts({ size, loadClass }: TireMarking): Marked[] {
  if (loadClass === 'HL') return [part('kind', 'HL', 'Load class', classWords.HL)]
  const letters = kindLetters[size.kind]
  return letters === undefined ? [] : [part('kind', letters, 'Kind of tire', kindWords[size.kind])]
}

function metricMeasures(size: MetricSize): Marked[] {
  const { sidewallMm, overallDiameterMm } = tireGeometry(size)
  const height = overallDiameterMm === undefined ? '' : `, and the whole tire ${inches(overallDiameterMm)} tall`
  return [
    part(
      'width',
      String(size.widthMm),
      'Section width',
      `${size.widthMm} mm from sidewall to sidewall, ${inches(size.widthMm)}, on the wheel it was measured on.`,
    ),
    {
      ...part(
        'aspect',
        String(size.aspect),
        'Aspect ratio',
        `The sidewall is ${size.aspect} percent as high as the tire is wide: ${inches(sidewallMm ?? 0)}${height}.`,
      ),
      drawn: `/${size.aspect}`,
    },
  ]
}

function flotationMeasures(size: FlotationSize): Marked[] {
  const { sectionWidthMm, sidewallMm } = tireGeometry(size)
  return [
    part(
      'height',
      String(size.diameterIn),
      'Height',
      `About ${countOf(size.diameterIn, 'inch', 'inches')} tall when new and unloaded. The sidewall is ${inches(sidewallMm ?? 0)}.`,
    ),
    {
      ...part(
        'width',
        size.widthIn.toFixed(2),
        'Section width',
        `${countOf(size.widthIn, 'inch', 'inches')} from sidewall to sidewall, ${Math.round(sectionWidthMm)} mm, on the wheel it was measured on.`,
      ),
      drawn: `X${size.widthIn.toFixed(2)}`,
    },
  ]
}

function numericWidth({ widthIn }: NumericSize): Marked {
  return part(
    'width',
    String(widthIn),
    'Section width',
    `${countOf(widthIn, 'inch', 'inches')} from sidewall to sidewall. The size does not say how tall the tire is; its maker does.`,
  )
}

function constructionPart({ size, speed }: TireMarking): Marked {
  return speed === 'ZR'
    ? part(
        'construction',
        'ZR',
        'Construction',
        'Radial, and faster than 149 mph. Today’s tires state how fast with a letter after the load index.',
      )
    : part('construction', constructionLetter(size), 'Construction', constructionWords[size.construction])
}

function constructionLetter({ construction, form }: TireSize): string {
  if (construction === 'bias') return form === 'metric' ? 'D' : '-'
  return construction === 'radial' ? 'R' : 'B'
}

function rimPart({ rimIn }: TireSize): Marked {
  return part(
    'rim',
    String(rimIn),
    'Wheel diameter',
    `For a wheel of ${countOf(rimIn, 'inch', 'inches')} across, where the tire sits on it. No other diameter can be mounted.`,
  )
}

/** The service description and load range. */
function serviceParts(tire: TireMarking): Marked[] {
  return [...loadParts(tire), ...speedParts(tire), ...rangeParts(tire), ...limitParts(tire)]
}

function loadParts({ loadIndex, dualLoadIndex, speed }: TireMarking): Marked[] {
  const load = loadOf(loadIndex)
  if (!load) return []
  const dual = loadOf(dualLoadIndex)
  const sides = dual ? ` Side by side on one axle end, ${grouped(dual.lb)} lb each.` : ''
  const written = dual ? `${loadIndex}/${dualLoadIndex}` : String(loadIndex)
  const says = `One tire carries ${grouped(load.lb)} lb at full pressure, four ${grouped(load.lb * 4)} lb.${sides}`
  return [
    apart({
      ...part('load', written, 'Load index', says),
      drawn: speed === speedAboveY ? `(${written}` : written,
    }),
  ]
}

function speedParts({ loadIndex, speed }: TireMarking): Marked[] {
  if (speed === undefined || speed === 'ZR') return []
  const says = `Held ${describeSpeed(speed)?.split(': ')[1] ?? speed} on a test drum, loaded and new. A limit, not an invitation.`
  const isInBrackets = speed === speedAboveY && loadOf(loadIndex) !== undefined
  return [{ ...part('speed', speed, 'Speed rating', says), drawn: isInBrackets ? 'Y)' : speed }]
}

function rangeParts({ loadClass, loadRange }: TireMarking): Marked[] {
  const extra = loadClass === 'XL' ? [apart(part('range', 'XL', 'Load class', classWords.XL))] : []
  if (loadRange === undefined) return extra
  const says = `Strength of the casing. ${describeLoadRange(loadRange)}. Never go below the door label’s requirement.`
  return [...extra, apart(part('range', loadRange, 'Load range', says))]
}

function limitParts({ loadIndex, loadRange, size }: TireMarking): Marked[] {
  const load = loadOf(loadIndex)
  const psi = loadRange === undefined ? standardPsi(size) : rangeOf(loadRange).maxPsi
  const limits = [
    load && `MAX LOAD ${load.kg} KG (${load.lb} LBS)`,
    psi !== undefined && `MAX PRESS ${Math.round(psi / 0.1450377 / 10) * 10} KPA (${psi} PSI)`,
  ].filter(Boolean)
  if (limits.length === 0) return []
  return [
    {
      ...part(
        'limits',
        limits.join(' · '),
        'Maximum load and pressure',
        'What this tire can take on any vehicle. The pressure for yours is on the door label, and it is usually lower.',
      ),
      place: { row: 'inner-bottom' },
    },
  ]
}

/** The usual pressure of a tire without a load range, if its kind determines it. */
function standardPsi({ kind }: TireSize): number | undefined {
  return kind === 'passenger' ? 51 : undefined
}

/**
 * Example markings that a size doesn't determine, such as an identification number and the marks of an all-weather
 * tire.
 */
function exampleParts({ size }: TireMarking): Marked[] {
  const tin = 'DOT 7B3 KXYZ92 2326'
  const parts: Marked[] = [
    {
      ...part(
        'tin',
        tin,
        'Tire identification number',
        'Plant 7B3, the manufacturer’s code, and the date, week 23 of 2026. The full number, with the date, is on one side only. Recalls refer to this number.',
      ),
      place: { row: 'left' },
    },
  ]
  if (size.kind === 'passenger')
    parts.unshift({
      ...part(
        'grades',
        'TREADWEAR 620 TRACTION A TEMPERATURE A',
        'Quality grades',
        'Lasted 6.2 times as long as the control tire in the federal test, brakes well on wet pavement, and resists heat above 115 mph.',
      ),
      place: { row: 'inner-top' },
    })
  if (size.kind === 'passenger' || size.kind === 'lt' || size.kind === 'c')
    parts.push(
      {
        ...part('mud', 'M+S', 'Mud and snow', 'Describes an open tread pattern. It wasn’t tested in snow.'),
        place: { row: 'right' },
      },
      {
        ...part(
          'peaks',
          'Mountain and snowflake',
          'Three-peak mountain snowflake',
          'Pulled at least 10 percent harder on packed snow than a reference tire. This one is for winter.',
        ),
        place: { row: 'peaks' },
      },
    )
  return parts
}

function part(id: PartId, written: string, name: string, says: string): Marked {
  return { id, written, name, says, drawn: written, place: { row: 'size' } }
}

function apart(marked: Marked): Marked {
  return { ...marked, place: { row: 'size', after: 0.8 } }
}

function kindOf({ kind }: TireSize): TireKind {
  if (kind === 'st') return 'trailer'
  if (kind === 'commercial' || kind === 'c') return 'commercial'
  if (kind === 'lt') return 'all-terrain'
  return kind === 'spare' ? 'all-season' : 'all-weather'
}

/** Printed as one word in parentheses with the load index: (101Y). */
const speedAboveY = '(Y)'

/** Kinds with letters before a metric size. */
const firstKinds: ReadonlySet<TireSize['kind']> = new Set(['lt', 'st', 'spare'])

const kindLetters: Record<TireSize['kind'], string | undefined> = {
  passenger: undefined,
  lt: 'LT',
  c: 'C',
  st: 'ST',
  spare: 'T',
  commercial: undefined,
}

const kindWords: Record<TireSize['kind'], string> = {
  passenger: 'A passenger tire.',
  lt: 'A light-truck tire is stronger and runs at a higher pressure than a passenger tire with the same numbers.',
  c: 'A European van tire. Not the same as load range C.',
  st: 'A special trailer tire, for trailer axles only.',
  spare: 'A temporary spare: 50 mph and a short distance.',
  commercial: 'A tire for commercial vehicles.',
}

const classWords = {
  XL: 'Extra load tires carry more than a standard tire of this size, at a higher pressure.',
  HL: 'High load tires carry more than an extra-load tire of this size. Made for heavy cars, many of them electric.',
}

const constructionWords: Record<TireSize['construction'], string> = {
  radial: 'Radial: the cords run straight from bead to bead under steel belts. Nearly every tire today.',
  bias: 'Bias ply: the cords cross at an angle. Never together with radials on one vehicle.',
  belted: 'Bias-belted tires have crossed cords under belts. Never mix them with radials on one vehicle.',
}

function never(): never {
  throw new Error('The example tire cannot be read.')
}
