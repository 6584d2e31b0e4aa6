/**
 * The product feed for shopping ads: RSS 2.0 with the fields of Google's product data specification
 * (support.google.com/merchants/answer/7052112), which other channels read as well. It lists every item that can be
 * bought now at its full price: the federal excise tax on tires of high load capacity is included, and no deal that
 * requires more than one tire is deducted. Sales tax and state tire fees depend on the place and are left out, as the
 * specification requires.
 */
import { paths } from '#content/paths.ts'
import { listForSale, type ForSale } from '#domain/catalog/catalog.server.ts'
import { serviceOf, warrantyOf } from '#domain/catalog/catalog.ts'
import { priceShipping } from '#domain/delivery/delivery.ts'
import { grouped } from '#domain/fitment/fitment.ts'
import { pictureDataOf, pictureKey } from '#pictures/pictures.ts'
import type { Shop } from '#shop'
import { CURRENCY } from '#platform/business-constants.ts'
import { xmlText } from './xml.ts'

/** The text of the taxonomy entry, accepted in place of its number. */
const googleCategory =
  'Vehicles & Parts > Vehicle Parts & Accessories > Motor Vehicle Parts > Motor Vehicle Wheel Systems > Motor Vehicle Tires > Automotive Tires'

/** Yields the feed in chunks. */
export async function* productFeed(shop: Shop): AsyncGenerator<string> {
  const { web, store } = shop.config
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n'
  yield `${element('title', store.name)}${element('link', `${web.origin}/`)}${element('description', `Tires for sale at ${store.name}`)}`
  for await (const batch of listForSale(shop.catalog)) yield batch.map((each) => entry(web.origin, each)).join('')
  yield '</channel>\n</rss>\n'
}

function entry(origin: string, { item, price }: ForSale): string {
  const { line, size } = item
  const name = `${line.brand.name} ${line.name}`
  const tire = [size.designation, serviceOf(item)].filter(Boolean).join(' ')
  const { promotion } = price
  const fields: [name: string, value: string][] = [
    ['g:id', String(item.id)],
    ['g:item_group_id', String(line.id)],
    [
      'g:title',
      [name, tire, item.loadRange ?? item.loadClass, item.runFlat ? 'run-flat' : null].filter(Boolean).join(' '),
    ],
    ['g:description', descriptionOf(item, name, tire)],
    ['g:link', `${origin}${paths.item(line.brand.slug, line.slug, item.id)}`],
    ['g:image_link', `${origin}${paths.picture(item.id, pictureKey(pictureDataOf(item)), 960, 'webp')}`],
    ['g:availability', 'in_stock'],
    ['g:price', dollars(price.wasCents ?? price.unitCents)],
    ...(price.wasCents === null ? [] : [['g:sale_price', dollars(price.unitCents)] satisfies [string, string]]),
    ...(price.wasCents === null || !promotion
      ? []
      : [
          ['g:sale_price_effective_date', `${promotion.startsAt.toString()}/${promotion.endsAt.toString()}`] satisfies [
            string,
            string,
          ],
        ]),
    ['g:brand', line.brand.name],
    ['g:mpn', item.sku],
    ['g:condition', 'new'],
    ['g:size', size.designation],
    ['g:google_product_category', googleCategory],
    ['g:product_type', ['Tires', line.type.name, line.category.name].join(' > ')],
    ['g:shipping_weight', `${item.weightLb} lb`],
  ]
  return `<item>\n${fields.map(([field, value]) => element(field, value)).join('')}${shipping(item.weightLb)}</item>\n`
}

function descriptionOf(item: ForSale['item'], name: string, tire: string): string {
  const miles = warrantyOf(item)
  return [
    `${name} ${tire}, ${item.line.category.name.toLowerCase()}.`,
    `Carries up to ${grouped(item.maxLoadLb)} lb at ${item.maxPsi} psi.`,
    `${item.treadDepth32nds}/32 in of tread, on wheels ${item.rimWidthMinIn} to ${item.rimWidthMaxIn} in wide.`,
    item.line.threePeak ? 'Marked for severe snow with the three-peak mountain snowflake.' : '',
    miles === null ? '' : `Warranted for ${grouped(miles)} miles.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Shipping for one tire, to each region with its own rate. */
function shipping(weightLb: number): string {
  const to = (region: 'CONUS' | 'AK' | 'HI', state: string | null) =>
    `<g:shipping>${element('g:country', 'US')}${state ? element('g:region', state) : ''}${element('g:price', dollars(priceShipping(region, [{ quantity: 1, weightLb }]).totalCents))}</g:shipping>\n`
  return `${to('CONUS', null)}${to('AK', 'AK')}${to('HI', 'HI')}`
}

function dollars(cents: number): string {
  return `${(cents / 100).toFixed(2)} ${CURRENCY.code}`
}

function element(name: string, value: string): string {
  return `<${name}>${xmlText(value)}</${name}>\n`
}
