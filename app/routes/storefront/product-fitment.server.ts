/** The verdict and the sizes of a product page, in words. */
import { paths, withQuery } from '#app/paths.ts'
import type { Product } from '#domain/catalog/catalog.server.ts'
import type { Sibling } from '#domain/catalog/catalog.server.ts'
import { sizeDesignation, summarizeVerdict, type AxleRow, type FitmentVerdict, type Need } from '#domain/fitment/fitment.ts'
import { RETURN_WINDOW_DAYS } from '#domain/pricing/pricing.ts'
import { formatCents } from '#platform/money.ts'
import { tones } from './listing-cards.server.ts'
import type { StaggeredSet } from './product-set.server.ts'
import type { AxleCellView, FitmentView, SizeLink, SizesView } from './product-view.ts'
import { vehiclePanel, type MyVehicle } from './vehicle-panel.server.ts'

/** What the rule book says of the set on the shopper's vehicle, and the next step where it cannot say more yet. `back` is the page's own address. */
export function fitmentView(verdict: FitmentVerdict, mine: MyVehicle, back: string): FitmentView {
  const { chosen, found, need } = mine
  const summary = summarizeVerdict(verdict, { vehicleName: chosen.name })
  const panel = vehiclePanel({ found, need, chosen, back })
  const differs = withQuery(paths.confirmation(), { back })
  const isOpen = verdict.verdict === 'unknown'
  return {
    tone: tones[verdict.verdict],
    headline: summary.headline,
    lines: [...summary.lines, ...summary.notes],
    axles: need.worlds.length === 0 ? [] : summary.axles.map(({ label, needs, front, rear }) => ({ label, needs, front: cellView(front), rear: cellView(rear) })),
    source: sourceText(verdict),
    label: summary.labelQuestion !== undefined && panel.confirm ? { question: summary.labelQuestion, confirm: panel.confirm, differs } : null,
    choices: isOpen ? panel.labels : [],
    links: [
      ...(isOpen ? [{ label: 'Type what my label says', path: differs }] : []),
      { label: 'Change vehicle', path: paths.find({ year: chosen.year, make: chosen.makeSlug, model: chosen.modelSlug }) },
    ],
  }
}

/** Sizes in which the line fits the vehicle, for a shopper who looks at one that does not. */
export function fittingSibling({ siblings }: Product): Sibling | undefined {
  return siblings.find(({ fit, isInStock }) => isInStock && (fit?.verdict === 'fits' || fit?.verdict === 'fits_with_conditions'))
}

const sizesAtOnce = 6

/**
 * The size selector: what the vehicle left the factory with first, then what other trims have, then the rest by rim. Without a vehicle the sizes
 * next to the one shown stand in front.
 */
export function sizesView(product: Product, set: StaggeredSet | null, mine: MyVehicle | null): SizesView {
  const chosenIds = new Set(set ? [set.front.item.id, set.rear.item.id] : [product.item.id])
  const ranked = product.siblings.map((sibling) => ({ sibling, ...place(sibling, chosenIds, product, mine) })).sort((a, b) => a.rank - b.rank)
  const near = ranked.filter(({ rank }, index) => rank < others && (rank <= shown || index < sizesAtOnce))
  const rest = product.siblings.filter((sibling) => !near.some((entry) => entry.sibling === sibling))
  const link = (sibling: Sibling, note: string): SizeLink => ({
    path: sizePath(product, set, sibling),
    size: [sibling.size, sibling.service, sibling.range === 'SL' ? '' : sibling.range, sibling.runFlat ? 'run-flat' : ''].filter(Boolean).join(' '),
    ...(mine && sibling.fit?.verdict === 'does_not_fit' && note !== '' ? { note: 'Does not fit', tone: 'no' as const } : { note: note || formatCents(sibling.unitCents), tone: 'plain' as const }),
    isChosen: chosenIds.has(sibling.itemId),
  })
  return {
    near: near.map(({ sibling, note }) => link(sibling, note)),
    more: [...Map.groupBy(rest, ({ rimIn }) => rimIn)].map(([rim, siblings]) => ({ rim: `${rim} inch`, sizes: siblings.map((sibling) => link(sibling, '')) })),
    moreCount: rest.length,
  }
}

const [factory, shown, otherTrims, sameRim, others] = [0, 1, 2, 3, 4]

function place(sibling: Sibling, chosenIds: ReadonlySet<number>, product: Product, mine: MyVehicle | null): { rank: number; note: string } {
  const axles = mine ? axlesOf(sibling.size, mine.need) : ''
  if (axles !== '') return { rank: factory, note: mine?.chosen.label ? `${axles} on your label` : `${axles} from the factory` }
  const isOfOtherTrims = mine?.need.alternativeSizes?.some((size) => sizeDesignation(size) === sibling.size) ?? false
  const note = isOfOtherTrims ? `Other ${mine?.model} trims` : ''
  if (chosenIds.has(sibling.itemId)) return { rank: shown, note }
  if (isOfOtherTrims) return { rank: otherTrims, note }
  return { rank: mine === null && sibling.rimIn === product.item.size.rimIn ? sameRim : others, note: '' }
}

/** "Your size", "Your front size"; '' where the vehicle did not come with it. */
function axlesOf(size: string, { worlds }: Need): string {
  const on = (axle: 'front' | 'rear') => worlds.some((world) => world[axle].size && sizeDesignation(world[axle].size) === size)
  if (on('front')) return on('rear') ? 'Your size' : 'Your front size'
  return on('rear') ? 'Your rear size' : ''
}

/** Of a set the other wheel's size keeps this page's article. */
function sizePath({ line }: Product, set: StaggeredSet | null, sibling: Sibling): string {
  const own = (itemId: number) => paths.item(line.brand.slug, line.slug, itemId)
  return set && sibling.size === set.rear.item.size.designation && set.rear.item.size !== set.front.item.size ? withQuery(own(set.front.item.id), { rear: sibling.itemId }) : own(sibling.itemId)
}

function cellView(cell: AxleRow['front']): AxleCellView {
  return cell ? { text: cell.text, state: cell.state } : null
}

function sourceText({ source, sourceDate, verdict }: FitmentVerdict): string {
  switch (source) {
    case 'placard':
      return verdict === 'fits' ? `Checked against the label you confirmed. Wrong all the same? Send them back unmounted within ${RETURN_WINDOW_DAYS} days, free.` : 'Checked against the label you confirmed.'
    case 'catalog':
      return `From our list of original sizes${sourceDate ? `, ${sourceDate}` : ''}.`
    case 'weak':
      return 'Our sources disagree about this vehicle.'
    case 'none':
      return 'No size is listed for this vehicle yet.'
  }
}
