/** What a product page tells beyond the purchase: fewer than four tires, other sizes of the height, and what shoppers ask. */
import { paths } from '#app/paths.ts'
import { listOtherSizes, type Product } from '#domain/catalog/catalog.server.ts'
import type { OtherSize } from '#domain/catalog/catalog.ts'
import { partialSetFindings, traceRules, type FitmentVerdict, type Level } from '#domain/fitment/fitment.ts'
import { encodeChosenVehicle, vehicleName } from '#domain/vehicles/vehicles.ts'
import { listVehiclesWithSize } from '#domain/vehicles/vehicles.server.ts'
import type { Shop } from '#shop'
import { tireQuestions, type QuestionView } from './product-questions.server.ts'
import type { MyVehicle } from './vehicle-panel.server.ts'

export type KnowledgeView = {
  /** What buying one to three asks for on the shopper's vehicle; null without one, and for a staggered set. */
  fewer: { title: string; rows: { count: string; texts: string[] }[]; drive: DriveView | null } | null
  /** Every rule that spoke about the verdict; null without a vehicle. */
  checked: { title: string; rows: CheckView[]; source: string } | null
  others: { size: string; rows: OtherSizeView[] }
  questions: QuestionView[]
}

/** Asked where neither the data nor the shopper has said it. */
type DriveView = { question: string; action: string }

type CheckView = { key: string; checked: string; where: string; result: string; text: string | null }

type OtherSizeView = { size: string; path: string; wheels: string; height: string; speedometer: string; ratings: string }

type Known = { product: Product; verdict: FitmentVerdict | null; mine: MyVehicle | null; isSet: boolean; back: string }

export async function knowledgeView(shop: Shop, { product, verdict, mine, isSet, back }: Known): Promise<KnowledgeView> {
  const { item } = product
  const [others, vehicles] = await Promise.all([
    listOtherSizes(shop.catalog, item),
    shop.catalog.shelf.keep(`vehicles with ${item.size.slug}`, () => listVehiclesWithSize(shop, item.size.designation)),
  ])
  return {
    fewer: mine && verdict && !isSet ? fewerView(verdict, mine, back) : null,
    checked: mine && verdict && checkedView(verdict, mine),
    others: { size: item.size.designation, rows: others.map((other) => otherSizeView(other)) },
    questions: tireQuestions({
      item,
      vehicle: mine && { name: mine.chosen.name, path: mine.path, verdict },
      cameOn: vehicles.map((vehicle) => ({ name: vehicleName(vehicle), path: paths.vehicle(vehicle.makeSlug, vehicle.modelSlug, vehicle.year) })),
    }),
  }
}

const counts = [
  [1, 'One tire'],
  [2, 'Two tires'],
  [3, 'Three tires'],
] as const

function fewerView(verdict: FitmentVerdict, { chosen, need, model }: MyVehicle, back: string): KnowledgeView['fewer'] {
  if (verdict.verdict === 'does_not_fit') return null
  const rows = counts
    .map(([quantity, count]) => ({ count, texts: [...new Set(partialSetFindings(verdict, quantity).map(({ text }) => text))] }))
    .filter(({ texts }) => texts.length > 0)
  const isOpen = need.drive === 'na' && chosen.allWheelDrive === undefined && need.vehicleClass !== 'trailer'
  const action = paths.confirmation({ vehicle: encodeChosenVehicle(chosen), back })
  return rows.length === 0
    ? null
    : { title: `Fewer than four on your ${model}`, rows, drive: isOpen ? { question: `Is your ${model} all-wheel drive?`, action } : null }
}

const results: Record<Level, string> = { fits: 'Passed', fits_with_conditions: 'On a condition', unknown: 'Open', does_not_fit: 'Failed' }
const places = { front: 'Front', rear: 'Rear', set: 'Vehicle' } as const
const sources: Record<FitmentVerdict['source'], string> = {
  placard: 'the door label you confirmed',
  catalog: 'our list of original sizes',
  weak: 'a list our sources disagree about',
  none: 'no listed size',
}

function checkedView(verdict: FitmentVerdict, { model }: MyVehicle): NonNullable<KnowledgeView['checked']> {
  const date = verdict.sourceDate && verdict.source !== 'placard' ? ` of ${verdict.sourceDate}` : ''
  return {
    title: `What we checked for your ${model}`,
    rows: traceRules(verdict).map(({ rule, checked, axle, level, text }) => ({
      key: `${rule} ${axle} ${text ?? ''}`,
      checked,
      where: places[axle],
      result: results[level],
      text,
    })),
    source: `Against ${sources[verdict.source]}${date}, by rule book ${verdict.ruleBook}.`,
  }
}

function otherSizeView({ slug, designation, rimIn, diameterTenths, trueAtSixtyTenths, articles, ratedAsHigh, rimWidthsIn }: OtherSize): OtherSizeView {
  const percent = Math.abs(diameterTenths / 10).toFixed(1)
  return {
    size: designation,
    path: paths.size(slug),
    wheels: rimWidthsIn ? `${rimIn} inch, ${rimWidthsIn.min} to ${rimWidthsIn.max} wide` : `${rimIn} inch`,
    height: diameterTenths === 0 ? 'The same' : `${percent} % ${diameterTenths > 0 ? 'taller' : 'shorter'}`,
    speedometer: `${(trueAtSixtyTenths / 10).toFixed(1)} mph`,
    ratings: ratedAsHigh === 0 ? 'None rated as high' : `${ratedAsHigh} of ${articles} rated as high`,
  }
}
