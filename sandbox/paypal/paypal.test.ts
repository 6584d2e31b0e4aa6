import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPayPalPayments } from '#adapters/payments/paypal.ts'
import { approve, paypalPage, valueOf } from '#adapters/payments/paypal.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { paypalTest, startReceiver, startTestSandbox } from '../test-sandbox.ts'

const [port = 0] = await freePorts(3)

test('orders, authorizations, keys and waiting webhooks survive a restart, under the same certificate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-paypal-'))
  const options = {
    dataFile: join(folder, 'sandbox.sqlite'),
    paypalWebhookUrl: `http://127.0.0.1:${port + 2}/webhooks/payments/paypal`,
  }
  const open = async () => {
    const sandbox = await startTestSandbox(port, options)
    const access = { ...paypalTest, apiOrigin: `${sandbox.origin}/paypal`, clock: sandbox.clock }
    return { sandbox, payments: createPayPalPayments(access) }
  }
  const before = await open()
  const { hostedRef: ref, url } = valueOf(await before.payments.openHostedPage(paypalPage))
  await approve(url, 'approve')
  valueOf(await before.payments.readHostedPage(ref))
  await before.sandbox.stop()

  await using receiver = await startReceiver(port + 2)
  const after = await open()
  expect(valueOf(await after.payments.openHostedPage(paypalPage)).hostedRef).toBe(ref)
  expect(valueOf(await after.payments.readCharge(ref))).toMatchObject({ state: 'authorized' })
  await after.sandbox.pass({ minutes: 1 })
  expect(receiver.received.length).toBeGreaterThanOrEqual(2)
  const certificates = new Set(receiver.received.map(({ headers }) => headers['paypal-cert-url']))
  expect(certificates.size).toBe(1)
  await after.sandbox.stop()
  await rm(folder, { recursive: true })
})
