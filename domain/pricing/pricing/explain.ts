import { formatCents, formatDiscount, formatRate } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { ExplainRow, PriceBreakdown, UnitPrice } from './price-breakdown.ts'
import { type PriceInput, type ShippingLine } from './price-input.ts'
import { standardPriceRates } from '#domain/kernel/rates/rates.ts'
import { COVERAGE_NAMES, isTire, serviceName, sumOf, type LineKind, type PriceLine } from './price-line.ts'
import { salesTaxName, salesTaxNote, tireFeeName } from './sales-tax-label.ts'
import { TENDER_NAMES } from './step-5-tender-offer.ts'

type Priced = Omit<PriceBreakdown, 'explain'>

/**
 * Returns the order summary. It has one row per charge or discount, in the order shoppers ask about them, each with its
 * unit price or reason.
 */
export function explain(
  priced: Priced,
  { shopName, shipping, terms = standardPriceRates }: Pick<PriceInput, 'shopName' | 'shipping' | 'terms'>,
): ExplainRow[] {
  const services = (kind: Exclude<LineKind, 'tire'>, why = '', label?: string) =>
    serviceRow(priced.lines, kind, label, why)
  const { program } = priced
  return [
    ...tireRows(priced),
    ...promotionRows(priced),
    ...(program.isOnService ? [] : programRow(priced)),
    ...namedRows(priced, 'part'),
    ...services('installation', 'set by the shop', shopName === null ? undefined : `Installation at ${shopName}`),
    ...services('service-kit', 'new seals and cores'),
    ...services('disposal'),
    ...discount(
      'install-discount',
      'Installation discount',
      `${terms.installDiscountTires} or more tires`,
      priced.totals.installDiscountCents,
    ),
    ...coverageRows(priced),
    ...namedRows(priced, 'service'),
    ...services('roadside').map((row) => ({ ...row, detail: countOf(terms.roadsideMonths, 'month') })),
    ...services('shipping').map((row) => ({ ...row, label: SHIPPING_WORDS[shipping?.to ?? 'address'], detail: '' })),
    ...(program.isOnService ? programRow(priced) : []),
    ...tenderRow(priced),
    ...tireFeeRow(priced),
    ...fetRow(priced),
    taxRow(priced),
    totalRow(priced),
  ]
}

const SHIPPING_WORDS: Readonly<Record<ShippingLine['to'], string>> = {
  shop: 'Shipping to the shop',
  address: 'Shipping to your address',
  pickup: 'Shipping to the pickup location',
}

function tireRows({ lines }: Priced): ExplainRow[] {
  const tires = lines.filter(isTire)
  return tires.map((line) => {
    const details = [
      line.name,
      line.label,
      line.promotion?.alreadyApplied ? `${line.promotion.name} already in the price` : null,
    ]
    const label = `${countOf(line.quantity, 'tire')} at ${formatCents(line.unitCents)}`
    return plain(line.id, label, details.filter((detail) => detail).join(', '), line.grossCents, [line])
  })
}

function promotionRows({ lines }: Priced): ExplainRow[] {
  return lines.flatMap(({ id, promotion, itemPromotionCents }) =>
    promotion ? discount(`promotion:${id}:${promotion.id}`, promotion.name, promotion.words, itemPromotionCents) : [],
  )
}

function programRow({ program }: Priced): ExplainRow[] {
  return discount(
    ['program', program.kind, program.id].filter((part) => part !== null).join(':'),
    program.name,
    program.words,
    program.discountCents,
  )
}

function serviceRow(
  lines: readonly PriceLine[],
  kind: Exclude<LineKind, 'tire'>,
  label: string | undefined,
  why: string,
): ExplainRow[] {
  const served = lines.filter((line) => line.kind === kind)
  if (served.length === 0) return []
  return [
    plain(
      kind,
      label ?? serviceName(kind, sumOf(served, 'quantity')),
      [unitWords(served), why].filter((part) => part).join(', '),
      sumOf(served, 'grossCents'),
      served,
    ),
  ]
}

/** Each part, and each service without new tires, has a row. */
function namedRows({ lines }: Priced, of: 'part' | 'service'): ExplainRow[] {
  return lines
    .filter(({ kind }) => kind === of)
    .map((line) => plain(line.id, line.name ?? '', unitWords([line]), line.grossCents, [line]))
}

function tenderRow({ tender, totals }: Priced): ExplainRow[] {
  return tender
    ? discount(
        `tender:${tender.kind}`,
        TENDER_NAMES[tender.kind],
        `${formatRate(tender.ratePpm)} off the whole order`,
        totals.tenderCents,
      )
    : []
}

/** Each plan has a separate row, so a switch between plans counts as a price change. */
function coverageRows({ lines }: Priced): ExplainRow[] {
  const plan = lines.find(({ kind }) => kind === 'coverage')?.plan
  return serviceRow(lines, 'coverage', COVERAGE_NAMES[plan ?? 'replacement'], '').map((row) => ({
    ...row,
    key: plan ?? row.key,
  }))
}

function tireFeeRow({ lines, tax, totals }: Priced): ExplainRow[] {
  if (totals.tireFeeCents === 0) return []
  const units = lines
    .filter(isTire)
    .map(({ quantity, tireFeeUnitCents }) => ({ quantity, unitCents: tireFeeUnitCents }))
  return [plain('tire-fee', tireFeeName(tax), `${unitWords(units)}, set by the state`, totals.tireFeeCents, units)]
}

function fetRow({ lines, totals }: Priced): ExplainRow[] {
  if (totals.fetCents === 0) return []
  const units = lines
    .filter(({ fetCents }) => fetCents > 0)
    .map(({ quantity, fetUnitCents }) => ({ quantity, unitCents: fetUnitCents }))
  return [plain('fet', 'Federal excise tax', unitWords(units), totals.fetCents, units)]
}

function taxRow({ tax, totals, channel }: Priced): ExplainRow {
  const row = (label: string, detail: string) => plain('sales-tax', label, detail, totals.taxCents, [])
  if (channel === 'military-exchange') return row(salesTaxName(tax), 'Not charged by a military exchange')
  if (tax.isExempt) return row(salesTaxName(tax), 'Exemption certificate on file')
  if (tax.ratePpm === 0 && tax.basis === 'state-base')
    return row(salesTaxName(tax), `${tax.stateName} has no state sales tax`)
  if (tax.ratePpm === 0) return row(salesTaxName(tax), 'No sales tax is charged here')
  const on = tax.on === '' ? 'No taxable items' : `On ${tax.on}, ${formatCents(totals.taxBaseCents)}`
  const note = tax.basis === 'state-base' ? [salesTaxNote(tax)] : partWords(tax)
  return row(`${salesTaxName(tax)}, ${formatRate(tax.ratePpm)}`, [on, ...note].join('. '))
}

/**
 * Returns the taxing jurisdictions with their rates, such as "New York 4%, New York City 4.5%". Empty for a single
 * jurisdiction.
 */
function partWords({ parts = [] }: Priced['tax']): string[] {
  return parts.length < 2 ? [] : [parts.map(({ name, ratePpm }) => `${name} ${formatRate(ratePpm)}`).join(', ')]
}

function totalRow({ lines, totals }: Priced): ExplainRow {
  const detail = lines.some(({ kind }) => kind === 'installation') ? 'No balance due at the shop' : ''
  return {
    ...plain('total', 'Total', detail, totals.totalCents, []),
    amount: formatCents(totals.totalCents),
    kind: 'total',
  }
}

function plain(key: string, label: string, detail: string, cents: number, units: readonly UnitPrice[]): ExplainRow {
  const isFree = cents === 0 && key !== 'sales-tax'
  return {
    key,
    label,
    detail,
    cents,
    amount: isFree ? 'Free' : formatCents(cents),
    kind: 'plain',
    units: byPrice(units),
  }
}

function discount(key: string, label: string, detail: string, cents: number): ExplainRow[] {
  return cents === 0
    ? []
    : [{ key, label, detail, cents: -cents, amount: formatDiscount(cents), kind: 'discount', units: [] }]
}

/** "4 at $22.00", or "2 at $20.00, 2 at $24.00" where unit prices differ. */
function unitWords(units: readonly UnitPrice[]): string {
  return byPrice(units)
    .map(({ quantity, unitCents }) => `${quantity} at ${formatCents(unitCents)}`)
    .join(', ')
}

function byPrice(units: readonly UnitPrice[]): UnitPrice[] {
  const quantities = new Map<number, number>()
  for (const { unitCents, quantity } of units) quantities.set(unitCents, (quantities.get(unitCents) ?? 0) + quantity)
  return [...quantities]
    .map(([unitCents, quantity]) => ({ quantity, unitCents }))
    .toSorted((a, b) => a.unitCents - b.unitCents)
}
