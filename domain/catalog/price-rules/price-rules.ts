/** Rules that price tires from their cost. Safe in the browser. */
import { countOf } from '#platform/count-text.ts'
import { formatCents, formatRate, PPM, priceWithMargin, rateOf } from '#platform/money.ts'

export {
  priceEndings,
  priceRuleForm,
  priceRuleVersionForm,
  publishPricesForm,
  type PriceRuleInput,
} from './price-rule-form.ts'

export type MarkupTerms = {
  /** The markup in parts per million of the cost. `addCents` is added after it. */
  markupPpm: number
  addCents: number
  /** The minimum margin in parts per million of the price. */
  marginFloorPpm: number
  /** Whether the price is at least the minimum advertised price. */
  raisesToMap: boolean
  /** The maximum age of competitors' prices in days; null if they don't count. */
  competitorDays: number | null
  /** By how much the lowest of them is beaten, in parts per million of it. The cents are added. */
  competitorBeatPpm: number
  competitorBeatCents: number
  /** The last two digits of the price; null for exact prices. */
  endingCents: number | null
}

/** A rule for a brand, a supplier, or both. Null is any. */
export type PriceRule = MarkupTerms & {
  id: number
  brandId: number | null
  brand: string | null
  supplierId: number | null
  supplier: string | null
  version: number
}

/** The landed cost of a unit at the cheapest and the most expensive source in cents, and the minimum advertised price. */
type TireCosts = { costCents: number; highestCostCents: number; mapCents: number | null }

/** A competitor's price of a tire in cents, and its age in days. */
export type CompetitorPrice = { competitor: string; cents: number; ageDays: number }

/** A price in cents, and the term that determines it. `competitor` is the lowest price that counts; null without one. */
type RuledPrice = {
  cents: number
  by: 'markup' | 'competitor' | 'margin' | 'map'
  competitor: CompetitorPrice | null
}

/**
 * Prices a tire by the markup on its lowest cost, and reduces the price to match or beat the lowest competitor, but not
 * below the minimum advertised price. The price is raised to the minimum margin at its highest cost and, if the rule says
 * so, to the minimum advertised price, and then to the ending. An ending above the competitor's limit is lowered by a
 * dollar, or left out if that is too low.
 */
export function ruledPrice(
  terms: MarkupTerms,
  { costCents, highestCostCents, mapCents }: TireCosts,
  competitors: readonly CompetitorPrice[] = [],
): RuledPrice {
  const markup = costCents + rateOf(costCents, terms.markupPpm) + terms.addCents
  const competitor = lowestOf(terms, competitors)
  const limit = competitor ? limitOf(terms, competitor) : Number.MAX_SAFE_INTEGER
  const margin = priceWithMargin(highestCostCents, terms.marginFloorPpm)
  // Without `raisesToMap`, only the reduction stops at the minimum.
  const map = terms.raisesToMap ? (mapCents ?? 0) : limit < markup ? Math.min(markup, mapCents ?? 0) : 0
  const floor = Math.max(margin, map)
  const cents = Math.max(Math.min(markup, limit), floor)
  const by = cents === markup ? 'markup' : cents === limit ? 'competitor' : cents === margin ? 'margin' : 'map'
  const ended = raisedToEnding(cents, terms.endingCents)
  if (ended <= limit || cents > limit) return { cents: ended, by, competitor }
  return { cents: ended - 100 >= Math.max(floor, 1) ? ended - 100 : cents, by, competitor }
}

/** The highest price that matches or beats a competitor's, at least 1 cent. */
function limitOf(terms: MarkupTerms, { cents }: CompetitorPrice): number {
  return Math.max(1, cents - rateOf(cents, terms.competitorBeatPpm) - terms.competitorBeatCents)
}

/** Returns the lowest price that is recent enough. */
function lowestOf({ competitorDays }: MarkupTerms, prices: readonly CompetitorPrice[]): CompetitorPrice | null {
  return prices
    .filter(({ ageDays }) => competitorDays !== null && ageDays <= competitorDays)
    .reduce<CompetitorPrice | null>((lowest, price) => (lowest && lowest.cents <= price.cents ? lowest : price), null)
}

/** Returns the lowest price from `cents` with this ending. */
function raisedToEnding(cents: number, ending: number | null): number {
  if (ending === null) return cents
  const rest = cents % 100
  return cents - rest + ending + (rest > ending ? 100 : 0)
}

/** Returns the rule for a tire. A brand and supplier come first, then a brand, then a supplier. */
export function ruleFor<Rule extends Pick<PriceRule, 'brandId' | 'supplierId'>>(
  rules: readonly Rule[],
  { brandId, supplierId }: { brandId: number; supplierId: number | null },
): Rule | undefined {
  const rank = (rule: Rule) => (rule.brandId === null ? 0 : 2) + (rule.supplierId === null ? 0 : 1)
  return rules
    .filter(
      (rule) =>
        (rule.brandId === null || rule.brandId === brandId) &&
        (rule.supplierId === null || rule.supplierId === supplierId),
    )
    .toSorted((one, other) => rank(other) - rank(one))[0]
}

/** A tire with its price now, and its price and rule if a rule applies. */
export type PricedTire = TireCosts & {
  sku: string
  name: string
  retailCents: number
  /** The freight in the lowest cost. */
  freightCents: number
  ruled: RuledPrice | 'no-rule' | 'no-cost'
}

type PriceChange = { sku: string; name: string; fromCents: number; toCents: number } & Pick<
  RuledPrice,
  'by' | 'competitor'
>

/** What rules change. `isPartial` means that more tires exist than were counted. */
export type PriceEffect = {
  tires: number
  changes: number
  raised: number
  byMargin: number
  byMap: number
  byCompetitor: number
  /** Tires with freight in their lowest cost. */
  withFreight: number
  withoutRule: number
  withoutCost: number
  /** The sums of changed prices before and after, in cents. */
  fromCents: number
  toCents: number
  /** The lowest margin of a tire with a rule, in parts per million of its price. */
  lowestMarginPpm: number | null
  /** The largest changes by share of the price. */
  largest: PriceChange[]
  isPartial: boolean
}

/** The number of listed changes. */
export const maxListedChanges = 10

export const noEffect: PriceEffect = {
  tires: 0,
  changes: 0,
  raised: 0,
  byMargin: 0,
  byMap: 0,
  byCompetitor: 0,
  withFreight: 0,
  withoutRule: 0,
  withoutCost: 0,
  fromCents: 0,
  toCents: 0,
  lowestMarginPpm: null,
  largest: [],
  isPartial: false,
}

/** Adds tires to an effect. */
export function withTires(effect: PriceEffect, tires: readonly PricedTire[]): PriceEffect {
  const ruled = tires.flatMap((tire) => (typeof tire.ruled === 'object' ? [{ ...tire, ...tire.ruled }] : []))
  const changed = ruled.filter(({ cents, retailCents }) => cents !== retailCents)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const margins = ruled.map(({ cents, highestCostCents }) => Math.floor(((cents - highestCostCents) * PPM) / cents))
  const lowest = Math.min(effect.lowestMarginPpm ?? PPM, ...margins)
  const share = ({ fromCents, toCents }: Pick<PriceChange, 'fromCents' | 'toCents'>) =>
    Math.abs(toCents - fromCents) / fromCents
  const largest = changed.map(({ sku, name, retailCents, cents, by, competitor }) => ({
    sku,
    name,
    fromCents: retailCents,
    toCents: cents,
    by,
    competitor,
  }))
  return {
    tires: effect.tires + tires.length,
    changes: effect.changes + changed.length,
    raised: effect.raised + changed.filter(({ cents, retailCents }) => cents > retailCents).length,
    byMargin: effect.byMargin + ruled.filter(({ by }) => by === 'margin').length,
    byMap: effect.byMap + ruled.filter(({ by }) => by === 'map').length,
    byCompetitor: effect.byCompetitor + ruled.filter(({ by }) => by === 'competitor').length,
    withFreight: effect.withFreight + ruled.filter(({ freightCents }) => freightCents > 0).length,
    withoutRule: effect.withoutRule + tires.filter((tire) => tire.ruled === 'no-rule').length,
    withoutCost: effect.withoutCost + tires.filter((tire) => tire.ruled === 'no-cost').length,
    fromCents: effect.fromCents + sum(changed.map(({ retailCents }) => retailCents)),
    toCents: effect.toCents + sum(changed.map(({ cents }) => cents)),
    lowestMarginPpm: ruled.length === 0 ? effect.lowestMarginPpm : lowest,
    largest: [...effect.largest, ...largest]
      .toSorted((one, other) => share(other) - share(one))
      .slice(0, maxListedChanges),
    isPartial: effect.isPartial,
  }
}

/** "Cost plus 20% and $5.00, beats competitors of the last 7 days by 2%, MAP or more, ending in .99" */
export function termsText(terms: MarkupTerms): string {
  const { markupPpm, addCents, marginFloorPpm, raisesToMap, endingCents } = terms
  return [
    `Cost plus ${formatRate(markupPpm)}${addCents > 0 ? ` and ${formatCents(addCents)}` : ''}`,
    competitorText(terms),
    marginFloorPpm > 0 ? `margin of at least ${formatRate(marginFloorPpm)}` : null,
    raisesToMap ? 'MAP or more' : null,
    endingCents === null ? null : `ending in .${String(endingCents).padStart(2, '0')}`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

function competitorText(terms: MarkupTerms): string | null {
  const { competitorDays: days, competitorBeatPpm: ppm, competitorBeatCents: cents } = terms
  if (days === null) return null
  const parts = [...(ppm > 0 ? [formatRate(ppm)] : []), ...(cents > 0 ? [formatCents(cents)] : [])]
  const prices = `competitors’ prices of the last ${countOf(days, 'day')}`
  return parts.length === 0 ? `matches ${prices}` : `beats ${prices} by ${parts.join(' and ')}`
}

/** "Kestrel tires from Broadmoor Wholesale" */
export function tiresOfRule({ brand, supplier }: Pick<PriceRule, 'brand' | 'supplier'>): string {
  return `${brand ?? 'All'} tires${supplier === null ? '' : ` from ${supplier}`}`
}
