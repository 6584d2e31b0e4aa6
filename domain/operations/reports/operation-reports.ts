/** The reports on tire shops, inventory and suppliers. */
import type { Figure, FigureKind } from './figures.sql.server.ts'
import { binsOf, type Period } from './periods.ts'
import {
  cents,
  count,
  inBin,
  labelsOf,
  ofKind,
  ppm,
  share,
  stars,
  sum,
  text,
  totalOf,
  type Cell,
  type Table,
} from './tables.ts'

/** Makes the report on how each shop's jobs ended, and how customers rated them. */
export function shopsReport(figures: readonly Figure[]): Table {
  const of = figures.filter(({ kind }) => shopKinds.includes(kind))
  const jobsOf = (figures: readonly Figure[]) => sum(ofKind(figures, 'job'), 'orders')
  const shops = [...Map.groupBy(of, ({ label }) => label)].toSorted(
    ([one, ofOne], [other, ofOther]) => jobsOf(ofOther) - jobsOf(ofOne) || (one < other ? -1 : 1),
  )
  return {
    title: 'Shop quality',
    note: 'jobs on the day they ended and ratings on the day they were given. On time and rating are what customers said',
    columns: [
      text('Shop'),
      count('Jobs done'),
      count('No-shows'),
      count('Canceled by shop'),
      count('Ratings'),
      count('On time'),
      ppm('On-time share'),
      stars('Rating'),
    ],
    rows: shops.map(([label, ofShop]) => shopRow(label, ofShop)),
    total: shopRow('Total', of),
    subjects: shops.map(([, [first]]) => ({ shopCode: first?.shopCode ?? '' })),
  }
}

const shopKinds: readonly FigureKind[] = ['job', 'no-show', 'shop-cancellation', 'rating']

function shopRow(label: string, figures: readonly Figure[]): Cell[] {
  const orders = (kind: FigureKind) => sum(ofKind(figures, kind), 'orders')
  const rated = ofKind(figures, 'rating')
  const [ratings, onTime] = [orders('rating'), sum(rated, 'kept')]
  return [
    label,
    orders('job'),
    orders('no-show'),
    orders('shop-cancellation'),
    ratings,
    onTime,
    share(onTime, ratings),
    ratings === 0 ? null : Math.round((sum(rated, 'units') * 100) / ratings),
  ]
}

const ages: Readonly<Record<string, string>> = {
  'under-6-months': 'Under 6 months',
  'under-1-year': '6 to 12 months',
  'under-2-years': '1 to 2 years',
  'under-3-years': '2 to 3 years',
  'over-3-years': 'Over 3 years',
  unknown: 'Unknown',
}

/** Makes the report on the tires that the store holds itself. */
export function inventoryReport(figures: readonly Figure[]): Table {
  const held = ofKind(figures, 'inventory')
  const value = sum(held, 'amountCents')
  const columns = [text('Age'), count('Tires'), count('Cost unknown'), cents('Value at cost'), ppm('Share')]
  const rows = Object.entries(ages).flatMap(([age, label]) => {
    const of = held.filter((figure) => figure.label === age)
    const cost = sum(of, 'amountCents')
    return of.length === 0 ? [] : [[label, sum(of, 'units'), sum(of, 'orders'), cost, share(cost, value)]]
  })
  const total = totalOf(rows, columns)
  total[4] = share(value, value)
  return {
    title: 'Inventory by age',
    note: 'tires in our own warehouses at the end of the last day of the period, at their average cost, as in the ledger. Age is from the oldest DOT week of the SKU; tires of unknown cost count as zero',
    columns,
    rows,
    total,
  }
}

/** Builds the report on how suppliers fulfill purchase orders and promised deliveries. */
export function suppliersReport(figures: readonly Figure[]): Table {
  const of = figures.filter(({ kind }) => kind.startsWith('supplier-'))
  const suppliers = [...Map.groupBy(of, ({ label }) => label)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    title: 'Supplier scorecard',
    note: 'purchase order lines sent in the period, less canceled ones. Short units were rejected or backordered. Parcels from a supplier’s warehouses count on the day they were promised for',
    columns: [
      text('Supplier'),
      count('Lines'),
      count('Units ordered'),
      count('Filled'),
      count('Short'),
      count('Unanswered'),
      ppm('Fill rate'),
      count('Parcels'),
      count('On time'),
      ppm('Promise kept'),
    ],
    rows: suppliers.map(([label, ofSupplier]) => supplierRow(label, ofSupplier)),
    total: supplierRow('Total', of),
    subjects: labelsOf(suppliers),
  }
}

function supplierRow(label: string, figures: readonly Figure[]): Cell[] {
  const units = (kind: FigureKind) => sum(ofKind(figures, kind), 'units')
  const [ordered, filled, short] = [units('supplier-ordered'), units('supplier-filled'), units('supplier-short')]
  const parcels = ofKind(figures, 'supplier-parcel')
  const [promised, kept] = [sum(parcels, 'orders'), sum(parcels, 'kept')]
  return [
    label,
    sum(ofKind(figures, 'supplier-ordered'), 'orders'),
    ordered,
    filled,
    short,
    ordered - filled - short,
    share(filled, ordered),
    promised,
    kept,
    share(kept, promised),
  ]
}

/** Makes the report on how many carts led to a payment and to an order. */
export function conversionReport({ period, figures }: { period: Period; figures: readonly Figure[] }): Table {
  const { unit, bins } = binsOf(period)
  return {
    title: `Conversion by ${unit.toLowerCase()}`,
    note: 'carts with tires, on the day they were started, and how many of them reached payment and became orders since. Visits and product views are not included because the store doesn’t count them',
    columns: [
      text(unit),
      count('Carts'),
      count('Reached payment'),
      count('Orders'),
      ppm('Cart to payment'),
      ppm('Payment to order'),
      ppm('Cart to order'),
    ],
    rows: bins.map((bin) => cartRow(bin.label, inBin(figures, 'cart', bin))),
    total: cartRow('Total', ofKind(figures, 'cart')),
    subjects: bins.map(({ from, to }) => ({ days: { from, to } })),
  }
}

function cartRow(label: string, figures: readonly Figure[]): Cell[] {
  const [carts, paid, ordered] = [sum(figures, 'orders'), sum(figures, 'units'), sum(figures, 'kept')]
  return [label, carts, paid, ordered, share(paid, carts), share(ordered, paid), share(ordered, carts)]
}

/** Builds the report on searches without results. */
export function searchesReport(figures: readonly Figure[]): Table {
  const missed = ofKind(figures, 'missed-search')
  const whole = sum(missed, 'orders')
  const columns = [text('Search'), count('Searches'), ppm('Share')]
  const rows = missed
    .toSorted(
      (one, other) =>
        Number(one.label === '') - Number(other.label === '') ||
        other.orders - one.orders ||
        (one.label < other.label ? -1 : 1),
    )
    .map(({ label, orders }) => [label === '' ? 'Other searches' : label, orders, share(orders, whole)])
  const total = totalOf(rows, columns)
  total[2] = share(whole, whole)
  return {
    title: 'Searches without results',
    note: 'searches on the store’s search page. “Other searches” were made once or may contain personal data, such as a phone number',
    columns,
    rows,
    total,
  }
}
