/** The specifications of a tire with what each means for the driver. */
import { describeMark } from '#domain/catalog/fitment/fitment.ts'
import {
  describeLoadIndex,
  describeLoadRange,
  describeSpeed,
  grouped,
  isLoadRange,
  loadOf,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { EXCISE_FREE_LOAD_LB } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import { oldestInStock, warrantyOf, type Item, type Utqg } from './items.ts'

export type Spec = { readonly name: string; readonly value: string; readonly note: string | null }

/** Returns an article's specification table in page order; unknown values are left out, not guessed. */
export function specsOf(item: Item, now: Temporal.Instant): Spec[] {
  const madeOn = oldestInStock(item)
  return [
    spec('Size', item.size.designation, sizeNote(item)),
    item.loadIndex === null
      ? null
      : spec('Load index', describeLoadIndex(item.loadIndex) ?? String(item.loadIndex), loadNote(item)),
    item.speed === null ? null : spec('Speed rating', describeSpeed(item.speed) ?? item.speed, null),
    rangeSpec(item),
    item.utqg
      ? spec(
          'Treadwear grade',
          `${item.utqg.treadwear} ${item.utqg.traction} ${item.utqg.temperature}`,
          gradeNote(item.utqg),
        )
      : spec('Treadwear grade', 'Not graded', 'Federal law requires no grade for this type of tire'),
    spec(
      'Tread depth',
      `${decimal(item.treadDepth32nds)}/32 in new`,
      item.line.threePeak || item.line.mPlusS ? 'Replace at 2/32; at 4/32 if you drive in snow' : 'Replace at 2/32',
    ),
    snowSpec(item),
    warrantySpec(item),
    spec(
      'Rim width',
      `${decimal(item.rimWidthMinIn, 1)} to ${decimal(item.rimWidthMaxIn, 1)} in`,
      'The maker approves these wheels',
    ),
    spec(
      'Sidewall',
      sidewallWords[item.sidewall],
      item.runFlat ? 'Run-flat: holds the car for a short way without air' : null,
    ),
    spec(
      'Height and width',
      `${inches(item.measuredDiameterMm)} by ${inches(item.measuredWidthMm)} in`,
      `${Math.round(item.measuredDiameterMm)} by ${Math.round(item.measuredWidthMm)} mm`,
    ),
    spec('Weight', `${decimal(item.weightLb, 1)} lb each`, null),
    item.oeMark === null
      ? null
      : spec('Carmaker mark', item.oeMark, `${describeMark(item.oeMark)}; both tires of an axle carry the same mark`),
    item.fetCents === 0
      ? null
      : spec(
          'Federal excise tax',
          `$${(item.fetCents / 100).toFixed(2)} each`,
          `Charged on tires that carry more than ${grouped(EXCISE_FREE_LOAD_LB)} lb`,
        ),
    item.originCountry === null
      ? null
      : spec('Country of origin', countryNames.of(item.originCountry) ?? item.originCountry, null),
    item.mpn === null ? null : spec('Part number', item.mpn, null),
    madeOn === null ? null : spec('Made', madeWords(madeOn, now), 'The oldest tire in stock'),
  ].filter((each) => each !== null)
}

const countryNames = new Intl.DisplayNames('en-US', { type: 'region' })

function spec(name: string, value: string, note: string | null): Spec {
  return { name, value, note }
}

function sizeNote({ size }: Item): string {
  if (size.kind === 'FLOTATION')
    return `${inches(size.overallDiameterMm)} in tall, ${inches(size.sectionWidthMm)} in wide, on a ${decimal(size.rimIn)} in wheel`
  return `${decimal(size.sectionWidthMm)} mm wide, sidewall ${decimal(size.aspect)} % of that, on a ${decimal(size.rimIn)} in wheel`
}

function loadNote({ loadIndex, dualLoadIndex }: Item): string {
  const load = loadOf(loadIndex ?? undefined)
  const four = load ? `Four carry ${grouped(load.lb * 4)} lb at full pressure` : ''
  const dual = loadOf(dualLoadIndex ?? undefined)
  return dual ? `${four}; side by side ${grouped(dual.lb)} lb each` : four
}

function rangeSpec({ loadRange, loadClass, plyRating, maxPsi }: Item): Spec | null {
  if (loadRange !== null)
    return spec(
      'Load range',
      isLoadRange(loadRange) ? describeLoadRange(loadRange) : loadRange,
      `${maxPsi} psi maximum`,
    )
  if (loadClass === null) return null
  const words = { SL: 'SL, standard load', XL: 'XL, extra load', HL: 'HL, high load' }
  return spec('Load range', words[loadClass], `${plyRating} ply rating, ${maxPsi} psi maximum`)
}

function gradeNote({ treadwear, traction, temperature }: Utqg): string {
  const wet = `wet braking ${traction}${placeIn(['AA', 'A', 'B', 'C'], traction)}`
  const heat = `heat ${temperature}${placeIn(['A', 'B', 'C'], temperature)}`
  return `Wears ${decimal(treadwear / 100, 1)} times as long as the test tire; ${wet}; ${heat}`
}

/** ", second best of 4": the grades of 49 CFR 575.104, best first. */
function placeIn(grades: readonly string[], grade: string): string {
  const place = grades.indexOf(grade)
  if (place < 0) return ''
  const words = place === grades.length - 1 ? 'lowest' : (['best', 'second best', 'third best'][place] ?? '')
  return `, ${words} of ${grades.length}`
}

function snowSpec({ line }: Item): Spec {
  if (line.threePeak)
    return spec(
      'Snow',
      'Three-peak mountain snowflake',
      line.winter ? 'Winter tire. Use four, and remove them in spring' : 'Rated for severe snow, and left on all year',
    )
  return line.mPlusS
    ? spec('Snow', 'M+S, light snow', 'No three-peak symbol. For deep snow, choose a tire that has it')
    : spec('Snow', 'Not for snow', 'Store it when it freezes')
}

function warrantySpec(item: Item): Spec {
  const miles = warrantyOf(item)
  return miles === null
    ? spec('Mileage warranty', 'None', null)
    : spec('Mileage warranty', `${grouped(miles)} mi`, 'Half where front and rear sizes differ')
}

const sidewallWords = { BSW: 'Black letters', OWL: 'Outlined white letters', VSB: 'Vertical serrated band' }

/** "Within the last 9 months": by the oldest in stock, rounded up, because it is a promise. */
function madeWords(oldestMonday: string, now: Temporal.Instant): string {
  const age = Temporal.PlainDate.from(oldestMonday).until(now.toZonedDateTimeISO('UTC').toPlainDate(), {
    largestUnit: 'month',
  })
  const months = age.months + (age.days > 0 ? 1 : 0)
  return months <= 1 ? 'Within the last month' : `Within the last ${countOf(months, 'month')}`
}

function inches(mm: number): string {
  return decimal(mm / 25.4, 1)
}

function decimal(value: number, places?: number): string {
  return places === undefined ? String(value) : value.toFixed(places)
}
