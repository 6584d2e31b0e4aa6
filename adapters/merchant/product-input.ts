/**
 * A row of the product feed as Google's ProductInput. This is the only place with the API's attribute names:
 * https://developers.google.com/merchant/api/reference/rest/products_v1/accounts.productInputs
 */
import type { Listing } from '#domain/catalog/google-listings/merchant-center.port.ts'

/** Of a product's name, with its offer ID. */
export const contentLanguage = 'en'
export const feedLabel = 'US'

type Attribute = readonly [name: string, read: (value: string) => unknown]

const text = (value: string) => value
const list = (value: string) => [value]
const constant = (value: string) => value.toUpperCase()

/** The attribute of each field, and how its value is read. */
const attributes: Readonly<Record<string, Attribute>> = {
  item_group_id: ['itemGroupId', text],
  title: ['title', text],
  description: ['description', text],
  link: ['link', text],
  image_link: ['imageLink', text],
  availability: ['availability', constant],
  price: ['price', money],
  sale_price: ['salePrice', money],
  sale_price_effective_date: ['salePriceEffectiveDate', interval],
  brand: ['brand', text],
  gtin: ['gtins', list],
  mpn: ['mpn', text],
  identifier_exists: ['identifierExists', (value) => value === 'yes'],
  condition: ['condition', constant],
  size: ['size', text],
  google_product_category: ['googleProductCategory', text],
  product_type: ['productTypes', list],
  shipping_weight: ['shippingWeight', weight],
}

/** The body of `productInputs:insert`. Throws for an unknown field, so that no field of the feed is left out. */
export function productInputOf({ itemId, fields, shipping }: Listing): object {
  const given = fields
    .filter(([name]) => name !== 'id')
    .map(([name, value]) => {
      const attribute = attributes[name]
      if (!attribute) throw new Error(`The feed’s field ${name} has no attribute at Google`)
      return [attribute[0], attribute[1](value)] as const
    })
  return {
    offerId: String(itemId),
    contentLanguage,
    feedLabel,
    productAttributes: {
      ...Object.fromEntries(given),
      shipping: shipping.map(({ country, region, postalCode, price }) => ({
        country,
        ...(region !== null && { region }),
        ...(postalCode !== null && { postalCode }),
        price: money(price),
      })),
    },
  }
}

/** "184.99 USD" */
function money(value: string): { amountMicros: string; currencyCode: string } {
  const [, whole, cents, currencyCode] = /^(\d+)\.(\d\d) ([A-Z]{3})$/.exec(value) ?? []
  if (whole === undefined || cents === undefined || currencyCode === undefined)
    throw new Error(`Not an amount of the feed: ${value}`)
  return { amountMicros: String(BigInt(whole + cents) * 10_000n), currencyCode }
}

/** "2026-11-20T05:00:00Z/2026-11-27T05:00:00Z" */
function interval(value: string): { startTime: string | undefined; endTime: string | undefined } {
  const [startTime, endTime] = value.split('/')
  return { startTime, endTime }
}

/** "24.5 lb" */
function weight(value: string): { value: number; unit: string | undefined } {
  const [amount, unit] = value.split(' ')
  return { value: Number(amount), unit }
}
