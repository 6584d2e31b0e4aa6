/** Product information about buying fewer than four tires, other sizes with the same height, and common questions. */
import { levelTones } from '#app/ui/fit-tone.ts'
import { paths } from '#content/paths.ts'
import { listOtherSizes, type Product } from '#domain/catalog/catalog/catalog.server.ts'
import { sizeBasis, type OtherSize } from '#domain/catalog/catalog/catalog.ts'
import {
  isInstallationRefused,
  partialSetFindings,
  traceRules,
  type Axle,
  type FitmentVerdict,
  type Level,
} from '#domain/catalog/fitment/fitment.ts'
import { sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { FitTone } from '#app/ui/tire-facts.tsx'
import { encodeChosenVehicle, vehicleName } from '#domain/catalog/vehicles/vehicles.ts'
import { listVehiclesWithSize } from '#domain/catalog/vehicles/vehicles.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import { tireQuestions, type QuestionView } from './product-questions.server.ts'
import type { BuyView } from './product-view.ts'
import type { MyVehicle } from './vehicle-panel.server.ts'

export type KnowledgeView = {
  /**
   * What buying one to three tires, or one pair of a staggered set, requires on the shopper's vehicle; null without a
   * vehicle.
   */
  fewer: { title: string; rows: { count: string; texts: string[] }[]; drive: DriveView | null } | null
  /** The finding of every rule behind the verdict; null without a vehicle. */
  checked: { title: string; sum: string; isOpen: boolean; rows: CheckView[]; source: string } | null
  /** `whose` is the reference size for heights. `asks` is its load and speed requirement. */
  others: { size: string; whose: string; asks: string; rows: OtherSizeView[] }
  questions: QuestionView[]
}

/** Asked if neither the data nor the shopper has answered it. */
type DriveView = { question: string; action: string }

type CheckView = { key: string; checked: string; where: string; result: string; tone: FitTone; text: string | null }

type OtherSizeView = {
  size: string
  note: string | null
  path: string
  wheels: string
  height: string
  speedometer: string
  ratings: string
}

type Known = { product: Product; verdict: FitmentVerdict | null; mine: MyVehicle | null; isSet: boolean; back: string }

export async function knowledgeView(
  app: Application,
  { product, verdict, mine, isSet, back }: Known,
): Promise<KnowledgeView> {
  const { item } = product
  const basis = sizeBasis(item, mine?.requirement)
  const [others, vehicles] = await Promise.all([
    listOtherSizes(app.catalog, basis),
    app.catalog.cache.keep(`vehicles with ${item.size.slug}`, () => listVehiclesWithSize(app, item.size.designation)),
  ])
  return {
    fewer: mine && verdict && fewerView(verdict, mine, isSet, back),
    checked: mine && verdict && checkedView(verdict, mine),
    others: {
      size: basis.designation,
      ...(mine && basis.isOfVehicle
        ? {
            whose: `the size ${mine.requirement.source === 'placard' ? 'on the door label of' : 'listed for'} your ${mine.model}`,
            asks: `your ${mine.model} asks`,
          }
        : { whose: 'this tire', asks: 'this tire' }),
      rows: others.map((other) => otherSizeView(other, item.size.designation, mine)),
    },
    questions: tireQuestions({
      item,
      maxAgeYears: app.businessTerms.current['tire-age-years'],
      vehicle: mine && { name: mine.chosen.name, path: mine.path, verdict },
      cameOn: vehicles.map((vehicle) => ({
        name: vehicleName(vehicle),
        path: paths.vehicle(vehicle.makeSlug, vehicle.modelSlug, vehicle.year),
      })),
    }),
  }
}

/** Returns a note next to the quantity. Empty for a full set. */
export function fewerAsk(verdict: FitmentVerdict, mine: MyVehicle, quantity: number): BuyView['fewer'] {
  const texts = fewerTexts(verdict, quantity)
  return texts.length === 0
    ? null
    : { texts, more: isDriveOpen(mine) ? driveQuestion(mine) : 'What fewer than four ask for' }
}

/** What one, two or three tires require that four do not, each sentence once; empty if four do not fit. */
function fewerTexts(verdict: FitmentVerdict, quantity: number, axle?: Axle): string[] {
  if (isInstallationRefused(verdict) || !isFew(quantity)) return []
  return [...new Set(partialSetFindings(verdict, quantity, axle).map(({ text }) => text))]
}

function isFew(quantity: number): quantity is 1 | 2 | 3 {
  return quantity === 1 || quantity === 2 || quantity === 3
}

type Part = { count: string; quantity: number; axle?: Axle }
const partsOfFour: readonly Part[] = [
  { count: 'One tire', quantity: 1 },
  { count: 'Two tires', quantity: 2 },
  { count: 'Three tires', quantity: 3 },
]
const partsOfSet: readonly Part[] = [
  { count: 'Two in front', quantity: 2, axle: 'front' },
  { count: 'Two in the rear', quantity: 2, axle: 'rear' },
]

/** Our data include the drivetrain of few vehicles. */
function isDriveOpen({ chosen, requirement }: MyVehicle): boolean {
  return requirement.drive === 'na' && chosen.allWheelDrive === undefined && requirement.vehicleClass !== 'trailer'
}

function driveQuestion({ model }: MyVehicle): string {
  return `Is your ${model} all-wheel drive?`
}

function fewerView(verdict: FitmentVerdict, mine: MyVehicle, isSet: boolean, back: string): KnowledgeView['fewer'] {
  const rows = (isSet ? partsOfSet : partsOfFour)
    .map(({ count, quantity, axle }) => ({ count, texts: fewerTexts(verdict, quantity, axle) }))
    .filter(({ texts }) => texts.length > 0)
  const action = paths.confirmation({ vehicle: encodeChosenVehicle(mine.chosen), back })
  const drive = isDriveOpen(mine) ? { question: driveQuestion(mine), action } : null
  return rows.length === 0 ? null : { title: `Fewer than four on your ${mine.model}`, rows, drive }
}

const results: Record<Level, string> = {
  fits: 'Passed',
  fits_with_conditions: 'On a condition',
  unknown: 'Open',
  does_not_fit: 'Failed',
}
const places = { front: 'Front', rear: 'Rear', set: 'Vehicle' } as const
const sources: Record<FitmentVerdict['source'], string> = {
  placard: 'the door label you confirmed',
  catalog: 'our list of original sizes',
  weak: 'a list our sources disagree about',
  none: 'no listed size',
}

function checkedView(verdict: FitmentVerdict, { model }: MyVehicle): NonNullable<KnowledgeView['checked']> {
  const date = verdict.sourceDate && verdict.source !== 'placard' ? ` of ${verdict.sourceDate}` : ''
  const rows = traceRules(verdict)
  const passed = rows.filter(({ level }) => level === 'fits').length
  return {
    title: `What we checked for your ${model}`,
    sum:
      passed === rows.length
        ? `All ${countOf(passed, 'rule')} passed`
        : `${passed} of ${countOf(rows.length, 'rule')} passed`,
    isOpen: passed < rows.length,
    rows: rows.map(({ rule, checked, axle, level, text }) => ({
      key: `${rule} ${axle} ${text ?? ''}`,
      checked,
      where: places[axle],
      result: results[level],
      tone: levelTones[level],
      text,
    })),
    source: `Against ${sources[verdict.source]}${date}, by rule book ${verdict.ruleBook}.`,
  }
}

function otherSizeView(
  { slug, designation, rimIn, diameterTenths, trueAtSixtyTenths, articles, ratedAsHigh, rimWidthsIn }: OtherSize,
  own: string,
  mine: MyVehicle | null,
): OtherSizeView {
  const isOfOtherTrims = mine?.requirement.alternativeSizes?.some((size) => sizeDesignation(size) === designation)
  const percent = Math.abs(diameterTenths / 10).toFixed(1)
  return {
    size: designation,
    note: designation === own ? 'This tire' : mine && isOfOtherTrims ? `Listed for other ${mine.model} trims` : null,
    path: paths.size(slug),
    wheels: rimWidthsIn ? `${rimIn} inch, ${rimWidthsIn.min} to ${rimWidthsIn.max} wide` : `${rimIn} inch`,
    height: diameterTenths === 0 ? 'The same' : `${percent} % ${diameterTenths > 0 ? 'taller' : 'shorter'}`,
    speedometer: `${(trueAtSixtyTenths / 10).toFixed(1)} mph`,
    ratings: ratedAsHigh === 0 ? 'No higher-rated tire' : `${ratedAsHigh} of ${articles} rated as high`,
  }
}
