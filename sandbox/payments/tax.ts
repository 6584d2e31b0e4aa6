import { z } from 'zod'
import { newId } from '../ids.ts'
import type { Collection } from '../store.ts'
import { unixSeconds, type Ledger } from './ledger.ts'
import { expand, metadata, text, wholeNumber } from './parameters.ts'
import type { Protocol } from './protocol.ts'
import { notFound, PaymentApiRefusal, refusedParameter } from './refusal.ts'
import { ratePartsOf, type RatePart } from './tax-rates.ts'

const address = z.strictObject({
  country: z.literal('US', 'the sandbox has only US'),
  state: text.max(100),
  postal_code: text.max(20),
  city: text.max(100).optional(),
  line1: text.max(200).optional(),
  line2: text.max(200).optional(),
})
const calculationCreate = z.strictObject({
  currency: z.literal('usd', 'the sandbox has only usd'),
  customer_details: z.strictObject({ address, address_source: z.enum(['shipping', 'billing']) }),
  line_items: z
    .array(
      z.strictObject({
        amount: wholeNumber.pipe(z.number().int().min(1)),
        quantity: wholeNumber.pipe(z.number().int().min(1)).default(1),
        reference: text.max(500),
        tax_behavior: z.literal('exclusive', 'the sandbox has only exclusive'),
        tax_code: z.enum(['txcd_99999999', 'txcd_00000000'], 'the sandbox has only goods and what is not taxed'),
      }),
    )
    .min(1)
    .max(100),
  tax_date: wholeNumber.optional(),
  expand,
})
const fromCalculation = z.strictObject({
  calculation: text,
  reference: text.max(500),
  metadata: metadata.default({}),
  expand,
})
const reversalCreate = z.strictObject({
  mode: z.enum(['full', 'partial']),
  original_transaction: text,
  reference: text.max(500),
  line_items: z
    .array(
      z.strictObject({
        amount: wholeNumber.pipe(z.number().int().max(0)),
        amount_tax: wholeNumber.pipe(z.number().int().max(0)),
        original_line_item: text,
        reference: text.max(500),
        quantity: wholeNumber.optional(),
      }),
    )
    .max(100)
    .optional(),
  metadata: metadata.default({}),
  expand,
})

type Line = { id: string; reference: string; amount: number; amount_tax: number; quantity: number; tax_code: string }
type StoredCalculation = {
  id: string
  at: number
  taxDate: number
  expiresAt: number
  to: z.output<typeof address>
  source: string
  lines: (Line & { parts: (RatePart & { amount: number })[] })[]
}
type StoredTransaction = Pick<StoredCalculation, 'id' | 'at' | 'taxDate' | 'to' | 'source'> & {
  reference: string
  metadata: Record<string, string>
  original: string | null
  lines: (Line & { original: string | null })[]
}

const day = 86_400
const calculationDays = 90

/** The calculations, transactions, and reversals of Stripe Tax that the store uses. */
export function addTax({ post }: Pick<Protocol, 'post'>, ledger: Ledger): void {
  const calculations: Collection<StoredCalculation> = ledger.store.collection('tax-calculation')
  const transactions: Collection<StoredTransaction> = ledger.store.collection('tax-transaction')
  const isTaken = (reference: string) => transactions.listWhere('reference', reference).length > 0

  post('/tax/calculations', calculationCreate, (params) => {
    const { address: to, address_source: source } = params.customer_details
    const at = unixSeconds(ledger.now())
    const taxDate = params.tax_date ?? at
    const parts = ratePartsOf({ state: to.state, zip: to.postal_code.slice(0, 5) }, isoDay(taxDate))
    if (!parts || !/^\d{5}(-\d{4})?$/.test(to.postal_code))
      throw refusedParameter(
        'customer_details[address]',
        'customer_tax_location_invalid',
        'We could not determine the customer’s tax location based on the provided address.',
      )
    const calculation: StoredCalculation = {
      id: newId('taxcalc_'),
      at,
      taxDate,
      to,
      source,
      expiresAt: at + calculationDays * day,
      lines: taxed(params.line_items, parts),
    }
    calculations.put(calculation.id, calculation)
    return calculationObject(calculation)
  })

  post(
    '/tax/transactions/create_from_calculation',
    fromCalculation,
    ({ calculation: id, reference, metadata: given }) => {
      const calculation = calculations.get(id)
      if (!calculation || calculation.expiresAt <= unixSeconds(ledger.now())) throw notFound('tax calculation', id)
      if (isTaken(reference)) throw taken(reference)
      const { taxDate, to, source, lines } = calculation
      const transaction: StoredTransaction = {
        id: newId('tax_'),
        at: unixSeconds(ledger.now()),
        taxDate,
        to,
        source,
        reference,
        metadata: given,
        original: null,
        lines: lines.map((line) => soldLine(line)),
      }
      transactions.put(transaction.id, transaction)
      return transactionObject(transaction)
    },
  )

  post('/tax/transactions/create_reversal', reversalCreate, (params) => {
    const original = transactions.get(params.original_transaction)
    if (!original || original.original !== null) throw notFound('tax transaction', params.original_transaction)
    if (isTaken(params.reference)) throw taken(params.reference)
    const earlier = transactions.listWhere('original', original.id)
    const lines = params.mode === 'full' ? wholeOf(original) : (params.line_items ?? [])
    const reversal: StoredTransaction = {
      ...original,
      id: newId('tax_'),
      at: unixSeconds(ledger.now()),
      reference: params.reference,
      metadata: params.metadata,
      original: original.id,
      lines: lines.map((line) => reversedLine(lineLeft(original, earlier, line), line)),
    }
    transactions.put(reversal.id, reversal)
    return transactionObject(reversal)
  })
}

function soldLine({
  reference,
  amount,
  amount_tax: tax,
  quantity,
  tax_code: code,
}: Line): StoredTransaction['lines'][number] {
  return { id: newId('tax_li_'), reference, amount, amount_tax: tax, quantity, tax_code: code, original: null }
}

function reversedLine(
  line: StoredTransaction['lines'][number],
  { amount, amount_tax: tax, reference }: { amount: number; amount_tax: number; reference: string },
): StoredTransaction['lines'][number] {
  return { ...line, id: newId('tax_li_'), reference, amount, amount_tax: tax, original: line.id }
}

function taken(reference: string): PaymentApiRefusal {
  return refusedParameter('reference', 'resource_already_exists', `There is a transaction '${reference}' already.`)
}

function wholeOf({ lines }: StoredTransaction): NonNullable<z.output<typeof reversalCreate>['line_items']> {
  return lines.map(({ id, reference, amount, amount_tax: tax }) => ({
    amount: -amount,
    amount_tax: -tax,
    original_line_item: id,
    reference,
  }))
}

/** The line that is reversed; never more of it than there is left. */
function lineLeft(
  original: StoredTransaction,
  earlier: readonly StoredTransaction[],
  asked: { amount: number; amount_tax: number; original_line_item: string },
): StoredTransaction['lines'][number] {
  const line = original.lines.find(({ id }) => id === asked.original_line_item)
  if (!line) throw notFound('tax line item', asked.original_line_item)
  const before = earlier.flatMap(({ lines }) => lines.filter((each) => each.original === line.id))
  const left = (key: 'amount' | 'amount_tax') => before.reduce((sum, each) => sum + each[key], line[key] + asked[key])
  if (left('amount') < 0 || left('amount_tax') < 0)
    throw refusedParameter('line_items', 'amount_too_large', `More is reversed than is left of '${line.reference}'.`)
  return line
}

/** Each part is rounded once on all taxed lines, and split by largest remainder; ties go to the earlier line. */
function taxed(
  items: z.output<typeof calculationCreate>['line_items'],
  parts: readonly RatePart[],
): StoredCalculation['lines'] {
  const weights = items.map(({ amount, tax_code: code }) => (code === 'txcd_99999999' ? amount : 0))
  const base = weights.reduce((sum, each) => sum + each, 0)
  const shares = parts.map(({ percent }) => {
    const ppm = Math.round(percent * 10_000)
    const whole = Math.floor((base * ppm + 500_000) / 1_000_000)
    const exact = weights.map((weight) => (base === 0 ? 0 : (whole * weight) / base))
    const cents = exact.map(Math.floor)
    const order = exact
      .map((value, index) => ({ index, rest: value - Math.floor(value) }))
      .toSorted((a, b) => b.rest - a.rest || a.index - b.index)
    for (const { index } of order.slice(0, whole - cents.reduce((sum, each) => sum + each, 0)))
      cents[index] = (cents[index] ?? 0) + 1
    return cents
  })
  return items.map(({ amount, quantity, reference, tax_code: code }, index) => ({
    id: newId('tax_li_'),
    reference,
    amount,
    quantity,
    tax_code: code,
    amount_tax: shares.reduce((sum, cents) => sum + (cents[index] ?? 0), 0),
    parts: parts.map((part, at) => ({
      ...part,
      amount: shares[at]?.[index] ?? 0,
    })),
  }))
}

function isoDay(seconds: number): string {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toString()
    .slice(0, 10)
}

function addressObject({ line1, line2, ...to }: z.output<typeof address>): object {
  return { city: null, ...to, line1: line1 ?? null, line2: line2 ?? null }
}

function customerOf({ to, source }: Pick<StoredCalculation, 'to' | 'source'>): object {
  return {
    address: addressObject(to),
    address_source: source,
    ip_address: null,
    tax_ids: [],
    taxability_override: 'none',
  }
}

function calculationObject(calculation: StoredCalculation): object {
  const { id, taxDate, expiresAt, to, lines } = calculation
  const tax = lines.reduce((sum, line) => sum + line.amount_tax, 0)
  const [first] = lines
  return {
    id,
    object: 'tax.calculation',
    amount_total: lines.reduce((sum, line) => sum + line.amount, tax),
    currency: 'usd',
    customer: null,
    customer_details: customerOf(calculation),
    expires_at: expiresAt,
    livemode: false,
    ship_from_details: null,
    shipping_cost: null,
    tax_amount_exclusive: tax,
    tax_amount_inclusive: 0,
    tax_date: taxDate,
    tax_breakdown: (first?.parts ?? []).map(({ percent }, index) => ({
      amount: lines.reduce((sum, { parts }) => sum + (parts[index]?.amount ?? 0), 0),
      inclusive: false,
      tax_rate_details: {
        country: 'US',
        flat_amount: null,
        percentage_decimal: String(percent),
        rate_type: 'percentage',
        state: to.state,
        tax_type: 'sales_tax',
      },
      taxability_reason: 'standard_rated',
      taxable_amount: lines.reduce((sum, line) => sum + (line.amount_tax > 0 ? line.amount : 0), 0),
    })),
    line_items: {
      object: 'list',
      data: lines.map((line) => calculationLine(line, to.state)),
      has_more: false,
      url: `/v1/tax/calculations/${id}/line_items`,
    },
  }
}

function calculationLine({ parts, ...line }: StoredCalculation['lines'][number], state: string): object {
  const isTaxed = line.tax_code === 'txcd_99999999'
  return {
    ...line,
    object: 'tax.calculation_line_item',
    livemode: false,
    metadata: null,
    performance_location: null,
    product: null,
    tax_behavior: 'exclusive',
    tax_breakdown: parts.map(({ level, name, percent, amount }) => ({
      amount,
      jurisdiction: { country: 'US', display_name: name, level, state },
      sourcing: 'destination',
      tax_rate_details: isTaxed
        ? { display_name: 'Sales tax', percentage_decimal: String(percent), tax_type: 'sales_tax' }
        : null,
      taxability_reason: isTaxed ? 'standard_rated' : 'product_exempt',
      taxable_amount: isTaxed ? line.amount : 0,
    })),
  }
}

function transactionObject(transaction: StoredTransaction): object {
  const { id, at, taxDate, reference, metadata: given, original, lines } = transaction
  const type = original === null ? 'transaction' : 'reversal'
  return {
    id,
    object: 'tax.transaction',
    created: at,
    currency: 'usd',
    customer: null,
    customer_details: customerOf(transaction),
    livemode: false,
    metadata: given,
    posted_at: at,
    reference,
    reversal: original === null ? null : { original_transaction: original },
    ship_from_details: null,
    shipping_cost: null,
    tax_date: taxDate,
    type,
    line_items: {
      object: 'list',
      data: lines.map(({ original: line, ...rest }) => ({
        ...rest,
        object: 'tax.transaction_line_item',
        livemode: false,
        metadata: null,
        product: null,
        reversal: line === null ? null : { original_line_item: line },
        tax_behavior: 'exclusive',
        type,
      })),
      has_more: false,
      url: `/v1/tax/transactions/${id}/line_items`,
    },
  }
}
