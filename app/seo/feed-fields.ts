/**
 * The fields of all feeds in order, with Google's rules for each value (support.google.com/merchants/answer/7052112,
 * 3061342 and 9698880). The feed writer uses it, and the tests check every row against it.
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

export const feedFields = {
  products: {
    id,
    item_group_id: required('word', 50),
    title: required('text', 150),
    description: required('text', 5_000),
    link: required('address', 2_000),
    image_link: required('address', 2_000),
    availability: required(['in_stock', 'out_of_stock', 'preorder', 'backorder'], 20),
    price,
    ...sale,
    brand: required('text', 70),
    gtin: optional('gtin', 14),
    mpn: optional('text', 70),
    /** Whether a GTIN or the manufacturer's part number is known. */
    identifier_exists: required(['yes', 'no'], 3),
    condition: required(['new'], 10),
    size: required('text', 100),
    google_product_category: required('text', 750),
    product_type: required('text', 750),
    shipping_weight: required('weight', 20),
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

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const short = text.slice(0, longest + 1)
  return short.slice(0, Math.max(short.lastIndexOf(' '), 1)).trimEnd()
}
