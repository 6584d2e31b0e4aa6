/**
 * The fields of all feeds in order, with the rules for each value, from Google (support.google.com/merchants/answer/7052112,
 * 3061342 and 9698880), Meta (developers.facebook.com/docs/marketing-api/catalog/reference), and Microsoft
 * (help.ads.microsoft.com/apex/index/3/en-us/51084). The feed writer uses it, and the tests check every row against it.
 */
export type FieldKind =
  | 'text'
  | 'word'
  | 'money'
  | 'address'
  | 'interval'
  | 'weight'
  | 'whole'
  | 'year'
  | 'gtin'
  | readonly string[]

export type FeedField = { readonly kind: FieldKind; readonly isRequired: boolean; readonly longest: number }

const required = (kind: FieldKind, longest: number): FeedField => ({ kind, longest, isRequired: true })
const optional = (kind: FieldKind, longest: number): FeedField => ({ kind, longest, isRequired: false })

const id = required('word', 50)
const price = required('money', 20)
const sale = { sale_price: optional('money', 20), sale_price_effective_date: optional('interval', 60) }

/** Fields of a product with the same form and length in every channel. */
const everyChannel = {
  link: required('address', 2_000),
  image_link: required('address', 2_000),
  price,
  ...sale,
  gtin: optional('gtin', 14),
  condition: required(['new'], 10),
  google_product_category: required('text', 750),
  product_type: required('text', 750),
  shipping_weight: required('weight', 20),
}
const availabilityInWords = required(['in stock', 'out of stock', 'preorder'], 20)

export const feedFields = {
  products: {
    id,
    item_group_id: required('word', 50),
    title: required('text', 150),
    description: required('text', 5_000),
    availability: required(['in_stock', 'out_of_stock', 'preorder', 'backorder'], 20),
    brand: required('text', 70),
    mpn: optional('text', 70),
    /** Whether a GTIN or the manufacturer's part number is known. */
    identifier_exists: required(['yes', 'no'], 3),
    size: required('text', 100),
    ...everyChannel,
  },
  /** Regional overrides. The operator sets up the region IDs once; docs/product-feeds.md lists them. */
  regions: { id, region_id: required('whole', 20), availability: required(['in_stock', 'out_of_stock'], 20) },
  local: {
    store_code: required('word', 64),
    id,
    quantity: required('whole', 10),
    price,
    ...sale,
    availability: required(['in_stock', 'limited_availability', 'out_of_stock'], 30),
    pickup_method: required(['ship to store'], 20),
    pickup_sla: required(['next day', '2-day', '3-day', '4-day', '5-day', '6-day', '7-day', 'multi-week'], 20),
  },
  fitment: {
    id,
    mpn: optional('text', 70),
    year: required('year', 4),
    make: required('text', 60),
    model: required('text', 60),
    trim: required('text', 100),
    verdict: required(['fits', 'fits_with_conditions'], 30),
  },
  meta: {
    id: required('word', 100),
    item_group_id: required('word', 100),
    title: required('text', 200),
    description: required('text', 9_999),
    availability: availabilityInWords,
    brand: required('text', 100),
    mpn: optional('text', 100),
    size: required('text', 200),
    ...everyChannel,
  },
  microsoft: {
    id,
    item_group_id: required('word', 50),
    title: required('text', 150),
    description: required('text', 10_000),
    availability: availabilityInWords,
    brand: required('text', 70),
    mpn: optional('text', 70),
    identifier_exists: required(['yes', 'no'], 3),
    size: required('text', 100),
    ...everyChannel,
  },
} as const satisfies Record<string, Readonly<Record<string, FeedField>>>

export type FeedName = keyof typeof feedFields

/** Returns a feed row with its non-empty fields, in order. Truncates long text at a word boundary. */
export function feedRow<Feed extends FeedName>(
  feed: Feed,
  values: Readonly<Record<keyof (typeof feedFields)[Feed], string | null>>,
): [name: string, value: string][] {
  const fields: Readonly<Record<string, FeedField>> = feedFields[feed]
  const given: Readonly<Record<string, string | null>> = values
  return Object.entries(fields).flatMap(([name, { kind, longest }]): [string, string][] => {
    const value = given[name] ?? null
    return value === null ? [] : [[name, kind === 'text' ? cut(value, longest) : value]]
  })
}

/** Returns a row of `products` for another channel, which has fewer fields and writes availability with spaces. */
export function channelRow(
  channel: 'meta' | 'microsoft',
  product: readonly (readonly [name: string, value: string])[],
): [name: string, value: string][] {
  return product.flatMap(([name, value]): [string, string][] => {
    if (!(name in feedFields[channel])) return []
    return [[name, name === 'availability' ? value.replaceAll('_', ' ') : value]]
  })
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const short = text.slice(0, longest + 1)
  return short.slice(0, Math.max(short.lastIndexOf(' '), 1)).trimEnd()
}
