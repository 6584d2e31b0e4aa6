/** Reports on sales, margin, tax, promised deliveries, refunds, promotions, and cash. */
import { salesTaxNames } from '#domain/pricing/pricing/pricing.ts'
import { refundBearers, refundReasons, type RefundBearer, type RefundReason } from '#domain/ordering/refunds/refunds.ts'
import type { Figure } from './figures.sql.server.ts'
import { binsOf, type Period } from './periods.ts'
import {
  byFirst,
  byLabel,
  cents,
  change,
  count,
  inBin,
  labelsOf,
  numberAt,
  ofKind,
  ppm,
  share,
  sum,
  text,
  totalOf,
  type Cell,
  type Column,
  type Table,
} from './tables.ts'

/** A report's input. `before` has the comparison period's figures, mapped to this period's days. */
export type Counted = { period: Period; figures: readonly Figure[]; before: readonly Figure[] | null }

export function salesReport({ period, figures, before }: Counted): Table {
  const { unit, bins } = binsOf(period)
  const rows = bins.map((bin) => {
    const now = inBin(figures, 'sale', bin)
    const then = before && inBin(before, 'sale', bin)
    const sales = sum(now, 'amountCents')
    const compared = then && sum(then, 'amountCents')
    return [
      bin.label,
      sum(now, 'orders'),
      sum(now, 'units'),
      sales,
      ...(compared === null ? [] : [compared, change(sales, compared)]),
    ]
  })
  const columns: Column[] = [
    text(unit),
    count('Orders'),
    count('Tires'),
    cents('Sales'),
    ...(before ? [cents('Before'), ppm('Change')] : []),
  ]
  const total = totalOf(rows, columns)
  if (before) total[5] = change(numberAt(total, 3), numberAt(total, 4))
  return {
    title: `Sales by ${unit.toLowerCase()}`,
    note: 'after discounts, before tax and fees',
    details: 'Canceled orders and refunded lines are subtracted on their day.',
    columns,
    rows,
    total,
    subjects: bins.map(({ from, to }) => ({ days: { from, to } })),
  }
}

export function marginReport(figures: readonly Figure[]): Table {
  const brands = byLabel(figures, 'brand')
  const columns = [text('Brand'), cents('Sales'), cents('Cost unknown'), cents('Cost'), cents('Margin'), ppm('Share')]
  return {
    title: 'Margin by brand',
    note: 'sales with a known cost, minus that cost',
    details:
      'Tires cost the price at their source when the order was placed or sourced, and installation costs the amount paid to the shop. Tires returned to stock subtract their cost.',
    columns,
    rows: brands.map(([label, of]) => marginRow(label, of)),
    total: marginRow('Total', ofKind(figures, 'brand')),
    subjects: labelsOf(brands),
  }
}

function marginRow(label: string, of: readonly Figure[]): Cell[] {
  const [sales, unknown, cost] = [sum(of, 'amountCents'), sum(of, 'unknownCents'), sum(of, 'costCents')]
  const known = sales - unknown
  // Without any cost there is no margin to speak of, not even of zero.
  return cost === 0 && known === 0
    ? [label, sales, unknown, 0, 0, null]
    : [label, sales, unknown, cost, known - cost, share(known - cost, known)]
}

export function taxReport(figures: readonly Figure[]): Table {
  const columns = [
    text('State'),
    count('Orders'),
    cents('Gross sales'),
    cents('Exempt sales'),
    cents('Taxable sales'),
    cents(salesTaxNames.charged),
    cents('Tire fee'),
    cents('Excise tax'),
  ]
  const states = [...Map.groupBy(ofKind(figures, 'sale'), ({ state }) => state)].toSorted(byFirst)
  const rows = states.map(([state, of]) => {
    const [fees, taxable] = [sum(of, 'feeCents') + sum(of, 'exciseCents'), sum(of, 'taxedCents')]
    const gross = sum(of, 'amountCents') + fees
    return [
      state,
      sum(of, 'orders'),
      gross,
      gross - taxable,
      taxable,
      sum(of, 'taxCents'),
      sum(of, 'feeCents'),
      sum(of, 'exciseCents'),
    ]
  })
  return {
    title: 'Tax by state',
    note: 'to remit, tire fees separate',
    details:
      'By the state whose tax applies. Gross sales are after discounts and refunds, with tire fees and excise tax and before sales tax. Refunds and cancellations lower gross sales, taxable sales and tax on the day they were made.',
    columns,
    rows,
    total: totalOf(rows, columns),
    subjects: states.map(([state]) => ({ state })),
  }
}

const levels = ['state', 'county', 'city', 'special'] as const
const levelLabels: Readonly<Record<string, string>> = {
  state: 'State',
  county: 'County',
  city: 'City',
  special: 'District',
}

/**
 * Builds the tax report by authority, as filed. Each state is followed by its counties, cities, and districts. A local
 * authority's sales are the orders it taxed. They are also in its state's row, so sales totals sum only the state rows,
 * while tax totals sum all rows.
 */
export function filingReport(figures: readonly Figure[]): Table {
  const columns = [
    text('State'),
    text('Level'),
    text('Authority'),
    count('Orders'),
    cents('Gross sales'),
    cents('Exempt sales'),
    cents('Taxable sales'),
    cents('Tax collected'),
    cents('Tire fee'),
  ]
  const of = ofKind(figures, 'authority')
  const authorities = [...Map.groupBy(of, ({ state, label }) => `${state} ${levelPlace(label)} ${label}`)].toSorted(
    byFirst,
  )
  const rows = authorities.map(([, of]) => authorityRow(of))
  const ofStates = of.filter(({ label }) => levelPlace(label) === 0)
  // Without its state, there is only one authority.
  const total = totalOf([authorityRow(ofStates.length > 0 ? ofStates : of)], columns)
  total[7] = sum(of, 'taxCents')
  return {
    title: 'Tax by authority',
    note: 'Sales of local authorities are also in the rows of their states. Totals of sales add up the states; the total of tax adds up all rows. Orders that are exempt, or taxed by the state only, are in its row only',
    columns,
    rows,
    total,
    subjects: authorities.map(([, [first]]) => ({ state: first?.state ?? '', label: first?.label ?? '' })),
  }
}

function levelPlace(label: string): number {
  return levels.findIndex((level) => label.startsWith(`${level}:`))
}

function authorityRow(of: readonly Figure[]): Cell[] {
  const { state = '', label = '' } = of[0] ?? {}
  const [level = '', ...name] = label.split(':')
  const [fees, taxable] = [sum(of, 'feeCents'), sum(of, 'taxedCents')]
  const gross = sum(of, 'amountCents') + fees + sum(of, 'exciseCents')
  return [
    state,
    levelLabels[level] ?? level,
    name.join(':') || null,
    sum(of, 'orders'),
    gross,
    gross - taxable,
    taxable,
    sum(of, 'taxCents'),
    // Tire fees are the state's.
    level === 'state' || of.length === 0 ? fees : null,
  ]
}

export function promiseReport({ period, figures }: Counted): Table {
  const { unit, bins } = binsOf(period)
  const columns = [text(unit), count('Parcels'), count('Kept'), count('Missed'), ppm('Share')]
  const row = (label: string, of: readonly Figure[]) => {
    const [parcels, kept] = [sum(of, 'orders'), sum(of, 'kept')]
    return [label, parcels, kept, parcels - kept, share(kept, parcels)]
  }
  return {
    title: 'Promise kept',
    note: 'parcels delivered by the promised day',
    details: 'Days are in the time zone of the destination.',
    columns,
    rows: bins.map((bin) => row(bin.label, inBin(figures, 'parcel', bin))),
    total: row('Total', ofKind(figures, 'parcel')),
    subjects: bins.map(({ from, to }) => ({ days: { from, to } })),
  }
}

/** Automatic refunds with their reason and cost bearer. Staff give no reason for these. */
const automaticRefunds: Readonly<Record<string, readonly [reason: string, bearer: string]>> = {
  cancel: ['Order canceled after its charge', 'Store'],
  guarantee: ['Price guarantee', 'Store'],
  coverage: ['Coverage claim', 'Store'],
  'price-guarantee': ['Price guarantee', 'Store'],
  'order-change': ['Lower price after a change', 'Store'],
  'difference waived': ['Difference waived with a change', 'Store'],
  'invoice lowered': ['Invoice lowered', 'Store'],
  'given back in part': ['Given back in part', 'Store'],
}

/** Returns the reason and cost bearer in a refund's label. A label is "late:carrier" or an automatic one. */
function refundNames(label: string): readonly [reason: string, bearer: string] {
  const automatic = automaticRefunds[label]
  if (automatic) return automatic
  const [reason = '', bearer = ''] = label.split(':')
  return isReason(reason) && isBearer(bearer) ? [refundReasons[reason], refundBearers[bearer]] : [label, 'Not said']
}

function isReason(reason: string): reason is RefundReason {
  return Object.hasOwn(refundReasons, reason)
}

function isBearer(bearer: string): bearer is RefundBearer {
  return Object.hasOwn(refundBearers, bearer)
}

export function refundsReport(figures: readonly Figure[]): Table {
  const columns = [text('Reason'), text('Borne by'), count('Refunds'), cents('Amount'), ppm('Share')]
  const whole = sum(ofKind(figures, 'refund'), 'amountCents')
  const labels = byLabel(figures, 'refund')
  const rows = labels.map(([label, of]) => {
    const [reason, bearer] = refundNames(label)
    const amount = sum(of, 'amountCents')
    return [reason, bearer, sum(of, 'orders'), amount, share(amount, whole)]
  })
  const total = totalOf(rows, columns)
  total[4] = share(whole, whole)
  return {
    title: 'Refunds by who bears the cost',
    note: 'issued in the period, tax and fees included',
    details: 'Includes store credit, lowered invoices, and waived amounts.',
    columns,
    rows,
    total,
    subjects: labelsOf(labels),
  }
}

export function promotionsReport(figures: readonly Figure[]): Table {
  const columns = [text('Promotion'), count('Orders'), cents('Discount'), cents('Paid by others'), cents('Cost to us')]
  const labels = byLabel(figures, 'promotion')
  const rows = labels.map(([label, of]) => {
    const [discount, funded] = [sum(of, 'amountCents'), sum(of, 'fundedCents')]
    return [label, sum(of, 'orders'), discount, funded, discount - funded]
  })
  return {
    title: 'Cost of promotions',
    note: 'discounts on orders placed in the period, less those of orders canceled in it',
    columns,
    rows,
    // An order may have several discounts, so that its number is not theirs added up.
    total: totalOf(rows, columns),
    subjects: labelsOf(labels),
  }
}

const providerNames: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  invoice: 'Check or transfer',
  unknown: 'Unknown',
}

export function cashReport(figures: readonly Figure[]): Table {
  const columns = [
    text('Provider'),
    cents('Captured'),
    cents('Refunded'),
    cents('At the provider'),
    cents('Ledger'),
    cents('Difference'),
  ]
  const labels = byLabel(figures, 'cash')
  const rows = labels.map(([label, of]) => {
    const [captured, refunded, ledger] = [sum(of, 'capturedCents'), sum(of, 'refundedCents'), sum(of, 'amountCents')]
    // Checks and transfers bypass the providers, so only the ledger counts.
    const there = label === 'invoice' ? ledger : captured - refunded
    const taken = label === 'invoice' ? ledger : captured
    return [providerNames[label] ?? label, taken, refunded, there, ledger, ledger - there]
  })
  return {
    title: 'Cash by provider',
    note: 'what providers captured and gave back, against the cash of the ledger',
    columns,
    rows,
    total: totalOf(rows, columns),
    subjects: labelsOf(labels),
  }
}
