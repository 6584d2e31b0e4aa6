/** Offers as cards. */
import { labelOfPrices } from '#content/messages/price-labels.ts'
import { paths, withQuery } from '#content/paths.ts'
import type { CardView, PickView, TagView, VersionView } from '#app/ui/listing-data.ts'
import { levelTones } from '#app/ui/fit-tone.ts'
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import {
  cardOf,
  sidewallTraits,
  variantTraits,
  type Card,
  type CardItem,
  type Item,
  type ModelOffer,
  type Offer,
  type Pick,
  priceInCartText,
} from '#domain/catalog/catalog/catalog.ts'
import { isInstallationRefused } from '#domain/catalog/fitment/fitment.ts'
import type { ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { itemPictureKey } from '#pictures/pictures.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import { dayText, dealText, dollars, exciseNote, shippingNote } from './listing-messages.server.ts'

/** `to`: where the visitor's tires ship, if known; `when`: the earliest time near there, if known. */
export function cardView(offer: Offer, to: ShippingTo | null, when?: string): CardView {
  const card = cardOf(offer)
  const shipping = shippingNote(to, offer)
  return {
    key: card.key,
    path: offerPath(card),
    brand: card.brand.name,
    line: card.line.name,
    sizes: sizesOf(card),
    tags: tagsOf(offer, card),
    fit: fitOf(offer),
    score: card.score && { tenths: card.score.tenths, word: card.score.band },
    rating: card.rating,
    price: { ...priceOf(offer, card), ...(shipping && { shipping }) },
    total: totalOf(card, setShippingCents(offer, to)),
    when: when ?? (card.readyOn === null ? null : `Here by ${dayText(card.readyOn)}`),
    picture: pictureOf(offer),
    action: card.kind === 'line' ? 'See sizes' : isInstallationRefused(card.fit) ? 'See why' : 'Choose',
  }
}

/** As `cardView`, with the other versions of the model in this size. */
export function modelCardView({ offer, others }: ModelOffer, to: ShippingTo | null, when?: string): CardView {
  const card = cardView(offer, to, when)
  if (others.length === 0) return card
  const cents = others.map(({ perTireCents }) => perTireCents)
  const [lowest, highest] = [Math.min(...cents), Math.max(...cents)].map(formatCents)
  const range = lowest === highest ? lowest : `${lowest} to ${highest}`
  return {
    ...card,
    versions: {
      summary: `${countOf(others.length, 'more version')}, ${range}`,
      list: others.map((other) => versionView(other, to)),
    },
  }
}

function versionView(offer: Offer, to: ShippingTo | null): VersionView {
  const card = cardOf(offer)
  const shipping = shippingNote(to, offer)
  const [front, rear] = offer.items.map((item) => variantTraits(item).join(' '))
  return {
    key: card.key,
    path: offerPath(card),
    name: rear === undefined ? (front ?? '') : `${front} front, ${rear} rear`,
    price: { ...priceOf(offer, card), ...(shipping && { shipping }) },
    fit: fitOf(offer),
    stop: card.isInStock ? null : noFullSet,
  }
}

export function pickView({ reason, offer }: Pick, to: ShippingTo | null): PickView {
  const card = cardOf(offer)
  return {
    reason,
    name: `${card.brand.name} ${card.line.name}`,
    path: offerPath(card),
    amount: formatCents(card.totalCents ?? card.fourCents + setShippingCents(offer, to)),
    picture: pictureOf(offer),
  }
}

/** Returns the first item's image. A staggered set shows its front tire. */
export function pictureOf({ items: [item] }: { readonly items: Offer['items'] }): PictureRef {
  const key = pictureKeys.get(item) ?? itemPictureKey(item)
  pictureKeys.set(item, key)
  return { itemId: item.id, key }
}

/** A cached item is shown many times, always with the same picture. */
const pictureKeys = new WeakMap<Item, string>()

/** Returns a card's fitment. The listing requests the placard once, so cards with a factory size don't repeat it. */
function fitOf({ fitment }: Offer): CardView['fit'] {
  if (fitment?.factorySize !== undefined) return { tone: 'listed', text: fitment.factorySize }
  return fitment && { tone: levelTones[fitment.verdict], text: fitment.text }
}

/** Returns the product page for the card's item, front and rear items, or model. */
function offerPath({ kind, brand, line, items: [first, rear] }: Card): string {
  if (kind === 'line' || !first) return paths.line(brand.slug, line.slug)
  return withQuery(paths.item(brand.slug, line.slug, first.itemId), { rear: rear?.itemId })
}

function sizesOf({ kind, items, sizes }: Card): string[] {
  if (kind === 'line') return [countOf(sizes, 'size')]
  const [first, rear] = items.map(sizeText)
  return rear === undefined ? [first ?? ''] : [`Front ${first}`, `Rear ${rear}`]
}

/** Standard load and black letters are the default: only others are shown. */
function sizeText({ size, service, range, sidewall }: CardItem): string {
  return [size, service, range === 'SL' ? '' : range, sidewallTraits[sidewall]].filter(Boolean).join(' ')
}

const noFullSet = 'No full set in stock'

function tagsOf(offer: Offer, card: Card): TagView[] {
  const deal = dealText(offer)
  const isRunFlat = card.items.some(({ runFlat }) => runFlat)
  const marks = card.kind === 'line' ? [] : [...new Set(card.items.flatMap(({ oeMark }) => oeMark ?? []))]
  return [
    { tone: '', text: card.type.name },
    ...(card.threePeak ? [{ tone: 'dark' as const, text: 'Severe snow' }] : []),
    ...(isRunFlat && card.kind !== 'line' ? [{ tone: '' as const, text: 'Run-flat' }] : []),
    ...marks.map((mark) => ({ tone: '' as const, text: `${mark} mark` })),
    ...(deal ? [{ tone: 'deal' as const, text: deal }] : []),
    ...(offer.rebate
      ? [{ tone: '' as const, text: `${dollars(offer.rebate.amountCents)} rebate after purchase` }]
      : []),
    ...(card.isInStock || card.kind === 'line' ? [] : [{ tone: 'stop' as const, text: noFullSet }]),
  ]
}

/**
 * An account's price is labeled in the text next to it, and so is one that includes excise tax, so that no card needs
 * script.
 */
function priceOf({ prices }: Offer, { kind, items, perTireCents }: Card): CardView['price'] {
  const label = labelOfPrices(prices)?.label.toLowerCase()
  const excise = exciseNote(Math.ceil(items.reduce((sum, { fetCents }) => sum + fetCents, 0) / items.length))
  const inCart = prices.some(({ charged }) => charged) ? `. ${priceInCartText}` : ''
  const unit = (words: string) => `${words}${excise ? ` (${excise})` : ''}${inCart}`
  if (kind === 'line')
    return {
      now: formatCents(perTireCents),
      was: null,
      unit: unit(label ? `per tire, ${label}, and up` : 'per tire and up'),
    }
  const wereCents = items.map(({ wasCents, unitCents }) => wasCents ?? unitCents)
  const wasCents = Math.ceil(wereCents.reduce((sum, cents) => sum + cents, 0) / wereCents.length)
  return {
    now: formatCents(perTireCents),
    was: wasCents > perTireCents ? formatCents(wasCents) : null,
    unit: unit(['per tire', kind === 'set' ? ' on average' : '', label ? `, ${label}` : ''].join('')),
  }
}

/** Shipping of four tires, or two and two; 0 if the destination is not known. */
function setShippingCents({ items }: Offer, to: ShippingTo | null): number {
  return to?.setCents(items) ?? 0
}

/** Without a shop, the tires with their shipping. */
function totalOf({ kind, totalCents, fourCents }: Card, shippingCents: number): CardView['total'] {
  if (kind === 'line') return null
  const four = kind === 'set' ? '2 + 2' : '4'
  return totalCents === null
    ? {
        amount: formatCents(fourCents + shippingCents),
        for: `for ${four}, ${shippingCents === 0 ? 'tires only' : 'with shipping'}`,
      }
    : { amount: formatCents(totalCents), for: `out the door for ${four}` }
}
