import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { beforeEach, expect, test } from 'vitest'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { renderEvidencePdf } from '#adapters/documents/evidence-pdf.ts'
import { createStripeRecords } from '#adapters/payments/stripe-records.ts'
import {
  agreeTo,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { openCharge, receiveProviderEvent } from '#domain/payments/payments/payments.server.ts'
import type { Config } from '#platform/config.ts'
import { readConfig } from '#platform/config.ts'
import { payWithFields, startReceiver, testSecrets, type Received } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { fromStripe } from '#tests/support/provider-message.ts'
import {
  acceptDispute,
  closeWarning,
  findDispute,
  hearOfDispute,
  listOpenDisputes,
  noteDispute,
  readPacket,
  submitEvidence,
} from './disputes.server.ts'

const [port = 0] = await freePorts(3)
const by = { via: 'command line', name: 'tester' } as const
const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const config: Config = read.value
let received: Received[] = []
beforeEach(() => (received = []))

async function openBank() {
  const receiver = await startReceiver(port + 2)
  const store = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/webhooks` })
  received = receiver.received
  const paymentRecords = {
    stripe: createStripeRecords({ apiOrigin: store.sandbox.origin, secretKey: testSecrets.stripeSecretKey }),
  }
  return {
    ...store,
    config,
    paymentRecords,
    files: filesInRows,
    evidencePdf: renderEvidencePdf,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}
type Bank = Awaited<ReturnType<typeof openBank>>

/** A captured order, paid with `card`. */
async function chargedOrder(
  bank: Bank,
  card = '4242424242424242',
): Promise<{ orderId: number; totalCents: number; ref: string }> {
  const cart = await makeReadyCart(bank, { fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(bank, cart)
  const { payment, clientSecret } = must(
    await openCharge(bank, { cartId: cart.id, amountCents: totalCents, email: null }),
  )
  await payWithFields(bank.sandbox, clientSecret, card)
  const { orderId } = must(await placeOrder(bank, input))
  bank.clock.set(bank.clock.now().add({ minutes: 31 }))
  await releaseOrder(bank, orderId)
  return { orderId, totalCents, ref: payment.providerRef ?? '' }
}

/** Does on the sandbox's page what cardholders and banks do. */
async function act(bank: Bank, ref: string, fields: Record<string, string>) {
  const response = await fetch(`${bank.sandbox.origin}/payments/${ref}/dispute`, {
    method: 'POST',
    headers: { origin: bank.sandbox.origin },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  expect(response.status).toBe(303)
}

/** Delivers the provider's messages, all of them again each time, the newest first. */
async function hear(bank: Bank) {
  await bank.sandbox.catchUp()
  const deps = {
    ...bank,
    rateLimits: createRateLimits(bank),
    onDispute: hearOfDispute.bind(null, bank),
  }
  const now = bank.clock.now()
  for (const { body, headers } of received.toReversed()) {
    const signature = String(headers['stripe-signature'])
    // A signature is good for five minutes.
    bank.clock.set(Temporal.Instant.fromEpochMilliseconds(Number(/t=(\d+)/.exec(signature)?.[1]) * 1000))
    must(await receiveProviderEvent(deps, fromStripe(body, signature)))
  }
  bank.clock.set(now)
}

async function ledgerOf(store: Pick<TestStore, 'db'>, orderId: number) {
  const rows = await store.db
    .selectFrom('ledger_entry')
    .select((eb) => ['account', eb.fn.sum<number>('amount_cents').as('cents')])
    .where('order_id', '=', orderId)
    .where('account', 'in', ['cash', 'disputes', 'dispute-fees'])
    .groupBy('account')
    .execute()
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]))
}

test('a dispute withdraws amount and fee once, is answered with evidence, and won', async () => {
  await using bank = await openBank()
  const { orderId, totalCents } = await chargedOrder(bank, '4000000000000259')
  await hear(bank)
  await hear(bank)
  const [dispute] = await listOpenDisputes(bank, 10)
  expect(dispute).toMatchObject({ orderId, kind: 'dispute', reason: 'fraudulent', amountCents: totalCents })
  expect(dispute?.dueAt?.since(bank.clock.now()).total('hours')).toBeGreaterThan(200)
  expect(await ledgerOf(bank, orderId)).toEqual({ cash: -1_500, disputes: totalCents, 'dispute-fees': 1_500 })

  const id = dispute?.id ?? 0
  const packet = await readPacket(bank, orderId)
  expect(packet?.map(({ title }) => title)).toEqual(['Order', 'Receipt', 'Agreed terms', 'Delivery'])
  must(await noteDispute(bank, { id, by, notes: 'winning_evidence: the customer called.' }))
  must(await submitEvidence(bank, { id, by, notes: 'winning_evidence: the customer called.' }))
  expect(await submitEvidence(bank, { id, by, notes: '' })).toMatchObject({ reason: 'answered' })
  await hear(bank)
  expect((await findDispute(bank, id))?.dispute).toMatchObject({
    state: 'won',
    withdrawnCents: totalCents,
    reinstatedCents: totalCents,
    feeCents: 1_500,
    submittedBy: 'tester',
  })
  expect(await ledgerOf(bank, orderId)).toEqual({ cash: totalCents - 1_500, disputes: 0, 'dispute-fees': 1_500 })
  const sent = (await findDispute(bank, id))?.dispute.evidence
  expect(sent).toMatchObject({
    customerName: 'Dana Reyes',
    shippingAddress: expect.stringContaining('1430 N Halsted St') as string,
  })
  expect(sent?.text).toContain(`S-${orderId}`)
})

test('an accepted dispute is lost, and the money stays away', async () => {
  await using bank = await openBank()
  const { orderId, totalCents, ref } = await chargedOrder(bank)
  await act(bank, ref, { act: 'dispute', reason: 'product_not_received' })
  await hear(bank)
  const id = (await listOpenDisputes(bank, 10))[0]?.id ?? 0
  must(await acceptDispute(bank, { id, by }))
  expect(await acceptDispute(bank, { id, by })).toMatchObject({ reason: 'answered' })
  await hear(bank)
  expect((await findDispute(bank, id))?.dispute).toMatchObject({ state: 'lost', reinstatedCents: 0 })
  expect(await ledgerOf(bank, orderId)).toEqual({ cash: -1_500, disputes: totalCents, 'dispute-fees': 1_500 })
})

test('an unanswered dispute is lost when its time is over', async () => {
  await using bank = await openBank()
  const { ref } = await chargedOrder(bank)
  await act(bank, ref, { act: 'dispute' })
  await hear(bank)
  const id = (await listOpenDisputes(bank, 10))[0]?.id ?? 0
  bank.clock.set(bank.clock.now().add({ hours: 24 * 9 + 1 }))
  received.length = 0
  await hear(bank)
  expect((await findDispute(bank, id))?.dispute).toMatchObject({ state: 'lost' })
})

test('a fraud warning waits for staff without a withdrawal and is closed with a note', async () => {
  await using bank = await openBank()
  const { orderId, totalCents, ref } = await chargedOrder(bank)
  await act(bank, ref, { act: 'warn' })
  await hear(bank)
  const [warning] = await listOpenDisputes(bank, 10)
  expect(warning).toMatchObject({ kind: 'warning', orderId, reason: 'made_with_stolen_card', amountCents: totalCents })
  const id = warning?.id ?? 0
  expect(await submitEvidence(bank, { id, by, notes: '' })).toMatchObject({ reason: 'answered' })
  must(await closeWarning(bank, { id, by, note: 'Refunded.' }))
  expect(await ledgerOf(bank, orderId)).toEqual({ cash: totalCents })
  expect(await listOpenDisputes(bank, 10)).toEqual([])
})

test('resends the same evidence if the provider didn’t receive it', async () => {
  await using bank = await openBank()
  const { ref } = await chargedOrder(bank)
  await act(bank, ref, { act: 'dispute' })
  await hear(bank)
  const id = (await listOpenDisputes(bank, 10))[0]?.id ?? 0
  const away = {
    ...bank.paymentRecords.stripe,
    answerDispute: () => Promise.resolve({ ok: false, reason: 'unavailable', message: 'away' } as const),
  }
  const deps = { ...bank, paymentRecords: { stripe: away } }
  expect(await submitEvidence(deps, { id, by, notes: 'First.' })).toMatchObject({ reason: 'provider-away' })
  must(await submitEvidence(bank, { id, by, notes: 'Second.' }))
  const found = await findDispute(bank, id)
  expect(found?.dispute).toMatchObject({ state: 'under-review' })
  expect(found?.dispute.evidence?.text).toContain('First.')
})
