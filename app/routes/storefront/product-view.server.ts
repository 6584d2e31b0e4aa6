/** The data of a product page, from the catalog and the shops near the ZIP. */
import { planIn, storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { frontView } from '#app/server/pictures.ts'
import { labelOfPrices, labelView } from '#content/messages/price-labels.ts'
import { planWords } from '#domain/ordering/checkout/checkout.ts'
import { freeFromCentsIn, freeFromText, isShippingFree } from '#domain/supply/delivery/delivery.ts'
import { type ShippingRates } from '#domain/kernel/rates/rates.ts'
import { shippingRatesOf } from '#domain/kernel/settings/settings.ts'
import { readShippingTo, type ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { coverageOf } from '#domain/catalog/offers/offers.ts'
import { readExpress } from '#app/views/express.server.ts'
import { reviewSumsView, reviewView } from '#app/views/review-view.server.ts'
import { paths } from '#content/paths.ts'
import type { Product } from '#domain/catalog/catalog/catalog.server.ts'
import { priceInCartText, serviceOf, type Item, type ScorePart } from '#domain/catalog/catalog/catalog.ts'
import { pictureDataOf, pictureKey } from '#pictures/pictures.ts'
import { plainReviewQuery, reviewParameters, type ReviewQuery } from '#domain/aftercare/reviews/reviews.ts'
import { monthDayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'
import { cardView } from './listing-cards.server.ts'
import { dealText, dollars, exciseNote, shippingNote } from './listing-messages.server.ts'
import { fitmentView, fittingSibling, sizesView } from './product-fitment.server.ts'
import { dealEnd, productHead } from './product-head.server.ts'
import { fewerAsk } from './product-knowledge.server.ts'
import { readNear, type SetPart } from './product-offers.server.ts'
import type { StaggeredSet } from './product-set.server.ts'
import { sizeKeyOf } from './product-size-key.ts'
import {
  mostQuantity,
  type BuyView,
  type DrawnView,
  type Fields,
  type LinkView,
  type ProductView,
  type ReviewsView,
  type ScoreView,
  type SpecView,
} from './product-view.ts'
import type { MyVehicle } from './vehicle-panel.server.ts'
import { isInstallationRefused } from '#domain/catalog/fitment/fitment.ts'
import { countOf } from '#platform/count-text.ts'

/** `path` is the page's address, `canonical` its canonical URL, `back` where forms return to. */
export type ProductPage = {
  product: Product
  set: StaggeredSet | null
  mine: MyVehicle | null
  zip: string | undefined
  quantity: number
  /** The page of a model. The item is its most likely one. */
  isLine: boolean
  canonical: string
  path: string
  back: string
}

const similarShown = 4

export async function productView(
  app: Application,
  page: ProductPage,
): Promise<{ view: ProductView; drawn: DrawnView }> {
  const { product, set, mine, zip } = page
  const { item, line } = product
  const parts = partsOf(page)
  const alike = product.similar.slice(0, similarShown)
  const shippingTo = await readShippingTo(app, zip)
  const { near, cards } =
    zip === undefined
      ? { near: null, cards: alike.map((offer) => cardView(offer, null)) }
      : await readNear(app, zip, parts, alike, shippingTo)
  const verdict = set ? set.verdict : product.fitment
  const buy = { ...buyView(page, parts, shippingTo), express: await readExpress(app, centsOf(parts)) }
  const view: ProductView = {
    store: app.config.store.name,
    brand: line.brand.name,
    line: line.name,
    tire: [item.size.designation, serviceOf(item)].filter(Boolean).join(' '),
    crumbs: crumbsOf(product, mine),
    score: item.score && { tenths: item.score.tenths, word: item.score.band },
    rating: line.rating && { hundredths: line.rating.overallHundredths, count: line.rating.count },
    fitment: mine && verdict ? fitmentView(verdict, mine, page.back) : null,
    buy,
    near,
    timesFields: buy.form
      ? [
          ...buy.form.fields,
          ...(buy.form.quantity ? ([['quantity', String(buy.form.quantity.value)]] satisfies Fields) : []),
        ]
      : [],
    back: page.back,
    compareKey: set ? `${set.front.item.id}-${set.rear.item.id}` : String(item.id),
    similar: { cards, all: allInSize(item) },
    head: productHead(product, page.canonical, page.isLine),
  }
  return { view, drawn: serverRenderedView(app, page, parts, shippingTo) }
}

function serverRenderedView(
  { config, brandedStore, businessTerms }: Application,
  { product, set, mine }: ProductPage,
  parts: readonly SetPart[],
  shippingTo: ShippingTo | null,
): DrawnView {
  const { item } = product
  const drawing = pictureDataOf(item)
  const coverage = [
    ...new Set(parts.map((part) => formatCents(coverageOf(part.item, part.price, businessTerms.current)))),
  ].join(' and ')
  return {
    store: config.store.name,
    pictures: {
      drawing,
      tread: paths.treadPicture(item.id, pictureKey(drawing)),
      front: { itemId: item.id, key: pictureKey(drawing, frontView) },
      photos: product.texts.photos.map(({ key, description }) => ({ path: paths.uploadedPicture(key), description })),
    },
    sizeKey: sizeKeyOf(item),
    sizes: sizesView(product, set, mine),
    promises: {
      plan: planWords(planIn(storeKindOf(brandedStore)), businessTerms.current).name,
      coverage,
      returnDays: businessTerms.current['return-days'],
      itemId: item.id,
      shipping: shippingPromise(
        shippingTo,
        parts.map((part) => part.item),
        shippingRatesOf(businessTerms.current),
      ),
    },
    specs: specViews(product, mine),
    about: product.texts.about,
    score: scoreView(product),
    reviews: reviewsView(product, mine),
  }
}

/** What shipping costs, before the ZIP is known and where it is. */
function shippingPromise(to: ShippingTo | null, items: readonly Item[], rates: ShippingRates): string {
  const freeFromCents = to === null ? freeFromCentsIn(rates, 'CONUS') : to.freeFromCents
  const free = freeFromCents === null ? '' : freeFromText(freeFromCents)
  if (to === null)
    return isShippingFree(rates) || free
      ? `Free shipping in the 48 contiguous states${free && ` ${free}`}; elsewhere your ZIP shows what it costs.`
      : 'Your ZIP shows what shipping costs.'
  const cents = to.perTireCents(items)
  if (cents === 0) return `Free shipping to ${to.zip}.`
  return `Shipping to ${to.zip} is ${formatCents(cents)} a tire${free && `, and free ${free}`}.`
}

function partsOf({ product, set, quantity }: ProductPage): SetPart[] {
  if (set) return [set.front, set.rear].map(({ item, price }) => ({ item, price, quantity: 2 }))
  return [{ item: product.item, price: product.price, quantity: Math.max(1, Math.min(quantity, product.units)) }]
}

function crumbsOf({ line }: Product, mine: MyVehicle | null): LinkView[] {
  return [
    mine ? { label: `Tires for your ${mine.model}`, path: mine.path } : { label: 'Brands', path: paths.brands() },
    { label: line.brand.name, path: paths.brand(line.brand.slug) },
  ]
}

export const scoreNames: Record<ScorePart['name'], string> = {
  reviews: 'Owner reviews',
  warranty: 'Mileage warranty',
  grades: 'Treadwear, wet and heat grades',
}

function scoreView({ item: { score } }: Product): ScoreView | null {
  return (
    score && {
      tenths: score.tenths,
      word: score.band,
      parts: score.parts.map(({ name, points, weight }) => ({
        name: scoreNames[name],
        points: points.toFixed(1),
        weight,
      })),
    }
  )
}

/** The size is already shown elsewhere. A speed requirement is mentioned only if all the vehicle's wheels share it. */
function specViews({ specs }: Product, mine: MyVehicle | null): SpecView[] {
  const speeds = new Set(mine?.requirement.configurations.flatMap(({ front, rear }) => [front.speed, rear.speed]))
  const [speed] = speeds
  const asks = speeds.size === 1 && speed ? `Your ${mine?.model} requires ${speed}` : null
  return specs
    .filter(({ name }) => name !== 'Size')
    .map(({ name, value, note }) => ({
      name,
      value,
      note: name === 'Speed rating' ? asks : note,
      isService: name === 'Load index' || name === 'Speed rating',
    }))
}

function centsOf(parts: readonly SetPart[]): number {
  return parts.reduce((sum, { price, quantity }) => sum + price.unitCents * quantity, 0)
}

function buyView(
  page: ProductPage,
  parts: readonly SetPart[],
  shippingTo: ShippingTo | null,
): Omit<BuyView, 'express'> {
  const { product, set, mine, path } = page
  const { item, units } = product
  const quantity = parts[0]?.quantity ?? 1
  return {
    prices: parts.map(({ item: part, price }, index) => ({
      axle: set ? (index === 0 ? 'front' : 'rear') : null,
      unit: formatCents(price.unitCents),
      was: price.wasCents === null ? null : formatCents(price.wasCents),
      excise: exciseNote(price.fetCents),
      inCart: price.charged ? priceInCartText : null,
      shipping: shippingNote(shippingTo, { kind: 'tire', items: [part] }) ?? null,
    })),
    ...labelOf(parts),
    deal: dealOf(parts),
    rebate: rebateOf(product),
    set: set ? '2 front and 2 rear' : countOf(quantity, 'tire'),
    path,
    stock: stockText(page),
    fewer: mine && product.fitment && !set ? fewerAsk(product.fitment, mine, quantity) : null,
    ...(set
      ? setForms(set)
      : {
          form:
            units === 0
              ? null
              : {
                  fields: [['item', String(item.id)]],
                  quantity: { value: quantity, most: Math.min(mostQuantity, units) },
                },
          pairs: [],
        }),
    refused: mine ? refusalOf(page, mine) : null,
    instead: product.similar.length > 0 ? { label: 'Similar tires in this size', path: '#similar' } : allInSize(item),
  }
}

function allInSize({ size }: Item): LinkView {
  return { label: `All ${size.designation} tires`, path: paths.size(size.slug) }
}

/** Accounts without special pricing are invited to apply. */
function labelOf(parts: readonly SetPart[]): Pick<BuyView, 'label'> {
  const label = labelOfPrices(parts.map(({ price }) => price))
  if (label) return { label }
  const special = parts.some(({ price }) => price.account?.type === 'Special Order')
    ? labelView('Special Order')
    : undefined
  return special ? { label: { ...special, label: 'Ask for special pricing' } } : {}
}

/** "$16 off each, to Nov 30" */
function dealOf(parts: readonly SetPart[]): string | null {
  const [first, ...rest] = parts
  const text = first
    ? dealText({
        items: [first.item, ...rest.map(({ item }) => item)],
        prices: [first.price, ...rest.map(({ price }) => price)],
      })
    : null
  const end = dealEnd(parts)
  return text && end ? `${text}, to ${monthDayText(end)}` : text
}

/** "$60 rebate after you buy 4" */
function rebateOf({ rebate }: Product): LinkView | null {
  return (
    rebate && {
      label: `${dollars(rebate.amountCents)} rebate after you buy ${rebate.units}`,
      path: paths.deal(rebate.slug),
    }
  )
}

function setForms({ front, rear }: StaggeredSet): Pick<BuyView, 'form' | 'pairs'> {
  const pair = (product: Product, axle: 'front' | 'rear') =>
    product.units < 2
      ? []
      : [
          {
            label: `Only 2 ${axle}`,
            fields: [
              ['item', String(product.item.id)],
              ['quantity', '2'],
              ['axle', axle],
            ] satisfies Fields,
          },
        ]
  const isWhole = front.units >= 2 && rear.units >= 2
  return {
    form: isWhole
      ? {
          fields: [
            ['item', String(front.item.id)],
            ['quantity', '2'],
            ['rearItem', String(rear.item.id)],
            ['rearQuantity', '2'],
          ],
          quantity: null,
        }
      : null,
    pairs: [...pair(front, 'front'), ...pair(rear, 'rear')],
  }
}

function stockText({ product: { units, tooOld }, set }: ProductPage): string | null {
  if (set)
    return set.front.units >= 2 && set.rear.units >= 2
      ? null
      : (set.front.tooOld ??
          set.rear.tooOld ??
          'We do not have two of each right now, so this set cannot be sold whole.')
  if (tooOld !== null) return tooOld
  if (units === 0) return 'Sold out in this size right now.'
  return units < mostQuantity ? `Only ${units} left.` : null
}

function refusalOf({ product, set }: ProductPage, mine: MyVehicle): BuyView['refused'] {
  if (!isInstallationRefused(set ? set.verdict : product.fitment)) return null
  const fitting = fittingSibling(product)
  return {
    text: `Not for your ${mine.model}. For another car you can still add them to your cart.`,
    links: [
      ...(fitting
        ? [
            {
              label: `${product.line.name} in ${fitting.size}`,
              path: paths.item(product.line.brand.slug, product.line.slug, fitting.itemId),
            },
          ]
        : []),
      { label: `Tires for your ${mine.model}`, path: mine.path },
    ],
  }
}

function reviewsView({ line, reviews }: Product, mine: MyVehicle | null): ReviewsView {
  const { rating } = line
  const model = mine && modelName(mine)
  const path = (query: Partial<ReviewQuery> = {}) =>
    paths.lineReviews(line.brand.slug, line.slug, reviewParameters({ ...plainReviewQuery, ...query }))
  return {
    sums: rating && reviewSumsView(rating, (stars) => path({ stars })),
    first: reviews.map(reviewView),
    all: path(),
    mine: mine && model ? { label: `From ${mine.model} drivers`, path: path({ vehicle: model }) } : null,
    write: paths.writeReview(line.brand.slug, line.slug),
  }
}

/** "Toyota RAV4", as reviews are filtered by it. */
function modelName({ found }: MyVehicle): string {
  const { make, model } = found.kind === 'known' ? found.model : found.trims[0].vehicle
  return `${make} ${model}`
}
