/** A sidewall taken apart: what each marking of a tire says, in words and as the drawing carries it. */
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
  type TireMarking,
  type TireSize,
} from '#domain/fitment/fitment.ts'
import { drawMarkedSidewall, isDrawable, type MarkPlace, type TireKind } from '#domain/pictures/pictures.ts'

/** The style sheet names each of these: `#mark-width` lights `.mark-width`. */
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

/** `written` is what stands on the tire, `name` what it is called, `says` what it means. */
export type SidewallPart = {
  readonly id: PartId
  readonly written: string
  readonly name: string
  readonly says: string
}

type Marked = SidewallPart & { readonly drawn: string; readonly place: MarkPlace }

/** The tire that is drawn until somebody types another. */
export const exampleTire: TireMarking = parseTire('225/65R17 102H') ?? never()

/**
 * Every part of the sidewall of a tire, in the order one reads them: first what belongs to its size, then what an
 * example tire carries besides.
 */
export function explainSidewall(tire: TireMarking): SidewallPart[] {
  return markingsOf(tire).map(({ id, written, name, says }) => ({ id, written, name, says }))
}

/**
 * The sidewall drawn with its markings as links to `#mark-…`; null where the size does not say how tall the tire is.
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

function sizeParts({ size, speed, loadClass }: TireMarking): Marked[] {
  const { sectionWidthMm, sidewallMm, overallDiameterMm } = tireGeometry(size)
  const height = overallDiameterMm === undefined ? '' : `, and the whole tire ${inches(overallDiameterMm)} tall`
  const isHigh = loadClass === 'HL'
  const kind = isHigh ? 'HL' : kindLetters[size.kind]
  const kindPart =
    kind && part('kind', kind, isHigh ? 'Load class' : 'Kind of tire', isHigh ? classWords.HL : kindWords[size.kind])
  const zr = speed === 'ZR'
  const construction = part(
    'construction',
    zr
      ? 'ZR'
      : size.construction === 'radial'
        ? 'R'
        : size.construction === 'bias'
          ? size.form === 'metric'
            ? 'D'
            : '-'
          : 'B',
    'Construction',
    zr
      ? 'Radial, and faster than 149 mph. Tires of today say how fast with a letter after the load index.'
      : constructionWords[size.construction],
  )
  const rim = part(
    'rim',
    String(size.rimIn),
    'Wheel diameter',
    `For a wheel of ${size.rimIn} inches across, where the tire sits on it. No other diameter can be mounted.`,
  )

  if (size.form === 'flotation')
    return [
      part(
        'height',
        String(size.diameterIn),
        'Height',
        `About ${size.diameterIn} inches tall when new and unloaded. The sidewall is ${inches(sidewallMm ?? 0)}.`,
      ),
      {
        ...part(
          'width',
          size.widthIn.toFixed(2),
          'Section width',
          `${size.widthIn} inches from sidewall to sidewall, ${Math.round(sectionWidthMm)} mm, on the wheel it was measured on.`,
        ),
        drawn: `X${size.widthIn.toFixed(2)}`,
      },
      construction,
      rim,
      part('kind', 'LT', 'Kind of tire', kindWords.lt),
    ]
  const width =
    size.form === 'metric'
      ? part(
          'width',
          String(size.widthMm),
          'Section width',
          `${size.widthMm} mm from sidewall to sidewall, ${inches(size.widthMm)}, on the wheel it was measured on.`,
        )
      : part(
          'width',
          String(size.widthIn),
          'Section width',
          `${size.widthIn} inches from sidewall to sidewall. The size does not say how tall the tire is; its maker does.`,
        )
  const aspect =
    size.form === 'metric'
      ? [
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
      : []
  const isLeading = isHigh || size.kind === 'lt' || size.kind === 'st' || size.kind === 'spare'
  const leads = kindPart && isLeading && size.form === 'metric' ? [kindPart] : []
  return [...leads, width, ...aspect, construction, rim, ...(kindPart && leads.length === 0 ? [kindPart] : [])]
}

function serviceParts({ loadIndex, dualLoadIndex, speed, loadClass, loadRange, size }: TireMarking): Marked[] {
  const parts: Marked[] = []
  const load = loadOf(loadIndex)
  const dual = loadOf(dualLoadIndex)
  // Printed as one word in brackets: (101Y).
  const isAboveY = speed === '(Y)' && load !== undefined
  if (load) {
    const sides = dual ? ` Side by side on one axle end, ${grouped(dual.lb)} lb each.` : ''
    const written = dual ? `${loadIndex}/${dualLoadIndex}` : String(loadIndex)
    const says = `One tire carries ${grouped(load.lb)} lb at full pressure, four ${grouped(load.lb * 4)} lb.${sides}`
    parts.push(apart({ ...part('load', written, 'Load index', says), drawn: isAboveY ? `(${written}` : written }))
  }
  if (speed !== undefined && speed !== 'ZR')
    parts.push({
      ...part(
        'speed',
        speed,
        'Speed rating',
        `Held ${describeSpeed(speed)?.split(': ')[1] ?? speed} on a test drum, loaded and new. A limit, not an invitation.`,
      ),
      drawn: isAboveY ? 'Y)' : speed,
    })
  if (loadClass === 'XL') parts.push(apart(part('range', 'XL', 'Load class', classWords.XL)))
  if (loadRange !== undefined)
    parts.push(
      apart(
        part(
          'range',
          loadRange,
          'Load range',
          `Strength of the casing. ${describeLoadRange(loadRange)}. Never below what the door label asks for.`,
        ),
      ),
    )
  const psi = loadRange === undefined ? (size.kind === 'passenger' ? 51 : undefined) : rangeOf(loadRange).maxPsi
  const limits = [
    load && `MAX LOAD ${load.kg} KG (${load.lb} LBS)`,
    psi !== undefined && `MAX PRESS ${Math.round(psi / 0.1450377 / 10) * 10} KPA (${psi} PSI)`,
  ].filter(Boolean)
  if (limits.length > 0)
    parts.push({
      ...part(
        'limits',
        limits.join(' · '),
        'Maximum load and pressure',
        'What this tire can take on any vehicle. The pressure for yours is on the door label, and it is usually lower.',
      ),
      place: { row: 'inner-bottom' },
    })
  return parts
}

/** What a size does not tell: every tire has a number, and the marks are those of an all-weather tire. */
function exampleParts({ size }: TireMarking): Marked[] {
  const tin = 'DOT 7B3 KXYZ92 2326'
  const parts: Marked[] = [
    {
      ...part(
        'tin',
        tin,
        'Tire identification number',
        'Plant 7B3, the maker’s own code, and the date: week 23 of 2026. With its date it stands on one side only. A recall goes by this number.',
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
        'Wore 6.2 times as slowly as the control tire of the federal test, brakes well on wet pavement, and stands the heat of more than 115 mph.',
      ),
      place: { row: 'inner-top' },
    })
  if (size.kind === 'passenger' || size.kind === 'lt' || size.kind === 'c')
    parts.push(
      {
        ...part('mud', 'M+S', 'Mud and snow', 'Describes an open tread pattern. Nobody tested it in snow.'),
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
  lt: 'A light-truck tire: stronger, and at a higher pressure than a passenger tire of the same numbers.',
  c: 'A European van tire. Not the same as load range C.',
  st: 'A special trailer tire, for trailer axles only.',
  spare: 'A temporary spare: 50 mph and a short distance.',
  commercial: 'A tire for commercial vehicles.',
}

const classWords = {
  XL: 'Extra load: carries more than a standard tire of this size, at a higher pressure.',
  HL: 'High load: carries more than an extra-load tire of this size. Made for heavy cars, many of them electric.',
}

const constructionWords: Record<TireSize['construction'], string> = {
  radial: 'Radial: the cords run straight from bead to bead under steel belts. Nearly every tire of today.',
  bias: 'Bias ply: the cords cross at an angle. Never together with radials on one vehicle.',
  belted: 'Bias belted: crossed cords under belts. Never together with radials on one vehicle.',
}

function never(): never {
  throw new Error('The example tire cannot be read.')
}
