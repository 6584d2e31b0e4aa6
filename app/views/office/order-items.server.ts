/** Purchased lines as charged, with original price, discounts with their programs, tax and fees. */
import { landedText } from './landed-text.ts'
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import { salesTaxName, salesTaxNote, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { OrderView, PaidLine } from '#domain/ordering/orders/orders.server.ts'
import type { Refundable } from '#domain/ordering/refunds/refunds.server.ts'
import { marginTenths } from '#domain/ordering/quotes/quotes.ts'
import { totalOf } from '#domain/ordering/refunds/refunds.ts'
import type { LineSource } from '#domain/supply/stock/stock.server.ts'
import { formatCents, formatDiscount, formatRate } from '#platform/money.ts'

/** Amounts of a line as they are shown; null for a discount, tax or fee of zero. */
export type ItemAmounts = {
  gross: string
  discount: string | null
  net: string
  taxAndFee: string | null
  total: string
  /** Whether the line costs what it costs before discounts, so that a narrow screen leaves the gross amount out. */
  isPlain: boolean
}

export type ItemView = ItemAmounts & {
  lineNo: number
  /** Null for other lines than tires. */
  picture: PictureRef | null
  name: string
  /** "4 at $231.97". Empty for shipping because it has a single price. */
  unit: string
  /** The names of the programs that the discount is from. */
  programs: string[]
  /** Text such as "1 of 4 refunded"; empty for an unchanged line. */
  changed: string
  /** "Cost $88.15 with $4.50 freight, margin 31.2%". Empty for services, and for roles that don't see it. */
  cost: string
  /** "4 from Great Lakes Tire Supply, Grove City". Empty for tires from our warehouses. */
  sources: string[]
}

export type ItemsView = {
  items: ItemView[]
  sums: ItemAmounts
  /** Where the tax and the fees come from, in sentences. */
  taxNote: string
  /** The cost and margin of all tires; empty if one cost is unknown, and for roles that don't see it. */
  costNote: string
}

/** Returns an order's lines as stored when charged, without repricing. */
export function itemsOf(
  order: Pick<OrderView, 'lines' | 'breakdown'>,
  paid: readonly PaidLine[],
  {
    refundable,
    pictures,
    showsCost,
  }: {
    refundable: Refundable
    pictures: ReadonlyMap<number, PictureRef>
    showsCost: boolean
  },
): ItemsView {
  const canceled = new Map(order.lines.map((line) => [line.lineNo, line.canceled]))
  const tires = showsCost ? paid.filter(({ kind }) => kind === 'tire') : []
  const sum = (part: (line: PaidLine) => number) => paid.reduce((total, line) => total + part(line), 0)
  return {
    items: paid.map((line) => ({
      lineNo: line.lineNo,
      picture: pictures.get(line.lineNo) ?? null,
      name: isCounted(line.kind) ? `${line.quantity} ${line.description}` : line.description,
      unit: line.kind === 'shipping' ? '' : `${line.quantity} at ${formatCents(line.unitCents)}`,
      programs: programsOf(line, order.breakdown),
      changed: changedText(refundable, { lineNo: line.lineNo, canceled: canceled.get(line.lineNo) ?? 0 }),
      cost: tires.includes(line) ? costText([line], `Cost ${costOf(line)}`) : '',
      sources: sourceTexts(line, { showsCost }),
      ...amountsOf(line),
    })),
    sums: amountsOf({
      grossCents: sum(({ grossCents }) => grossCents),
      discountCents: sum(({ discountCents }) => discountCents),
      netCents: sum(({ netCents }) => netCents),
      taxCents: sum(({ taxCents }) => taxCents),
      fetCents: sum(({ fetCents }) => fetCents),
      tireFeeCents: sum(({ tireFeeCents }) => tireFeeCents),
    }),
    taxNote: taxNoteOf(order.breakdown),
    costNote: costNoteOf(tires),
  }
}

type CostedLine = Pick<PaidLine, 'netCents' | 'quantity' | 'unitCostCents' | 'unitFreightCents'>

const costOf = ({ unitCostCents, unitFreightCents }: Pick<CostedLine, 'unitCostCents' | 'unitFreightCents'>) =>
  unitCostCents === null ? 'unknown' : landedText({ costCents: unitCostCents, freightCents: unitFreightCents })

/** Returns a line's units from suppliers, without canceled ones. */
export function suppliedParts({ sources }: Pick<PaidLine, 'sources'>): LineSource[] {
  return sources.filter(({ state }) => state !== 'canceled')
}

/** "4 from Great Lakes Tire Supply, Grove City". Adds the cost unless all of the line's units have it. */
export function sourceTexts(
  line: Pick<PaidLine, 'sources' | 'quantity'>,
  { showsCost }: { showsCost: boolean },
): string[] {
  return suppliedParts(line).map(({ quantity, supplier, warehouse, ...cost }) => {
    const from = `${quantity} from ${supplier}, ${warehouse.name}`
    return showsCost && quantity < line.quantity ? `${from}, cost ${costOf(cost)}` : from
  })
}

/** What lines cost together, in cents; null if a cost is unknown. */
function costOfAll(lines: readonly CostedLine[]): number | null {
  return lines.reduce<number | null>(
    (sum, { quantity, unitCostCents }) =>
      sum === null || unitCostCents === null ? null : sum + quantity * unitCostCents,
    0,
  )
}

function costNoteOf(tires: readonly CostedLine[]): string {
  const costCents = costOfAll(tires)
  if (tires.length === 0 || costCents === null) return ''
  const freightCents = tires.reduce((sum, { quantity, unitFreightCents }) => sum + quantity * unitFreightCents, 0)
  return `${costText(tires, `Tires cost ${landedText({ costCents, freightCents })}`)}.`
}

/** Adds the margin of lines to their cost, unless it is unknown. */
function costText(lines: readonly CostedLine[], cost: string): string {
  const [costCents, netCents] = [costOfAll(lines), lines.reduce((sum, line) => sum + line.netCents, 0)]
  const tenths = netCents > 0 ? marginTenths({ unitCents: netCents, costCents }) : null
  return tenths === null ? cost : `${cost}, margin ${(tenths / 10).toFixed(1)}%`
}

/** Goods are named with how many there are, services are not. */
function isCounted(kind: string): boolean {
  return kind === 'tire' || kind === 'part' || kind === 'service-kit'
}

type LineCents = Pick<PaidLine, 'grossCents' | 'discountCents' | 'netCents' | 'taxCents' | 'fetCents' | 'tireFeeCents'>

function amountsOf(line: LineCents): ItemAmounts {
  const extra = line.taxCents + line.fetCents + line.tireFeeCents
  return {
    gross: formatCents(line.grossCents),
    discount: line.discountCents === 0 ? null : formatDiscount(line.discountCents),
    net: formatCents(line.netCents),
    taxAndFee: extra === 0 ? null : formatCents(extra),
    total: formatCents(totalOf(line)),
    isPlain: line.discountCents === 0,
  }
}

/** Empty for orders from before programs were stored, and for changed lines. */
function programsOf({ lineNo, kind, discountCents }: PaidLine, { lines, program, explain }: PriceBreakdown): string[] {
  if (discountCents === 0) return []
  const priced = lines[lineNo - 1]
  if (!priced || priced.kind !== kind || priced.grossCents - priced.netCents !== discountCents) return []
  const rowOf = (key: string) => explain.find((row) => row.key === key || row.key.startsWith(`${key}:`))
  const names = [
    priced.itemPromotionCents > 0 ? priced.promotion?.name : null,
    priced.programCents > 0 ? program.name : null,
    priced.installDiscountCents > 0 ? rowOf('install-discount')?.detail : null,
    priced.tenderCents > 0 ? rowOf('tender')?.label : null,
  ]
  return names.flatMap((name) => name ?? [])
}

function changedText({ lines }: Refundable, { lineNo, canceled }: { lineNo: number; canceled: number }): string {
  const line = lines.find((candidate) => candidate.lineNo === lineNo)
  if (!line) return ''
  const refunded = line.refundedUnits - canceled
  return [
    canceled > 0 ? `${canceled} of ${line.quantity} canceled` : '',
    refunded > 0 ? `${refunded} of ${line.quantity} refunded` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** "Sales tax, 10.25% of $859.08 (tires and kits): $88.06. Illinois tire fee, 4 at $2.50: $10.00." */
function taxNoteOf({ tax, totals, explain }: PriceBreakdown): string {
  const feeText = (key: string) => {
    const row = explain.find((each) => each.key === key)
    return row && `${row.label}, ${row.detail.replace(', set by the state', '')}: ${row.amount}`
  }
  return [taxText(tax, totals), salesTaxNote(tax), feeText('tire-fee'), feeText('fet')]
    .flatMap((text) => (text ? `${text}.` : []))
    .join(' ')
}

function taxText(tax: PriceBreakdown['tax'], { taxBaseCents, taxCents }: PriceBreakdown['totals']): string {
  const name = `${salesTaxName(tax)}, ${tax.stateName}`
  if (tax.isExempt) return `${name}: exempt`
  if (taxCents === 0) return `${name}: none`
  return `${name}, ${formatRate(tax.ratePpm)} of ${formatCents(taxBaseCents)} (${tax.on}): ${formatCents(taxCents)}`
}
