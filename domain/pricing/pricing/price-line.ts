import { pluralForm } from '#platform/count-text.ts'
import { allocate } from '#platform/money.ts'
import type { CoveragePlan, FundedBy, ServiceKind } from './price-input.ts'

export type LineKind = 'tire' | ServiceKind | 'shipping'

/** The canonical line order for totals, splits (ties go to the earlier line) and receipts. */
const CANONICAL_ORDER: readonly LineKind[] = [
  'tire',
  'part',
  'coverage',
  'installation',
  'service-kit',
  'disposal',
  'roadside',
  'service',
  'shipping',
]

export const COVERAGE_NAMES: Readonly<Record<CoveragePlan, string>> = {
  replacement: 'Replacement coverage',
  'road-hazard': 'Road hazard plan',
}

export const SERVICE_NAMES: Readonly<Record<Exclude<LineKind, 'tire'>, string>> = {
  part: 'Parts',
  coverage: COVERAGE_NAMES.replacement,
  installation: 'Installation',
  'service-kit': 'Sensor service kits',
  disposal: 'Old tire disposal',
  roadside: 'Roadside assistance',
  service: 'Service',
  shipping: 'Shipping',
}

/** The name of a service for `quantity` units: "Sensor service kit" for one. */
export function serviceName(kind: Exclude<LineKind, 'tire'>, quantity: number): string {
  return kind === 'service-kit' ? pluralForm(quantity, 'Sensor service kit', SERVICE_NAMES[kind]) : SERVICE_NAMES[kind]
}

/** Returns a line's name on the order and receipt. It is the tire's name or the service kind. */
export function lineName({
  kind,
  name,
  plan,
  quantity,
}: Pick<PriceLine, 'kind' | 'name' | 'plan' | 'quantity'>): string {
  if (kind === 'coverage') return COVERAGE_NAMES[plan ?? 'replacement']
  if (kind === 'service' || kind === 'part') return name ?? SERVICE_NAMES[kind]
  return kind === 'tire' ? (name ?? 'Tires') : serviceName(kind, quantity)
}

/**
 * One line sold, with the effect of every step, in cents. netCents = grossCents − itemPromotionCents − programCents −
 * installDiscountCents − tenderCents, and never below zero.
 */
export type PriceLine = {
  /** `tire:A`, `coverage:A`, `installation`, or `shipping`, with one per item and kind. */
  readonly id: string
  readonly kind: LineKind
  readonly articleId: string | null
  readonly name: string | null
  /** For coverage, the plan if it isn't our own. */
  readonly plan?: CoveragePlan
  readonly quantity: number
  readonly unitCents: number
  /** Step 1: whether the unit price is the account's own. */
  readonly atAccountPrice: boolean
  /** The unit price's label, such as "Fleet price"; null at retail, and in older data. */
  readonly label: string | null
  readonly grossCents: number
  /** Step 2. Also set where the price already included the promotion. */
  readonly promotion: LinePromotion | null
  readonly itemPromotionCents: number
  /** Step 3. */
  readonly programCents: number
  /** Step 4. */
  readonly installDiscountCents: number
  /** Step 5. */
  readonly tenderCents: number
  readonly netCents: number
  /** The part of the discounts paid to us by a maker, lender or bank: it stays taxable. */
  readonly thirdPartyCents: number
  /** Step 6. */
  readonly rimInches: number | null
  readonly tireFeeUnitCents: number
  readonly tireFeeCents: number
  /** Step 7. */
  readonly fetUnitCents: number
  readonly fetCents: number
  /** Step 8: the taxable amount of this line, its tire fee and its excise tax, and its share of the sales tax. */
  readonly taxableCents: number
  readonly taxCents: number
}

export type LinePromotion = {
  readonly id: string
  readonly name: string
  readonly words: string
  readonly alreadyApplied: boolean
}

export type DiscountStep = 'itemPromotionCents' | 'programCents' | 'installDiscountCents' | 'tenderCents'

type NewLine = Pick<PriceLine, 'kind' | 'articleId' | 'quantity' | 'unitCents'> &
  Partial<Pick<PriceLine, 'name' | 'plan' | 'atAccountPrice' | 'rimInches' | 'fetUnitCents'>>

/** A line before any discount, fee or tax. */
export function newLine(line: NewLine): PriceLine {
  const grossCents = line.unitCents * line.quantity
  if (!Number.isSafeInteger(grossCents))
    throw new RangeError(`${line.quantity} at ${line.unitCents} cents is more than can be counted`)
  return {
    name: null,
    atAccountPrice: false,
    label: null,
    promotion: null,
    itemPromotionCents: 0,
    programCents: 0,
    installDiscountCents: 0,
    tenderCents: 0,
    thirdPartyCents: 0,
    rimInches: null,
    tireFeeUnitCents: 0,
    tireFeeCents: 0,
    fetUnitCents: 0,
    fetCents: 0,
    taxableCents: 0,
    taxCents: 0,
    ...line,
    id: line.articleId === null ? line.kind : `${line.kind}:${line.articleId}`,
    grossCents,
    netCents: grossCents,
  }
}

/** Applies a discount to one line. Throws if it exceeds the line's remaining amount. */
export function discountLine(line: PriceLine, step: DiscountStep, cents: number, fundedBy: FundedBy): PriceLine {
  if (!(cents >= 0 && cents <= line.netCents))
    throw new RangeError(`Cannot take ${cents} of ${line.netCents} cents off ${line.id}`)
  return {
    ...line,
    [step]: line[step] + cents,
    netCents: line.netCents - cents,
    thirdPartyCents: line.thirdPartyCents + (fundedBy === 'store' ? 0 : cents),
  }
}

/** Applies one discount to several lines, in proportion to their remaining amounts. */
export function discountLines(
  lines: readonly PriceLine[],
  eligible: (line: PriceLine) => boolean,
  step: DiscountStep,
  cents: number,
  fundedBy: FundedBy,
): PriceLine[] {
  const parts = allocate(
    cents,
    lines.map((line) => (eligible(line) ? line.netCents : 0)),
  )
  return lines.map((line, index) => discountLine(line, step, parts[index] ?? 0, fundedBy))
}

export function inCanonicalOrder(lines: readonly PriceLine[]): PriceLine[] {
  return lines.toSorted(
    (a, b) =>
      CANONICAL_ORDER.indexOf(a.kind) - CANONICAL_ORDER.indexOf(b.kind) ||
      compareText(a.articleId ?? '', b.articleId ?? ''),
  )
}

/** Compares by code unit, so that the order is the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The sum of one amount over the lines. */
export function sumOf(lines: readonly PriceLine[], amount: NumberField): number {
  return lines.reduce((sum, line) => sum + line[amount], 0)
}

type NumberField = {
  [Field in keyof PriceLine]-?: PriceLine[Field] extends number ? Field : never
}[keyof PriceLine]

export function isTire(line: PriceLine): boolean {
  return line.kind === 'tire'
}

export function tireCount(lines: readonly PriceLine[]): number {
  return sumOf(lines.filter(isTire), 'quantity')
}
