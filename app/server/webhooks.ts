/**
 * Where the payment provider and the carrier post their events: the raw body is read, its signature checked first, and
 * the response sent only after the event is stored.
 */
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { receiveCarrierEvent } from '#domain/orders/orders.server.ts'
import { receiveProviderEvent } from '#domain/payments/payments.server.ts'
import type { Shop } from '#shop'

const maxEventBytes = 256 * 1024

export function createWebhooks(shop: Shop): Hono {
  const app = new Hono()
  /**
   * The signature is valid, so somebody has to look into it: either the provider uses another version, or we have a
   * bug.
   */
  const noteUnreadable = (from: string, cause: unknown) =>
    shop.log.warn({ from, err: cause }, 'a message of a provider cannot be read')
  app.use(bodyLimit({ maxSize: maxEventBytes, onError: (c) => c.json({ error: 'too-large' }, 413) }))
  app.post('/payments', async (c) => {
    const received = await receiveProviderEvent(shop, await c.req.text(), c.req.header('stripe-signature') ?? '')
    if (!received.ok && received.reason === 'unreadable') noteUnreadable('payments', received.detail.cause)
    return received.ok ? c.json({ received: true }) : c.json({ error: received.reason }, 400)
  })
  app.post('/carrier', async (c) => {
    const received = await receiveCarrierEvent(
      shop,
      await c.req.text(),
      c.req.header('sidewall-carrier-signature') ?? '',
    )
    if (!received.ok && received.reason === 'unreadable') noteUnreadable('carrier', received.detail.cause)
    return received.ok ? c.json({ received: true }) : c.json({ error: received.reason }, 400)
  })
  for (const path of ['/payments', '/carrier'])
    app.all(path, (c) => c.json({ error: 'method-not-allowed' }, 405, { allow: 'POST' }))
  return app
}
