/** Tires side by side, from the catalog's offers and the shops near the ZIP. */
import { labelOfPrices } from '#content/messages/price-labels.ts'
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import type { CardView } from '#app/ui/listing-data.ts'
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import {
  mostCompared,
  attributes,
  parseTireKeys,
  specsOf,
  type Item,
  type KeysRead,
  type Offer,
} from '#domain/catalog/catalog/catalog.ts'
import { attributeNames } from '#domain/aftercare/reviews/reviews.ts'
import type { Application } from '#application'
import { cardView } from './listing-cards.server.ts'
import { readNearby, readShippingTo, type ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { countOf } from '#platform/count-text.ts'
import { exciseNote } from './listing-messages.server.ts'
import type { CompareCell, CompareColumn, CompareGroup, CompareRow, CompareView } from './compare-view.ts'
import { scoreNames } from './product-view.server.ts'
import { confirmationPanel, readMyVehicle } from './vehicle-panel.server.ts'

/** Reads the comparison of the tires in `text`; see `parseTireKeys`. */
export async function readCompareView(app: Application, visitor: Visitor, text: string): Promise<CompareView> {
  const read = parseTireKeys(text)
  const [mine, nearby, shippingTo] = await Promise.all([
    readMyVehicle(app, visitor),
    readNearby(app, visitor),
    readShippingTo(app, visitor.zip),
  ])
  const offers = await findOffers(app.catalog, read.keys, {
    requirement: mine?.requirement,
    vehicleName: mine?.model,
    arrivalOf: nearby?.arrivalOf,
    totalOf: nearby?.totalOf,
  })
  const times = await nearby?.timesOf(offers)
  const columns = offers.map((offer) => columnOf(offer, offers))
  const [first] = offers
  const path = paths.compare(offers.map(({ key }) => key))
  return {
    store: app.config.store.name,
    columns,
    groups: groupsOf(offers, {
      times,
      now: app.clock.now(),
      zip: visitor.zip,
      shippingTo,
      vehicle: mine?.chosen.name,
    }),
    notes: notesOn(read, offers.length),
    panel: mine && offers.length > 0 ? confirmationPanel(mine, path) : null,
    zip: visitor.zip ?? null,
    path,
    more: mine
      ? { label: `Tires for your ${mine.model}`, path: mine.path }
      : first
        ? { label: `All ${first.items[0].size.designation} tires`, path: paths.size(first.items[0].size.slug) }
        : { label: 'Find my tires', path: paths.find() },
  }
}

function notesOn({ keys, hadTooMany, hadRepeats, hadOthers }: KeysRead, found: number): string[] {
  const gone = keys.length - found
  return [
    ...(hadTooMany
      ? [`${countOf(mostCompared, 'tire')} is the comparison limit. These are the first ${mostCompared}.`]
      : []),
    ...(hadRepeats ? ['A tire listed twice is shown once.'] : []),
    ...(hadOthers || gone > 0
      ? [
          gone === 1 && !hadOthers
            ? 'One tire is no longer sold and was left out.'
            : 'Tires no longer sold were left out.',
        ]
      : []),
  ]
}

function columnOf(offer: Offer, all: readonly Offer[]): CompareColumn {
  const { brand, line, sizes, path, picture, fit } = cardView(offer, null)
  const [front, rear] = offer.items
  const isRefused = fit?.tone === 'no'
  return {
    key: offer.key,
    name: { brand, line },
    tire: sizes,
    path,
    picture,
    buy:
      offer.isInStock && !isRefused
        ? {
            label: rear ? 'Add 2 and 2 to cart' : 'Add 4 to cart',
            fields: rear
              ? [
                  ['item', String(front.id)],
                  ['quantity', '2'],
                  ['rearItem', String(rear.id)],
                  ['rearQuantity', '2'],
                ]
              : [
                  ['item', String(front.id)],
                  ['quantity', '4'],
                ],
          }
        : null,
    instead: isRefused ? 'See why' : 'See other sizes',
    without: paths.compare(all.filter((other) => other !== offer).map(({ key }) => key)),
  }
}

type Around = {
  times: ReadonlyMap<string, string> | undefined
  now: Temporal.Instant
  zip: string | undefined
  shippingTo: ShippingTo | null
  vehicle: string | undefined
}

function groupsOf(offers: readonly Offer[], { times, now, zip, shippingTo, vehicle }: Around): CompareGroup[] {
  const cards = offers.map((offer) => cardView(offer, shippingTo, times?.get(offer.key)))
  return [
    { title: 'What you pay', rows: payRows(offers, cards, zip) },
    { title: vehicle ? `On your ${vehicle}` : 'Fit', rows: fitRows(cards, vehicle !== undefined) },
    { title: 'What owners say', rows: ownerRows(offers, cards) },
    { title: 'The numbers', rows: specRows(offers, now) },
  ]
}

/** Prices per tire and in total, and the earliest date near the ZIP, if there is one. */
function payRows(offers: readonly Offer[], cards: readonly CardView[], zip: string | undefined): CompareRow[] {
  const isInstalled = cards.some(({ total }) => total?.for.startsWith('out the door'))
  return [
    row(
      'Per tire',
      cards.map(({ price }, index) => ({ text: price.now, note: priceNote(offers[index], price) })),
      best(offers, ({ perTireCents }) => -perTireCents, 'lowest'),
    ),
    row(
      isInstalled ? `Out the door near ${zip}` : 'For four',
      cards.map(({ total }) => ({ text: total?.amount ?? '', note: total?.for ?? null })),
      isInstalled ? best(offers, ({ totalCents }) => (totalCents === null ? null : -totalCents), 'lowest') : [],
    ),
    ...(zip === undefined
      ? []
      : [
          row(
            'Earliest',
            cards.map(({ when }) => ({ text: when ?? 'Not near this ZIP' })),
          ),
        ]),
  ]
}

/** The sizes, after the fitment verdicts if there is a vehicle. */
function fitRows(cards: readonly CardView[], isJudged: boolean): CompareRow[] {
  const sizes = row(
    'Size',
    cards.map((card) => ({ text: card.sizes.join(', ') })),
  )
  if (!isJudged) return [sizes]
  const verdicts = row(
    'Fit',
    cards.map(({ fit }) => ({ text: fit?.text ?? '', ...(fit ? { fit: fit.tone } : {}) })),
  )
  return [verdicts, sizes]
}

/** The score with its components, and owners' ratings. */
function ownerRows(offers: readonly Offer[], cards: readonly CardView[]): CompareRow[] {
  return [
    row(
      'Score of 10',
      cards.map(({ score }) => ({ text: score ? (score.tenths / 10).toFixed(1) : 'Not scored yet', score })),
      best(offers, ({ score }) => score?.tenths ?? null, 'highest'),
    ),
    ...scorePartRows(offers),
    row(
      'Owner rating',
      cards.map(({ rating }) => ({
        text: rating ? (rating.hundredths / 100).toFixed(1) : 'No reviews yet',
        rating,
      })),
    ),
    ...attributes.map((attribute) =>
      row(
        attributeNames[attribute],
        offers.map(({ line }) => ({ text: starsText(line.rating?.attributes[attribute]) })),
        best(offers, ({ line }) => asShown(line.rating?.attributes[attribute]), 'highest'),
      ),
    ),
  ]
}

/** Every specification that any of the tires has. */
function specRows(offers: readonly Offer[], now: Temporal.Instant): CompareRow[] {
  const specs = offers.map((offer) => specsOfAll(offer, now))
  const names = [...new Set(specs.flatMap((each) => [...each.keys()]))]
  return names.map((name) =>
    row(
      name,
      specs.map((each) => ({ text: each.get(name) ?? 'Not given' })),
      bestOfSpec(name, offers),
    ),
  )
}

/** The score components that any of the tires has. */
function scorePartRows(offers: readonly Offer[]): CompareRow[] {
  const parts = offers.flatMap(({ score }) => score?.parts ?? [])
  return [...new Set(parts.map(({ name }) => name))].map((name) =>
    row(
      `${scoreNames[name]}, points`,
      offers.map(({ score }) => ({
        text: score?.parts.find((part) => part.name === name)?.points.toFixed(1) ?? 'Does not count',
      })),
    ),
  )
}

/** Returns a row with each tire's value, and whether all are equal. `marks` come from `best`. */
function row(name: string, cells: CompareCell[], marks: readonly (string | undefined)[] = []): CompareRow {
  const marked = cells.map((cell, index) => ({
    ...cell,
    ...(marks[index] === undefined ? {} : { best: marks[index] }),
  }))
  const [first] = cells
  return { name, cells: marked, isSame: cells.every((cell) => cell.text === first?.text && cell.note === first.note) }
}

/** "Fleet price, was $164.00, includes $2.34 federal excise tax" */
function priceNote(offer: Offer | undefined, { was, shipping }: CardView['price']): string | null {
  const fetCents = offer
    ? Math.ceil(offer.prices.reduce((sum, price) => sum + price.fetCents, 0) / offer.prices.length)
    : 0
  return (
    [offer && labelOfPrices(offer.prices)?.label, was && `was ${was}`, exciseNote(fetCents), shipping]
      .filter(Boolean)
      .join(', ') || null
  )
}

/** Marks the offer with the best value. Skips the mark if it's shared or if only one offer has a value. */
function best(
  offers: readonly Offer[],
  measure: (offer: Offer) => number | null,
  word: string,
): (string | undefined)[] {
  const measured = offers.map(measure)
  const known = measured.filter((value) => value !== null)
  const most = Math.max(...known)
  const stands = known.length > 1 && known.filter((value) => value === most).length === 1
  return measured.map((value) => (stands && value === most ? word : undefined))
}

function bestOfSpec(name: string, offers: readonly Offer[]): (string | undefined)[] {
  if (name === 'Mileage warranty') return best(offers, ({ warrantyMiles }) => warrantyMiles, 'longest')
  if (name === 'Tread depth') return best(offers, ({ items: [item] }) => item.treadDepth32nds, 'deepest')
  if (name === 'Weight') return best(offers, ({ items: [item] }) => -item.weightLb, 'lightest')
  return []
}

/** Specifications of an offer by name; for a set, both values if front and rear differ. The size has its own row. */
function specsOfAll({ items }: Offer, now: Temporal.Instant): Map<string, string> {
  const [front, rear] = items.map(
    (item) => new Map([...specsOf(item, now).map(({ name, value }) => [name, value] as const), runFlatOf(item)]),
  )
  const own = new Map<string, string>()
  for (const [name, value] of front ?? []) {
    const other = rear?.get(name) ?? value
    if (name !== 'Size') own.set(name, value === other ? value : `Front ${value}; rear ${other}`)
  }
  return own
}

function runFlatOf({ runFlat }: Item): readonly [string, string] {
  return ['Run-flat', runFlat ? 'Yes' : 'No']
}

/** Rounds to tenths of a star, so values that look equal are equal. */
function asShown(hundredths: number | null | undefined): number | null {
  return hundredths === null || hundredths === undefined ? null : Number((hundredths / 100).toFixed(1))
}

function starsText(hundredths: number | null | undefined): string {
  return hundredths === null || hundredths === undefined ? 'Not rated' : `${(hundredths / 100).toFixed(1)} of 5`
}
