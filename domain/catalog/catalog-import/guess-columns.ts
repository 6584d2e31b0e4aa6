/** Guesses which columns of a file hold a feed's values, by the names that other stores and suppliers give them. */
import type { FeedKind } from './feed-kinds.ts'

/** The source of a feed's value. It is a column of the file, or the same text in all rows. */
export type ColumnSource = { column: string } | { text: string }

/** Names in lowercase, the likeliest first; a name also matches at the end of "attribute: " and "metafield: ". */
const names: Readonly<Record<string, readonly string[]>> = {
  sku: ['variant sku', 'sku', 'item number', 'item', 'part number'],
  brand: ['brands', 'brand', 'vendor', 'manufacturer', 'make'],
  line: ['model', 'line', 'pattern', 'tire model', 'title', 'name'],
  line_about: ['body (html)', 'description', 'short description'],
  // WooCommerce's "Type" is simple or variable, and it has "Categories".
  category: ['tire category', 'category', 'categories', 'type'],
  tread: ['tread', 'tread type', 'season', 'categories', 'type'],
  size: ['tire size', 'size', 'option1 value', 'title', 'name'],
  speed: ['speed rating', 'speed symbol'],
  rim_width_min_in: ['rim width min', 'minimum rim width', 'min rim width', 'rim min'],
  rim_width_max_in: ['rim width max', 'maximum rim width', 'max rim width', 'rim max'],
  max_psi: ['max psi', 'max pressure', 'maximum inflation pressure', 'max inflation pressure'],
  tread_depth_32nds: ['tread depth', 'tread depth (32nds)', 'tread depth 32nds'],
  weight_lb: [
    'weight (lbs)',
    'weight (lb)',
    'variant grams',
    'weight value (grams)',
    'weight (kg)',
    'weight (g)',
    'weight (oz)',
    'weight',
  ],
  utqg_treadwear: ['treadwear', 'utqg treadwear'],
  utqg_traction: ['traction', 'utqg traction'],
  utqg_temperature: ['temperature', 'utqg temperature'],
  warranty_miles: ['warranty', 'mileage warranty', 'warranty miles', 'treadwear warranty'],
  max_load_lb: ['max load', 'max load (lbs)', 'maximum load'],
  price: ['variant price', 'price', 'regular price', 'retail price', 'msrp'],
  cost: ['cost per item', 'cost of goods', 'cost', 'unit cost', 'dealer cost'],
  gtin: ['variant barcode', 'barcode', 'gtin, upc, ean, or isbn', 'gtin', 'upc', 'ean'],
  mpn: ['mpn', 'manufacturer part number', 'google shopping / mpn'],
  origin_country: ['country of origin', 'origin'],
  picture_url: ['image src', 'product image url', 'variant image', 'variant image url', 'images', 'image url', 'image'],
  active: ['status', 'published', 'published on online store', 'active'],
  on_hand: [
    'variant inventory qty',
    'inventory quantity',
    'available (not editable)',
    'stock',
    'quantity',
    'qty',
    'on hand',
    'available',
  ],
  warehouse: ['warehouse', 'location'],
  email: ['email', 'email address', 'billing email', 'user email', 'customer email', 'email (billing)'],
  first_name: ['first name', 'billing first name', 'first name (billing)'],
  last_name: ['last name', 'billing last name', 'last name (billing)'],
  phone: ['phone', 'billing phone', 'default address phone', 'phone (billing)'],
  street: ['default address address1', 'billing address 1', 'address1', 'address 1', 'address'],
  street_2: ['default address address2', 'billing address 2', 'address2', 'address 2'],
  city: ['default address city', 'billing city', 'city'],
  state: ['default address province code', 'billing state', 'province code', 'state', 'province'],
  zip: ['default address zip', 'billing postcode', 'zip', 'zip code', 'postcode'],
  consent: ['accepts email marketing', 'accepts marketing', 'marketing consent', 'newsletter'],
  consent_at: ['accepts email marketing at', 'accepts marketing updated at', 'marketing consent date', 'consent date'],
  tags: ['tags'],
  note: ['note', 'notes', 'customer note'],
  number: ['order number', 'order #', 'name', 'order id'],
  placed_at: ['created at', 'order date', 'date'],
  customer_name: ['billing name', 'billing full name', 'customer name'],
  total: ['total', 'order total', 'order total amount'],
  currency: ['currency', 'order currency'],
  payment_status: ['financial status', 'payment status', 'order status', 'status'],
  fulfillment_status: ['fulfillment status'],
  canceled_at: ['cancelled at', 'canceled at'],
  line_sku: ['lineitem sku', 'item sku', 'sku'],
  line_name: ['lineitem name', 'item name', 'product name'],
  line_quantity: ['lineitem quantity', 'item quantity', 'quantity', 'quantity (- refund)'],
  line_price: ['lineitem price', 'item price', 'item cost'],
  year: ['year'],
  make: ['make'],
  model: ['model'],
  trim: ['trim', 'submodel'],
}

const ofMarking = ['load_index', 'dual_load_index', 'speed', 'load_range', 'load_class', 'run_flat']

/** The source of each column of the feed that a name in the file gives away. */
export function guessColumns(
  kind: FeedKind,
  columns: readonly string[],
  offered: readonly { name: string; example: string }[],
): Record<string, ColumnSource> {
  const guessed: Record<string, ColumnSource> = {}
  for (const column of columns) {
    const likely = [column, column.replaceAll('_', ' '), ...(names[column] ?? [])]
    const name = likely
      .map((one) => offered.find(({ name }) => baseName(name) === one)?.name)
      .find((one) => one !== undefined)
    if (name !== undefined && !(column === 'price_cents' && guessed['price'])) guessed[column] = { column: name }
  }
  if (kind === 'products') delete guessed['price_cents']
  if (kind === 'orders') guessed['store'] ??= storeOf(offered)
  // A size is often written with its service description.
  const { size } = guessed
  if (size) for (const column of ofMarking) if (columns.includes(column)) guessed[column] ??= size
  return guessed
}

/** Shopify and WooCommerce don't write their name into their files. */
function storeOf(offered: readonly { name: string }[]): ColumnSource {
  return { text: offered.some(({ name }) => name === 'lineitem name') ? 'Shopify' : 'WooCommerce' }
}

/**
 * "metafield: custom.tread_depth [number]" and "tread depth (product.metafields.custom.tread_depth)" → "tread depth".
 */
function baseName(name: string): string {
  return name
    .replace(/^(?:attribute: |metafield: |meta: )/, '')
    .replace(/ ?\[[^[\]]{0,60}\]$/, '')
    .replace(/ \((?:product|variant)\.metafields\.[^)]{0,100}\)$/, '')
    .replace(/^[a-z0-9_-]{1,40}\./, '')
    .replaceAll('_', ' ')
    .trim()
}
