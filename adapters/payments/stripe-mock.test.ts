/**
 * Sends every request that the store makes to Stripe to stripe-mock, which validates it against Stripe's own OpenAPI
 * description. Runs if STRIPE_MOCK names that program (`go install github.com/stripe/stripe-mock@latest`, which
 * `npm run test:long` does where Go is). It brings a description along, of a version near the library's; STRIPE_OPENAPI
 * names the one of exactly that version: openapi/spec3.json of github.com/stripe/openapi at the tag in
 * node_modules/stripe/OPENAPI_VERSION.
 */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { OrderToPay, PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import type { TaxProvider } from '#domain/pricing/sales-tax/tax-provider.port.ts'
import type { ProviderRecords } from '#domain/payments/payments/provider-records.port.ts'
import { createStripeRecords } from './stripe-records.ts'
import { createStripePayments } from './stripe.ts'
import { createStripeTax } from './stripe-tax.ts'

const { STRIPE_MOCK: program = 'stripe-mock', STRIPE_OPENAPI: description = '' } = process.env
const amountCents = 50_000
const [ref, hostedRef, key] = ['pi_1', 'cs_1', 'key-1']
const page = {
  description: 'Four tires',
  returnUrl: 'https://store.example/paid?page={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://store.example/checkout',
}

const address = { address1: '1 Elm St', address2: 'Apt 2', city: 'Chicago', state: 'IL', zip: '60614' }
const order: OrderToPay = {
  lines: [{ sku: 'tire-1', name: 'Kestrel Alltide AS2', unitCents: 12_500, quantity: 4, kind: 'tire' }],
  taxCents: 0,
  taxText: 'Sales tax',
  shippingCents: 0,
  discountCents: 0,
  shipTo: { name: 'Dana Ruiz', ...address },
  billTo: { name: 'Dana Ruiz', ...address },
  phone: '3125550100',
  isBusiness: false,
}

/** At least one call of every method that sends to Stripe; `readEvent` only receives. */
const calls: {
  [Name in Exclude<keyof PaymentProvider, 'readEvent' | 'refBefore'>]-?: (
    payments: PaymentProvider,
  ) => ReturnType<NonNullable<PaymentProvider[Name]>>[]
} = {
  openCharge: (payments) => [
    payments.openCharge({ amountCents, reference: 'payment-1', email: 'dana@example.com', key }),
  ],
  changeAmount: (payments) => [payments.changeAmount({ ref, amountCents, key })],
  readCharge: (payments) => [payments.readCharge(ref)],
  captureCharge: (payments) => [payments.captureCharge({ ref, amountCents, key })],
  voidCharge: (payments) => [payments.voidCharge({ ref, key })],
  refundCharge: (payments) => [payments.refundCharge({ ref, amountCents, key })],
  // A page has no charge until a shopper acts on it.
  readRefund: (payments) => (payments.readRefund ? [payments.readRefund('re_1')] : []),
  openHostedPage: (payments) =>
    (['card', 'klarna', 'affirm', 'afterpay'] as const).flatMap((method) =>
      ['dana@example.com', null].map((email) =>
        payments.openHostedPage({
          method,
          order,
          amountCents,
          reference: 'payment-1',
          email,
          key: `key-${method}-${email}`,
          ...page,
        }),
      ),
    ),
  readHostedPage: (payments) => [payments.readHostedPage(hostedRef)],
  closeHostedPage: (payments) => [payments.closeHostedPage({ hostedRef, key })],
}

/** Does the same for sales tax. stripe-mock validates requests, but its responses don't contain the lines. */
const taxCalls: { [Name in keyof TaxProvider]: (taxes: TaxProvider) => ReturnType<TaxProvider[Name]>[] } = {
  calculate: (taxes) =>
    [
      { street: '1430 N Halsted St', city: 'Chicago' },
      { street: null, city: null },
    ].map((there) =>
      taxes.calculate({
        lines: [
          { lineId: 'tire:1', kind: 'tire', quantity: 4, amountCents, isTaxable: true },
          { lineId: 'installation', kind: 'installation', quantity: 4, amountCents: 8_800, isTaxable: false },
        ],
        to: { ...there, state: 'IL', zip: '60614' },
        at: systemClock.now(),
      }),
    ),
  record: (taxes) => [taxes.record({ ref: 'taxcalc_1', reference: 'SW-1', key })],
  reverse: (taxes) => [
    taxes.reverse({
      ref: 'tax_1',
      reference: 'SW-1-a',
      lines: [{ lineId: 'tire:1', ref: 'tax_li_1', amountCents: 100, taxCents: 6 }],
      key,
    }),
    taxes.reverse({ ref: 'tax_1', reference: 'SW-1-b', lines: null, key: 'key-2' }),
  ],
}

/** The same for disputes and movements. */
const recordCalls: {
  [Name in keyof ProviderRecords]-?: (
    records: Required<ProviderRecords>,
  ) => ReturnType<NonNullable<ProviderRecords[Name]>>[]
} = {
  readDispute: (records) => [records.readDispute('du_1')],
  answerDispute: (records) => [
    records.answerDispute({
      ref: 'du_1',
      key,
      files: [
        { kind: 'shipping', name: 'shipping.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7 %%EOF') },
      ],
      evidence: {
        customerName: 'Dana Reyes',
        customerEmail: 'dana@example.com',
        billingAddress: '1430 N Halsted St',
        productDescription: 'Four tires',
        shippingAddress: '1430 N Halsted St',
        shippingCarrier: 'UPS',
        shippingTrackingNumber: '1Z1',
        shippingDate: '2026-06-20',
        serviceDate: null,
        refundPolicy: 'Within 30 days.',
        cancellationPolicy: 'Within 30 minutes.',
        text: 'A receipt.',
      },
    }),
  ],
  acceptDispute: (records) => [records.acceptDispute({ ref: 'du_1', key })],
  listMovements: (records) =>
    [null, 'txn_1'].map((after) => {
      const from = Temporal.Instant.from('2026-06-20T00:00:00Z')
      return records.listMovements({ from, until: from.add({ hours: 24 }), after })
    }),
}

test('Stripe accepts every request that the store sends', async () => {
  await using mock = await startStripeMock()
  const payments = paymentsAt(mock.origin)
  const records = createStripeRecords({ apiOrigin: mock.origin, secretKey: 'sk_test_123' })
  for (const [name, makeCalls] of Object.entries(recordCalls))
    for (const answer of makeCalls(records))
      expect({ name, answer: await answer }).toMatchObject({ answer: { ok: true } })
  const refused = new Set<string>()
  for (const [name, makeCalls] of Object.entries(calls))
    for (const answer of makeCalls(payments)) {
      const { ok: isOk } = await answer
      if (!isOk) refused.add(name)
    }
  // A page names its method by a parameter that 2026-09-30.endive brought, which the description at hand may not have.
  if (description === '') refused.delete('openHostedPage')
  expect([...refused]).toEqual([])
})

test('Stripe accepts every request about sales tax', async () => {
  await using mock = await startStripeMock()
  const taxes = createStripeTax({ apiOrigin: mock.origin, secretKey: 'sk_test_123' })
  for (const [name, makeCalls] of Object.entries(taxCalls))
    for (const answer of makeCalls(taxes))
      expect({ name, answer: await answer }).not.toMatchObject({ answer: { reason: 'refused-input' } })
})

/** Configured like a store with another Stripe address. */
function paymentsAt(origin: string): PaymentProvider {
  const config = readConfig({
    ...ownSecrets,
    DATABASE_URL: 'postgres://localhost/none',
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_123',
    STRIPE_API_ORIGIN: origin,
  })
  if (!config.ok) throw new Error(JSON.stringify(config.faults))
  return createStripePayments({ ...config.value.payments, clock: systemClock })
}

async function startStripeMock(): Promise<AsyncDisposable & { origin: string }> {
  const [port = 0] = await freePorts(1)
  const origin = `http://127.0.0.1:${port}`
  if (description !== '') {
    const { info } = JSON.parse(await readFile(description, 'utf8')) as { info: { version: string } }
    // It has to be of the version that the library uses.
    expect(info.version).toBe(new Stripe('sk_test_1').getApiField('version'))
  }
  const given = description === '' ? [] : ['-spec', description, '-strict-version-check']
  const child = spawn(program, ['-http-addr', `127.0.0.1:${port}`, ...given], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exited = new Promise<void>((done, fail) => void child.once('error', fail).once('exit', () => done()))
  await eventually('stripe-mock', async () => {
    if (child.exitCode !== null) throw new Error(`stripe-mock did not start:\n${output}`)
    return fetch(origin).catch(() => undefined)
  })
  return {
    origin,
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}
