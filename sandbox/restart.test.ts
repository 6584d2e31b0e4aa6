import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import EasyPostClient from '@easypost/api'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createSmtpMailer } from '#adapters/mail/smtp.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { startReceiver } from './test-sandbox.ts'

const [port = 0] = await freePorts(3)
const origin = `http://127.0.0.1:${port}`

/** Starts the sandbox as its own process; resolves once it reports that it is up. */
async function startProcess(folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
    env: {
      SANDBOX_PORT: String(port),
      STORE_ORIGIN: `http://127.0.0.1:${port + 2}`,
      DATA_DIR: folder,
      SANDBOX_CARRIER_PACE_SECONDS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(createInterface(child.stdout), 'line')
  return child
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  child.kill(signal)
  const [code] = await once(child, 'exit')
  return code as number | null
}

test('a crash at any moment loses no payments, keys, mail, shipments, or pending webhooks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const stripe = new Stripe('sk_test_sidewall', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 })
  const refund = (intentId: string) =>
    stripe.refunds.create({ payment_intent: intentId, amount: 1000 }, { idempotencyKey: 'refund-1' })
  const carrier = new EasyPostClient('EZTK_sidewall', { baseUrl: `${origin}/v2/` })

  using before = await startProcess(folder)
  // The store is down, so every webhook is still waiting when the process ends.
  const intent = await stripe.paymentIntents.create(
    { amount: 5000, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' },
    { idempotencyKey: 'pay-1' },
  )
  const firstRefund = await refund(intent.id)
  const prepared = await carrier.Shipment.create({
    from_address: address,
    to_address: address,
    parcel: { weight: 400 },
  })
  const { tracking_code } = await carrier.Shipment.buy(prepared.id, prepared.lowestRate())
  await createSmtpMailer({ smtpUrl: `smtp://127.0.0.1:${port + 1}`, from: 'a@sidewall.example' }).send({
    key: 'k',
    to: 'ann@example.com',
    stopUrl: null,
    fromName: null,
    replyTo: null,
    subject: 'Kept',
    text: 'Kept',
    html: '<p>Kept</p>',
    attachments: [],
  })
  await end(before, 'SIGKILL')

  await using receiver = await startReceiver(port + 2)
  using after = await startProcess(folder)
  expect(await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })).toMatchObject({
    status: 'succeeded',
    latest_charge: { amount_refunded: 1000 },
  })
  expect(await refund(intent.id)).toEqual(firstRefund)
  expect((await carrier.Shipment.retrieve(prepared.id)).tracking_code).toBe(tracking_code)
  expect(await (await fetch(`${origin}/mailbox.json?to=ann@example.com`)).json()).toMatchObject({
    messages: [{ subject: 'Kept' }],
  })
  await expect
    .poll(() => receiver.received.map(({ path }) => path), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(['/webhooks/payments', '/webhooks/carrier']))
  await expect
    .poll(() => receiver.received.flatMap(({ body }) => (body.includes('"refund.created"') ? [body] : [])), {
      timeout: 20_000,
    })
    .toHaveLength(1)
  expect(await end(after, 'SIGTERM')).toBe(0)
  await rm(folder, { recursive: true })
})

const address = { name: 'Ann Smith', street1: '2 Oak Ave', city: 'Evanston', state: 'IL', zip: '60201' }
