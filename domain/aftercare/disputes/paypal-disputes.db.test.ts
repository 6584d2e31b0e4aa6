/**
 * PayPal disputes use the same flow as card disputes. They are synced, answered with files, and recorded in the ledger.
 */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { expect, test } from 'vitest'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { renderEvidencePdf } from '#adapters/documents/evidence-pdf.ts'
import { actOnDispute, approve } from '#adapters/payments/paypal.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { agreeTo, booksOf, makeReadyCart, must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { withEveryProvider } from '#domain/ordering/checkout/every-provider.testing.ts'
import { openPageToPay } from '#domain/ordering/checkout/pages-to-pay.testing.ts'
import { releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { receiveProviderEvent, refreshPayment } from '#domain/payments/payments/payments.server.ts'
import { readConfig } from '#platform/config.ts'
import { startReceiver } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { addEvidenceFile, findDispute, hearOfDispute, listOpenDisputes, submitEvidence } from './disputes.server.ts'

const [port = 0] = await freePorts(3)
const by = { via: 'command line', name: 'tester' } as const
const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const config = read.value

test('a chargeback through PayPal is heard, answered with files once, and won back', async () => {
  await using receiver = await startReceiver(port + 2)
  await using opened = await openTestStore(port, { paypalWebhookUrl: `http://127.0.0.1:${port + 2}/` })
  const store = {
    ...withEveryProvider(opened),
    config,
    rateLimits: createRateLimits({ db: opened.db, networkFactor: 1_000 }),
    files: filesInRows,
    evidencePdf: renderEvidencePdf,
  }
  /** Delivers each new message twice, as PayPal may. */
  const hear = async () => {
    await store.sandbox.catchUp()
    for (const { body, headers } of receiver.received.splice(0).flatMap((one) => [one, one])) {
      const header = (name: string) => String(headers[name] ?? '')
      const onDispute = hearOfDispute.bind(null, store)
      must(await receiveProviderEvent({ ...store, onDispute }, { provider: 'paypal', body, header }))
    }
  }

  const cart = await makeReadyCart(store)
  const { totalCents, ...agreed } = await agreeTo(store, cart)
  const { url } = must(await openPageToPay(store, cart, 'paypal'))
  await approve(url, 'approve')
  must(await refreshPayment(store, { cartId: cart.id }))
  const { orderId } = must(await placeOrder(store, agreed))
  await hear()
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const ref = new URL(url).searchParams.get('token') ?? ''
  await actOnDispute(store.sandbox.origin, ref, { act: 'chargeback', reason: 'UNAUTHORISED' })
  await hear()

  const [dispute] = await listOpenDisputes(store, 10)
  if (!dispute) throw new Error('There is no dispute.')
  const { id } = dispute
  expect(dispute).toMatchObject({ provider: 'paypal', kind: 'dispute', orderId, withdrawnCents: totalCents })
  expect(await booksOf(store.db, orderId)).toMatchObject({ disputes: totalCents, 'dispute-fees': 2_000 })

  const more = { name: '../Photo of the car.PDF', bytes: Buffer.from('%PDF-1.7 %%EOF') }
  must(await addEvidenceFile(store, { id, by, file: more }))
  expect(await addEvidenceFile(store, { id, by, file: { name: 'a.txt', bytes: Buffer.from('text') } })).toMatchObject({
    reason: 'other-kind',
  })
  must(await submitEvidence(store, { id, by, notes: 'winning_evidence' }))
  await hear()
  const found = await findDispute(store, id)
  expect(found?.dispute).toMatchObject({ state: 'won', reinstatedCents: totalCents })
  expect(found?.files.map(({ kind, name }) => [kind, name])).toEqual([
    ['shipping', `shipping-S-${orderId}.pdf`],
    ['more', 'Photo-of-the-car.pdf'],
    ['completion', `completion-S-${orderId}.pdf`],
  ])
  const shown = await (await fetch(`${store.sandbox.origin}/paypal/orders/${ref}`)).text()
  expect(shown.match(/application\/pdf/g)).toHaveLength(3)
  expect(await addEvidenceFile(store, { id, by, file: more })).toMatchObject({ reason: 'answered' })
  const books = await booksOf(store.db, orderId)
  expect(books['disputes'] ?? 0).toBe(0)
  expect(books['dispute-fees']).toBe(2_000)
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})
