/** An offer as sent to the browser. It is sent twice, so it includes only the fields a card shows. */
import type { FitmentVerdict } from '#domain/catalog/fitment/fitment.ts'
import { serviceOf, type Item, type Named, type ScoreBand, type Sidewall, type Tread } from './items.ts'
import type { Offer } from './offer.ts'
import { promotionOf, type Price } from './promotion.ts'

/** One article on a card. */
export type CardItem = {
  readonly itemId: number
  readonly size: string
  readonly sizeSlug: string
  /** "102H" */
  readonly service: string
  /** SL, XL, HL or a load range letter. */
  readonly range: string | null
  readonly runFlat: boolean
  readonly sidewall: Sidewall
  readonly oeMark: string | null
  /** As on the price tag, including `fetCents` of federal excise tax. */
  readonly unitCents: number
  readonly wasCents: number | null
  readonly fetCents: number
}

export type Card = {
  readonly kind: Offer['kind']
  readonly key: string
  readonly brand: Named
  readonly line: Named
  readonly type: Named
  readonly tread: Tread
  readonly mPlusS: boolean
  readonly threePeak: boolean
  /** One, or front and rear. */
  readonly items: readonly CardItem[]
  readonly perTireCents: number
  /** Four tires, or two and two, including excise tax; without installation, other fees and sales tax. */
  readonly fourCents: number
  readonly totalCents: number | null
  readonly deal: { readonly headline: string; readonly endsAt: string } | null
  readonly score: { readonly tenths: number; readonly band: ScoreBand } | null
  readonly rating: { readonly hundredths: number; readonly count: number } | null
  readonly warrantyMiles: number | null
  readonly isInStock: boolean
  readonly readyOn: string | null
  readonly fit: { readonly verdict: FitmentVerdict['verdict']; readonly text: string } | null
  /** The number of sizes, for a model. */
  readonly sizes: number
}

export function cardOf(offer: Offer): Card {
  const { line, items, prices } = offer
  const perItem = 4 / items.length
  return {
    kind: offer.kind,
    key: offer.key,
    brand: { slug: line.brand.slug, name: line.brand.name },
    line: { slug: line.slug, name: line.name },
    type: line.type,
    tread: line.tread,
    mPlusS: line.mPlusS,
    threePeak: line.threePeak,
    items: items.map((item, index) => cardItem(item, prices[index])),
    perTireCents: offer.perTireCents,
    fourCents: prices.reduce((sum, price) => sum + price.unitCents * perItem, 0),
    totalCents: offer.totalCents,
    deal: dealOf(prices),
    score: offer.score && { tenths: offer.score.tenths, band: offer.score.band },
    rating: line.rating && { hundredths: line.rating.overallHundredths, count: line.rating.count },
    warrantyMiles: offer.warrantyMiles,
    isInStock: offer.isInStock,
    readyOn: offer.readyOn,
    fit: offer.fitment && { verdict: offer.fitment.verdict, text: offer.fitment.text },
    sizes: offer.sizes,
  }
}

function cardItem(item: Item, price: Price | undefined): CardItem {
  return {
    itemId: item.id,
    size: item.size.designation,
    sizeSlug: item.size.slug,
    service: serviceOf(item),
    range: item.loadRange ?? item.loadClass,
    runFlat: item.runFlat,
    sidewall: item.sidewall,
    oeMark: item.oeMark,
    unitCents: price?.unitCents ?? item.retailCents + item.fetCents,
    wasCents: price?.wasCents ?? null,
    fetCents: item.fetCents,
  }
}

function dealOf(prices: readonly Price[]): Card['deal'] {
  const promotion = promotionOf(prices)
  return promotion ? { headline: promotion.headline, endsAt: promotion.endsAt.toString() } : null
}
