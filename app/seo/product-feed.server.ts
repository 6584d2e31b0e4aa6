/**
 * The product feed for shopping ads: RSS 2.0 with the fields of Google's product data specification
 * (support.google.com/merchants/answer/7052112), which other channels also read. It lists every item for sale at its
 * full price. The price includes the federal excise tax on high-load tires and excludes deals that require more than
 * one tire. It excludes sales tax and state tire fees, which depend on the location, as the specification requires.
 */
import { paths } from '#content/paths.ts'
import { listForSale, type ForSale } from '#domain/catalog/catalog/catalog.server.ts'
import type { Listing } from '#domain/catalog/google-listings/google-listings.ts'
import { fullSizeOf, warrantyOf } from '#domain/catalog/catalog/catalog.ts'
import { priceShipping, shippingAreas, type ShippingArea } from '#domain/supply/delivery/delivery.ts'
import { type ShippingRates } from '#domain/kernel/rates/rates.ts'
import { shippingRatesOf, type BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { grouped } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { countOf } from '#platform/count-text.ts'
import { zipRangeEnds } from '#platform/zip-ranges.ts'
import { pictureDataOf, pictureKey } from '#pictures/pictures.ts'
import type { Application } from '#application'
import { channelRow, feedRow } from './feed-fields.ts'
import { dollars, element, pricesOf, xmlFeed } from './feed-files.server.ts'
import { tableFeed } from './table-feed.ts'

/** The taxonomy's text, accepted instead of its number. */
const googleCategory =
  'Vehicles & Parts > Vehicle Parts & Accessories > Motor Vehicle Parts > Motor Vehicle Wheel Systems > Motor Vehicle Tires > Automotive Tires'

/** Yields the feed in chunks. */
export function productFeed(app: Application): AsyncGenerator<string> {
  async function* rows() {
    for await (const batch of listForSale(app.catalog)) yield batch.map((each) => entry(app, each))
  }
  return xmlFeed(app, `Tires for sale at ${app.config.store.name}`, rows())
}

/** Yields the same products for Meta as CSV, or for Microsoft as tab-separated text. */
export function channelFeed(app: Application, channel: 'meta' | 'microsoft'): AsyncGenerator<string> {
  async function* rows() {
    for await (const batch of listForSale(app.catalog))
      yield batch.map((each) => channelRow(channel, productRow(app, each).fields))
  }
  return tableFeed(channel, channel === 'meta' ? 'csv' : 'tabs', rows())
}

function entry(app: Application, each: ForSale): readonly [Listing['fields'], string] {
  const { fields, shipping } = productRow(app, each)
  return [fields, shipping.map(shippingElement).join('')]
}

/** The parts of the application that rows depend on. */
export type RowDeps = { businessTerms: { readonly current: BusinessTerms }; config: { web: { origin: string } } }

/** A tire's row, for the feed and for Google Merchant Center. */
export function productRow(app: RowDeps, each: ForSale): Listing {
  const { item } = each
  const { origin } = app.config.web
  const { line } = item
  const name = `${line.brand.name} ${line.name}`
  const tire = fullSizeOf(item)
  const fields = feedRow('products', {
    id: String(item.id),
    item_group_id: String(line.id),
    title: `${name} ${tire} Tire`,
    description: descriptionOf(item, name, tire),
    link: `${origin}${paths.item(line.brand.slug, line.slug, item.id)}`,
    image_link: `${origin}${item.photo === undefined ? paths.picture(item.id, pictureKey(pictureDataOf(item)), 960, 'webp') : paths.uploadedPicture(item.photo)}`,
    availability: 'in_stock',
    ...pricesOf(each),
    brand: line.brand.name,
    gtin: item.gtin,
    mpn: item.mpn,
    // The SKU is internal to the store and doesn't identify the product elsewhere.
    identifier_exists: item.gtin === null && item.mpn === null ? 'no' : 'yes',
    condition: 'new',
    // Every variant of a group differs in a variant attribute; a size with several dimensions is one value.
    size: tire,
    google_product_category: googleCategory,
    product_type: ['Tires', line.type.name, line.category.name].join(' > '),
    shipping_weight: `${item.weightLb} lb`,
  })
  const shipping = shippingOf(shippingRatesOf(app.businessTerms.current), item)
  return { itemId: item.id, fields, shipping }
}

function descriptionOf(item: ForSale['item'], name: string, tire: string): string {
  const miles = warrantyOf(item)
  return [
    `${name} ${tire}, ${item.line.category.name.toLowerCase()}.`,
    `Carries up to ${grouped(item.maxLoadLb)} lb at ${item.maxPsi} psi.`,
    `${item.treadDepth32nds}/32 in of tread, on wheels ${item.rimWidthMinIn} to ${item.rimWidthMaxIn} in wide.`,
    item.line.threePeak ? 'Marked for severe snow with the three-peak mountain snowflake.' : '',
    miles === null ? '' : `Warranted for ${countOf(miles, 'mile')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Returns the shipping prices for one tire, in general and for states and ZIP codes with other rates. */
function shippingOf(rates: ShippingRates, { weightLb, retailCents: unitCents }: ForSale['item']): Listing['shipping'] {
  const to = (place: ShippingArea['place'], region: string | null, postalCode: string | null = null) => {
    const { totalCents } = priceShipping(rates, place, [{ quantity: 1, weightLb, unitCents }])
    return { country: 'US', region, postalCode, price: dollars(totalCents) }
  }
  const others = shippingAreas(rates).filter(({ place, region }) => place !== 'CONUS' && region !== 'TERRITORY')
  return [
    to('CONUS', null),
    ...others.flatMap(({ place, states }) => states.map((state) => to(place, state))),
    ...others.flatMap(({ place, zips }) => zips.map((range) => to(place, null, postalCodeOf(range)))),
  ].slice(0, maxShippingPrices)
}

/** Google's limit per product. */
const maxShippingPrices = 100

/** Returns "995*-999*" for a range. */
function postalCodeOf(range: string): string {
  return [...new Set(Object.values(zipRangeEnds(range)))].map((zip) => (zip.length < 5 ? `${zip}*` : zip)).join('-')
}

function shippingElement({ country, region, postalCode, price }: Listing['shipping'][number]): string {
  return `<g:shipping>${element('g:country', country)}${region ? element('g:region', region) : ''}${postalCode ? element('g:postal_code', postalCode) : ''}${element('g:price', price)}</g:shipping>\n`
}
