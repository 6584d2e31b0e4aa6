import Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { TaxAnswer, TaxQuestion } from '#domain/pricing/sales-tax/tax-provider.port.ts'
import { startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createStripeTax } from './stripe-tax.ts'

const [port = 0] = await freePorts(3)

const taxesAt = ({ origin }: Pick<TestSandbox, 'origin'>) =>
  createStripeTax({ apiOrigin: origin, secretKey: testSecrets.stripeSecretKey })

function valueOf<Value>(answer: TaxAnswer<Value>): Value {
  if (!answer.ok) throw new Error(`${answer.reason}: ${answer.message}`)
  return answer.value
}

const newYork = { street: '350 W 31st St', city: 'New York', state: 'NY', zip: '10001' }
const lines: TaxQuestion['lines'] = [
  { lineId: 'tire:1', kind: 'tire', quantity: 4, amountCents: 60_001, isTaxable: true },
  { lineId: 'tire:2', kind: 'tire', quantity: 2, amountCents: 30_003, isTaxable: true },
  { lineId: 'shipping', kind: 'shipping', quantity: 1, amountCents: 999, isTaxable: false },
]

test('a calculation has the tax of each line with its jurisdictions', async () => {
  await using sandbox = await startTestSandbox(port)
  const at = sandbox.clock.now()
  const answer = valueOf(await taxesAt(sandbox).calculate({ lines, to: newYork, at }))
  expect(answer.parts).toEqual([
    { level: 'state', name: 'New York', ratePpm: 40_000, cents: 3_600 },
    { level: 'city', name: 'New York City', ratePpm: 45_000, cents: 4_050 },
    { level: 'special', name: 'Special districts', ratePpm: 3_750, cents: 338 },
  ])
  expect(answer.lines.map(({ lineId }) => lineId)).toEqual(['tire:1', 'tire:2', 'shipping'])
  expect(answer.lines.reduce((sum, { taxCents }) => sum + taxCents, 0)).toBe(3_600 + 4_050 + 338)
  expect(answer.lines[2]?.taxCents).toBe(0)
  expect(answer.until.since(at).total('hours')).toBeGreaterThan(24)
})

test('charges the state rate without local rates and zero in states without tax, and rejects unknown locations', async () => {
  await using sandbox = await startTestSandbox(port)
  const ask = (state: string, zip: string) =>
    taxesAt(sandbox).calculate({
      lines,
      to: { street: null, city: null, state, zip },
      at: sandbox.clock.now(),
    })
  expect(valueOf(await ask('IL', '60614')).parts).toEqual([
    { level: 'state', name: 'Illinois', ratePpm: 62_500, cents: 5_625 },
  ])
  const none = valueOf(await ask('OR', '97201'))
  expect(none.parts).toEqual([])
  expect(none.lines.map(({ taxCents }) => taxCents)).toEqual([0, 0, 0])
  expect(await ask('ZZ', '00000')).toMatchObject({ ok: false, reason: 'refused-input' })
})

test('a sale is recorded once for a key, and taken back by line within what it was', async () => {
  await using sandbox = await startTestSandbox(port)
  const taxes = taxesAt(sandbox)
  const { ref } = valueOf(await taxes.calculate({ lines, to: newYork, at: sandbox.clock.now() }))
  const record = () => taxes.record({ ref, reference: 'SW-1', key: 'record-1' })
  const sale = valueOf(await record())
  expect(valueOf(await record())).toEqual(sale)
  expect(await taxes.record({ ref, reference: 'SW-1', key: 'record-2' })).toMatchObject({ reason: 'refused-input' })
  expect(await taxes.record({ ref: 'taxcalc_no', reference: 'SW-2', key: 'k' })).toMatchObject({
    reason: 'refused-input',
  })
  const [line] = sale.lines
  if (line?.lineId !== 'tire:1') throw new Error('The lines have no references.')
  const back = (amountCents: number, taxCents: number, key: string) =>
    taxes.reverse({
      ref: sale.ref,
      reference: `SW-1-${key}`,
      key,
      lines: [
        {
          lineId: line.lineId,
          ref: line.ref,
          amountCents,
          taxCents,
        },
      ],
    })
  const first = valueOf(await back(15_000, 1_331, 'a'))
  expect(valueOf(await back(15_000, 1_331, 'a'))).toEqual(first)
  expect(await back(45_002, 0, 'b')).toMatchObject({ ok: false, reason: 'refused-input' })
  expect((await back(45_001, 3_994, 'c')).ok).toBe(true)
  expect(await back(0, 1, 'd')).toMatchObject({ ok: false, reason: 'refused-input' })
})

test('a whole sale is taken back', async () => {
  await using sandbox = await startTestSandbox(port)
  const taxes = taxesAt(sandbox)
  const { ref } = valueOf(await taxes.calculate({ lines, to: newYork, at: sandbox.clock.now() }))
  const sale = valueOf(await taxes.record({ ref, reference: 'SW-1', key: 'record-1' }))
  const back = { ref: sale.ref, reference: 'SW-1-all', lines: null, key: 'all' }
  expect((await taxes.reverse(back)).ok).toBe(true)
  expect(await taxes.reverse({ ...back, reference: 'SW-1-more', key: 'more' })).toMatchObject({ ok: false })
})

test('distinguishes an unavailable provider from a wrong key', async () => {
  await using sandbox = await startTestSandbox(port)
  const question = { lines, to: newYork, at: sandbox.clock.now() }
  const nobody = taxesAt({ origin: `http://127.0.0.1:${port + 2}` })
  expect(await nobody.calculate(question)).toMatchObject({ ok: false, reason: 'unavailable' })
  const stranger = createStripeTax({ apiOrigin: sandbox.origin, secretKey: 'sk_test_other' })
  expect(await stranger.calculate(question)).toMatchObject({ ok: false, reason: 'refused-input' })
})

/** Keys of Stripe's published types, by a value that has them all; the compiler holds it to them. */
const published = {
  calculation: keysOf<Stripe.Tax.Calculation>()(
    ...([
      'id',
      'object',
      'amount_total',
      'currency',
      'customer',
      'customer_details',
      'expires_at',
      'line_items',
    ] as const),
    ...(['livemode', 'ship_from_details', 'shipping_cost', 'tax_amount_exclusive', 'tax_amount_inclusive'] as const),
    ...(['tax_breakdown', 'tax_date'] as const),
  ),
  calculationLine: keysOf<Stripe.Tax.CalculationLineItem>()(
    ...(['id', 'object', 'amount', 'amount_tax', 'livemode', 'metadata', 'performance_location', 'product'] as const),
    ...(['quantity', 'reference', 'tax_behavior', 'tax_breakdown', 'tax_code'] as const),
  ),
  transaction: keysOf<Stripe.Tax.Transaction>()(
    ...(['id', 'object', 'created', 'currency', 'customer', 'customer_details', 'line_items', 'livemode'] as const),
    ...(['metadata', 'posted_at', 'reference', 'reversal', 'ship_from_details', 'shipping_cost', 'tax_date'] as const),
    'type',
  ),
  transactionLine: keysOf<Stripe.Tax.TransactionLineItem>()(
    ...(['id', 'object', 'amount', 'amount_tax', 'livemode', 'metadata', 'product', 'quantity', 'reference'] as const),
    ...(['reversal', 'tax_behavior', 'tax_code', 'type'] as const),
  ),
}

function keysOf<Published>() {
  return <Key extends keyof Published>(
    ...keys: Exclude<keyof Published, Key> extends never ? Key[] : never
  ): string[] => [...keys].map(String).toSorted()
}

test('the sandbox answers with the fields of Stripe’s types, all of them and no others', async () => {
  await using sandbox = await startTestSandbox(port)
  const post = async (path: string, form: Record<string, string>) => {
    const response = await fetch(`${sandbox.origin}/v1/tax/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testSecrets.stripeSecretKey}` },
      body: new URLSearchParams(form),
    })
    return (await response.json()) as { id: string; line_items: { data: object[] } }
  }
  const calculation = await post('calculations', {
    currency: 'usd',
    'customer_details[address][country]': 'US',
    'customer_details[address][state]': 'NY',
    'customer_details[address][postal_code]': '10001',
    'customer_details[address_source]': 'shipping',
    'line_items[0][amount]': '1000',
    'line_items[0][reference]': 'a',
    'line_items[0][tax_behavior]': 'exclusive',
    'line_items[0][tax_code]': 'txcd_99999999',
  })
  const sale = await post('transactions/create_from_calculation', { calculation: calculation.id, reference: 'a' })
  const back = await post('transactions/create_reversal', {
    mode: 'full',
    original_transaction: sale.id,
    reference: 'b',
  })
  const keys = (object: object | undefined) => Object.keys(object ?? {}).toSorted()
  expect(keys(calculation)).toEqual(published.calculation)
  expect(keys(calculation.line_items.data[0])).toEqual(published.calculationLine)
  for (const transaction of [sale, back]) {
    expect(keys(transaction).filter((key) => key !== 'lastResponse')).toEqual(published.transaction)
    expect(keys(transaction.line_items.data[0])).toEqual(published.transactionLine)
  }
})
