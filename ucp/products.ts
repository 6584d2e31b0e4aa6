/** Tires as products of the protocol. Prices are without federal excise tax, as the lines of a checkout have them. */
import type { UcpContext } from '#ucp/context.ts'
import { speaksFitment } from '#ucp/fitment.ts'
import { paths } from '#content/paths.ts'
import { cardOf, type Offer } from '#domain/catalog/catalog/catalog.ts'
import type { Product } from '#domain/catalog/catalog/catalog.server.ts'
import type { ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { freeFromText } from '#domain/supply/delivery/delivery.ts'
import { formatCents } from '#platform/money.ts'

type Input = { id: string; match: 'exact' | 'featured' }
type Money = { amount: number; currency: 'USD' }
export type VariantView = {
  id: string
  title: string
  description: { plain: string }
  url: string
  price: Money
  list_price?: Money
  availability: { available: boolean; status: string }
  options: { name: string; id: string; label: string }[]
  inputs?: Input[]
  fitment?: object
}
export type ProductView = {
  id: string
  title: string
  description: { plain: string }
  url: string
  price_range: { min: Money; max: Money }
  categories: { value: string; taxonomy: string }[]
  variants: VariantView[]
  rating?: { value: number; scale_min: number; scale_max: number; count: number }
}

type Sold = {
  itemId: number
  size: string
  service: string
  range: string | null
  unitCents: number
  wasCents: number | null
  fetCents: number
  isInStock: boolean
  /** What shipping one adds at the buyer's ZIP, in cents; `from` where the weight is not known here. */
  shippingCents: number | 'from'
}

/** `zip`: the buyer's, if the request names one. `shippingTo`: what shipping there adds, which prices do not include. */
export type CatalogContext = UcpContext & { readonly zip: string | undefined; readonly shippingTo: ShippingTo | null }

const money = (amount: number): Money => ({ amount, currency: 'USD' })

/** Groups a listing's offers by model into products, in order. */
export function productsOf(
  context: CatalogContext,
  offers: readonly Offer[],
  inputsOf?: (itemId: number) => Input[],
): ProductView[] {
  const products = new Map<string, ProductView>()
  for (const offer of offers) {
    const { line } = offer
    const card = cardOf(offer)
    const fitment = card.fit && speaksFitment(context) ? { verdict: card.fit.verdict, text: card.fit.text } : undefined
    const variants = card.items.map((item) => ({
      ...variantOf(context, line, {
        ...item,
        isInStock: card.isInStock,
        shippingCents: shippingOf(context, offer, item),
      }),
      ...(inputsOf && { inputs: inputsOf(item.itemId) }),
      ...(fitment && { fitment }),
    }))
    const known = products.get(lineId(line))
    const seen = new Set(known?.variants.map(({ id }) => id))
    products.set(
      lineId(line),
      assembled(context, line, '', [...(known?.variants ?? []), ...variants.filter(({ id }) => !seen.has(id))]),
    )
  }
  return [...products.values()]
}

/** One line with its sizes, the asked one first. */
export function productOf(
  context: CatalogContext,
  { line, texts, item, siblings }: Pick<Product, 'line' | 'texts' | 'item' | 'siblings'>,
  { inputs, isFeaturedOnly = false }: { inputs?: Input[]; isFeaturedOnly?: boolean },
): ProductView {
  const first = siblings.filter(({ itemId }) => itemId === item.id)
  const rest = isFeaturedOnly ? [] : siblings.filter(({ itemId }) => itemId !== item.id).slice(0, 249)
  const variants = [...first, ...rest].map((each) => ({
    ...variantOf(context, line, {
      ...each,
      wasCents: null,
      shippingCents: each.itemId === item.id ? (context.shippingTo?.perTireCents([item]) ?? 0) : 'from',
    }),
    ...(inputs && { inputs }),
    ...(each.fit && speaksFitment(context) && { fitment: { verdict: each.fit.verdict, text: each.fit.text } }),
  }))
  return assembled(context, line, texts.about, variants)
}

function lineId({ brand, slug }: Offer['line']): string {
  return `${brand.slug}/${slug}`
}

function assembled({ app }: UcpContext, line: Offer['line'], about: string, variants: VariantView[]): ProductView {
  const amounts = variants.map(({ price }) => price.amount)
  const { rating } = line
  return {
    id: lineId(line),
    title: `${line.brand.name} ${line.name}`,
    description: { plain: about || `${line.category.name} tire by ${line.brand.name}` },
    url: app.config.web.origin + paths.line(line.brand.slug, line.slug),
    price_range: { min: money(Math.min(...amounts)), max: money(Math.max(...amounts)) },
    categories: [
      { value: `type:${line.type.slug}`, taxonomy: 'merchant' },
      { value: `category:${line.category.slug}`, taxonomy: 'merchant' },
    ],
    variants,
    ...(rating && {
      rating: { value: rating.overallHundredths / 100, scale_min: 1, scale_max: 5, count: rating.count },
    }),
  }
}

function shippingOf({ shippingTo }: CatalogContext, { items }: Offer, { itemId }: { itemId: number }): number {
  return shippingTo?.perTireCents(items.filter(({ id }) => id === itemId)) ?? 0
}

/** Returns " Shipping to 96910 adds $34.75." Returns an empty string if shipping is free or the ZIP code is unknown. */
function shippingText({ shippingTo }: CatalogContext, cents: Sold['shippingCents']): string {
  if (shippingTo === null || cents === 0) return ''
  const { zip, leastCents, freeFromCents } = shippingTo
  const free = freeFromCents === null ? '' : `, but is free ${freeFromText(freeFromCents)}`
  if (cents !== 'from') return ` Shipping to ${zip} adds ${formatCents(cents)}${free}.`
  return leastCents === 0 ? '' : ` Shipping to ${zip} adds ${formatCents(leastCents)} or more${free}.`
}

function variantOf(context: CatalogContext, line: Offer['line'], sold: Sold): VariantView {
  const { app } = context
  const label = [sold.size, sold.service, sold.range].filter(Boolean).join(' ')
  const fet = sold.fetCents > 0 ? ' Federal excise tax is added.' : ''
  return {
    id: String(sold.itemId),
    title: `${line.brand.name} ${line.name} ${label}`,
    description: {
      plain: `One tire, ${label}, ${line.category.name.toLowerCase()}.${fet}${shippingText(context, sold.shippingCents)}`,
    },
    url: app.config.web.origin + paths.item(line.brand.slug, line.slug, sold.itemId),
    price: money(sold.unitCents - sold.fetCents),
    ...(sold.wasCents !== null && { list_price: money(sold.wasCents - sold.fetCents) }),
    availability: { available: sold.isInStock, status: sold.isInStock ? 'in_stock' : 'out_of_stock' },
    options: [{ name: 'Size', id: String(sold.itemId), label }],
  }
}
