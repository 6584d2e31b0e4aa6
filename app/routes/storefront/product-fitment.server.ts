/** The verdict and the sizes of a product page, in words. */
import { copyTerms } from '#app/content/copy-terms.server.ts'
import { paths, withQuery } from '#content/paths.ts'
import { fitToneOf } from '#app/ui/fit-tone.ts'
import type { Product, Sibling } from '#domain/catalog/catalog/catalog.server.ts'
import {
  isInstallationRefused,
  summarizeVerdict,
  type AxleRow,
  type FitmentVerdict,
  type Requirement,
} from '#domain/catalog/fitment/fitment.ts'
import { sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { StaggeredSet } from './product-set.server.ts'
import type { AxleCellView, FitmentView, SizeLink, SizesView } from './product-view.ts'
import { vehiclePanel, type MyVehicle } from './vehicle-panel.server.ts'

/**
 * The rule book's verdict on the set for the shopper's vehicle, and the next step if more information is needed. `back`
 * is the page's own address.
 */
export function fitmentView(verdict: FitmentVerdict, mine: MyVehicle, back: string): FitmentView {
  const { chosen, found, requirement } = mine
  const summary = summarizeVerdict(verdict, { vehicleName: chosen.name })
  const panel = vehiclePanel({ found, requirement, chosen, back })
  const differs = withQuery(paths.confirmation(), { back })
  const isOpen = verdict.verdict === 'unknown'
  const label =
    summary.labelQuestion !== undefined && panel.confirm
      ? { question: summary.labelQuestion, confirm: panel.confirm, differs }
      : null
  // The question below is clearer than the condition.
  const asked = label ? verdict.conditions.find(({ code }) => code === 'C-PLACARD')?.text : undefined
  return {
    tone: fitToneOf(verdict),
    headline: summary.headline,
    lines: [...summary.lines, ...summary.notes].filter((line) => line !== asked),
    axles:
      requirement.configurations.length === 0
        ? []
        : summary.axles.map(({ label, requirements, front, rear }) => ({
            label,
            requirements,
            front: cellView(front),
            rear: cellView(rear),
          })),
    source: sourceText(verdict),
    action: panel.action,
    label,
    choices: isOpen ? panel.labels : [],
    links: [
      ...(isOpen ? [{ label: 'Enter the size on my door label', path: differs }] : []),
      {
        label: 'Change vehicle',
        path: paths.find({ year: chosen.year, make: chosen.makeSlug, model: chosen.modelSlug }),
      },
    ],
  }
}

/** A size in which the line fits the vehicle, for a shopper viewing one that does not. */
export function fittingSibling({ siblings }: Product): Sibling | undefined {
  return siblings.find(
    ({ fit, isInStock }) => isInStock && (fit?.verdict === 'fits' || fit?.verdict === 'fits_with_conditions'),
  )
}

const sizesAtOnce = 6

/**
 * Returns the size selector. The vehicle's original sizes come first, then other trims' sizes, then the rest by rim.
 * Without a vehicle, the sizes closest to the current one come first.
 */
export function sizesView(product: Product, set: StaggeredSet | null, mine: MyVehicle | null): SizesView {
  const { siblings } = product
  const chosenIds = new Set(set ? [set.front.item.id, set.rear.item.id] : [product.item.id])
  const isChosen = ({ itemId }: Sibling) => chosenIds.has(itemId)
  const noted = new Map(siblings.map((sibling) => [sibling, mine ? noteFor(sibling, mine) : undefined]))
  const likely = mine
    ? [
        ...siblings.filter((sibling) => noted.get(sibling)?.isOwn),
        ...siblings.filter(isChosen),
        ...siblings.filter((sibling) => noted.get(sibling)?.isOwn === false),
      ]
    : around(siblings, siblings.findIndex(isChosen))
  const near = [...new Set(likely)].filter((sibling, index) => index < sizesAtOnce || isChosen(sibling))
  const rest = siblings.filter((sibling) => !near.includes(sibling))
  const link = (sibling: Sibling, note: string | undefined): SizeLink => ({
    path: sizePath(product, set, sibling),
    size: [
      sibling.size,
      sibling.service,
      sibling.range === 'SL' ? '' : sibling.range,
      sibling.runFlat ? 'run-flat' : '',
    ]
      .filter(Boolean)
      .join(' '),
    // Fits by size but not by load or speed rating.
    ...(noted.get(sibling)?.isOwn && isInstallationRefused(sibling.fit)
      ? { note: 'Does not fit', tone: 'no' as const }
      : { note: note ?? formatCents(sibling.unitCents), tone: 'plain' as const }),
    isChosen: isChosen(sibling),
  })
  return {
    near: near.map((sibling) => link(sibling, noted.get(sibling)?.note)),
    more: [...Map.groupBy(rest, ({ rimIn }) => rimIn)].map(([rim, ofRim]) => ({
      rim: `${rim} inch`,
      sizes: ofRim.map((sibling) => link(sibling, undefined)),
    })),
    moreCount: rest.length,
  }
}

/** How a size relates to the vehicle; undefined if no trim came with it. */
function noteFor(
  { size }: Sibling,
  { requirement, chosen, model }: MyVehicle,
): { note: string; isOwn: boolean } | undefined {
  const axles = axlesOf(size, requirement)
  if (axles !== '' && requirement.configurations.length > 1) return { note: `Some ${model} trims`, isOwn: true }
  if (axles !== '') return { note: `${axles}${chosen.label ? ', on your label' : ''}`, isOwn: true }
  const isOfOtherTrims = requirement.alternativeSizes?.some((other) => sizeDesignation(other) === size)
  return isOfOtherTrims ? { note: `Other ${model} trims`, isOwn: false } : undefined
}

/** Returns as many sizes as fit, with the one at `index` in the middle. */
function around(siblings: readonly Sibling[], index: number): Sibling[] {
  const start = Math.max(0, Math.min(index - Math.floor(sizesAtOnce / 2), siblings.length - sizesAtOnce))
  return siblings.slice(start, start + sizesAtOnce)
}

/** "Your factory size", "Your front size"; '' if the vehicle did not come with it. */
function axlesOf(size: string, { configurations }: Requirement): string {
  const on = (axle: 'front' | 'rear') =>
    configurations.some(
      (configuration) => configuration[axle].size && sizeDesignation(configuration[axle].size) === size,
    )
  if (on('front')) return on('rear') ? 'Your factory size' : 'Your front size'
  return on('rear') ? 'Your rear size' : ''
}

/** In a set, choosing the other axle's size preserves this page's item. */
function sizePath({ line }: Product, set: StaggeredSet | null, sibling: Sibling): string {
  const own = (itemId: number) => paths.item(line.brand.slug, line.slug, itemId)
  return set && sibling.size === set.rear.item.size.designation && set.rear.item.size !== set.front.item.size
    ? withQuery(own(set.front.item.id), { rear: sibling.itemId })
    : own(sibling.itemId)
}

function cellView(cell: AxleRow['front']): AxleCellView {
  return cell ? { text: cell.text, state: cell.state } : null
}

function sourceText({ source, sourceDate, verdict }: FitmentVerdict): string {
  switch (source) {
    case 'placard':
      return verdict === 'fits'
        ? `Still wrong? Send them back unmounted within ${countOf(copyTerms()['return-days'], 'day')}, free.`
        : 'Checked against the label you confirmed.'
    case 'catalog':
      return `From our list of original sizes${sourceDate ? `, ${sourceDate}` : ''}.`
    case 'weak':
      return 'Our sources disagree about this vehicle.'
    case 'none':
      return 'No size is listed for this vehicle yet.'
  }
}
