/**
 * Webhook endpoints for the payment provider and the carrier. The raw body is read, its signature checked first, and
 * the response sent only after the event is stored.
 */
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { receiveMail } from '#app/server/mail-in.ts'
import { receiveMailEvent } from '#domain/messaging/messages/messages.server.ts'
import { receiveCarrierEvent, receiveSupplierMessage } from '#domain/ordering/orders/orders.server.ts'
import { receiveReturnScan } from '#domain/ordering/returns/returns.server.ts'
import { hearOfDispute } from '#domain/aftercare/disputes/disputes.server.ts'
import { receiveProviderEvent } from '#domain/payments/payments/payments.server.ts'
import { finishCardPage } from '#domain/payments/saved-cards/saved-cards.server.ts'
import { receivePayoutEvent } from '#domain/installer-portal/payouts/payouts.server.ts'
import { receiveTextReply } from '#domain/aftercare/order-conversations/order-conversations.server.ts'
import { receiveText, receiveTextStatus } from '#domain/messaging/texts/texts.server.ts'
import { addressOf, networkOf } from '#http/client-address.ts'
import type { Application } from '#application'

const maxEventBytes = 256 * 1024
/** Five files of 1 MB, in an encoding that is a third longer at most. */
const maxMailBytes = 8 * 1024 * 1024

/** Payment provider webhooks about charges, disputes and installer payouts. */
function addPayments(
  hono: Hono<{ Bindings: Partial<HttpBindings> }>,
  app: Application,
  noteUnreadable: (from: string, cause: unknown) => void,
): void {
  const charges = {
    ...app,
    async onDispute(...told: Parameters<typeof hearOfDispute> extends [unknown, ...infer Rest] ? Rest : never) {
      await hearOfDispute(app, ...told)
      const [, { kind, hostedRef }] = told
      if (kind !== 'checkout.session.completed' || hostedRef === null) return
      // The customer may have closed the page before it redirected back.
      const finished = await finishCardPage(app, { hostedRef })
      if (!finished.ok && finished.reason === 'payment-unavailable') throw new Error('The payment provider is away.')
    },
  }
  hono.post('/payments', async (c) => {
    const [body, signature] = [await c.req.text(), c.req.header('stripe-signature') ?? '']
    const ofPayouts = await receivePayoutEvent(app, body, signature)
    const isTaken = ofPayouts.ok && ofPayouts.value !== null
    // What is not about paying shops is about a charge.
    const received = isTaken
      ? ofPayouts
      : await receiveProviderEvent(charges, { provider: 'stripe', body, header: (name) => c.req.header(name) ?? '' })
    if (!received.ok && received.reason === 'unreadable') noteUnreadable('payments', received.detail.cause)
    return received.ok ? c.json({ received: true }) : c.json({ error: received.reason }, 400)
  })
  for (const provider of ['paypal', 'lender', 'resolve'] as const)
    hono.post(`/payments/${provider}`, async (c) => {
      const body = await c.req.text()
      const received = await receiveProviderEvent(charges, {
        provider,
        body,
        header: (name) => c.req.header(name) ?? '',
      })
      if (!received.ok && received.reason === 'unreadable') noteUnreadable(provider, received.detail.cause)
      return received.ok ? c.json({ received: true }) : c.json({ error: received.reason }, 400)
    })
}

export function createWebhooks(app: Application): Hono<{ Bindings: Partial<HttpBindings> }> {
  const hono = new Hono<{ Bindings: Partial<HttpBindings> }>()
  /** The signature is valid, so it needs investigation, because the provider uses another version, or we have a bug. */
  const noteUnreadable = (from: string, cause: unknown) =>
    app.log.warn({ from, err: cause }, 'a message of a provider cannot be read')
  // Emails come with their files.
  hono.use('/mail-in', bodyLimit({ maxSize: maxMailBytes, onError: (c) => c.json({ error: 'too-large' }, 413) }))
  hono.post('/mail-in', (c) => receiveMail(app, c.req.raw))
  hono.use(bodyLimit({ maxSize: maxEventBytes, onError: (c) => c.json({ error: 'too-large' }, 413) }))
  addPayments(hono, app, noteUnreadable)
  hono.post('/carrier', async (c) => {
    const body = await c.req.text()
    const signature = c.req.header('x-hmac-signature') ?? ''
    const ofOrder = await receiveCarrierEvent(app, body, signature)
    // A parcel of no order is a tire on its way back.
    const received =
      !ofOrder.ok && ofOrder.reason === 'shipment-not-found' ? await receiveReturnScan(app, body, signature) : ofOrder
    if (!received.ok && received.reason === 'unreadable') noteUnreadable('carrier', received.detail.cause)
    return received.ok ? c.json({ received: true }) : c.json({ error: received.reason }, 400)
  })
  hono.post('/mail', async (c) => {
    const { mailEvents } = app
    if (!mailEvents) return c.json({ error: 'not-found' }, 404)
    const received = await receiveMailEvent({ ...app, mailEvents }, await c.req.text())
    if (!received.ok && received.reason === 'unreadable') noteUnreadable('mail', received.detail.cause)
    // 406 stops the provider's retries.
    return received.ok ? c.json({ received: true }) : c.json({ error: received.reason }, 406)
  })
  hono.post('/texts', async (c) => {
    const fields = await textFields(app, c.req.raw, '/webhooks/texts')
    const { MessageSid: ref, From: from, Body: body } = fields ?? {}
    if (!ref || !from || body === undefined) return c.json({ error: 'bad-signature' }, 403)
    const text = { ref: ref.slice(0, 64), from, body }
    await receiveText(app, text)
    await receiveTextReply(app, text)
    // No words: the provider itself answers STOP, START and HELP.
    return c.body('<?xml version="1.0" encoding="UTF-8"?><Response></Response>', 200, { 'content-type': 'text/xml' })
  })
  hono.post('/texts/status', async (c) => {
    const fields = await textFields(app, c.req.raw, '/webhooks/texts/status')
    const { MessageSid: ref, MessageStatus: status, ErrorCode: code = '' } = fields ?? {}
    if (!ref || !status) return c.json({ error: 'bad-signature' }, 403)
    await receiveTextStatus(app, { ref: ref.slice(0, 64), status, code: /^\d{1,6}$/.test(code) ? Number(code) : null })
    return c.body(null, 204)
  })
  hono.post('/suppliers', async (c) => {
    const { suppliers, config, clock } = app
    const address = addressOf(c, config)
    const rawBody = await c.req.text()
    const { retryAfterSeconds, ...status } = await receiveSupplierMessage(app, { rawBody, from: networkOf(address) })
    const body = suppliers.answerOf({ ...status, at: clock.now() })
    const headers = { 'content-type': 'text/xml; charset=utf-8', 'cache-control': 'no-store' }
    // The protocol uses HTTP 200 regardless of the body's status, unless the message wasn't processed.
    return retryAfterSeconds === undefined
      ? c.body(body, 200, headers)
      : c.body(body, 429, { ...headers, 'retry-after': String(retryAfterSeconds) })
  })
  const taken = ['/suppliers', '/payments', '/payments/paypal', '/payments/lender', '/payments/resolve', '/carrier']
  for (const path of [...taken, '/mail', '/mail-in', '/texts', '/texts/status'])
    hono.all(path, (c) => c.json({ error: 'method-not-allowed' }, 405, { allow: 'POST' }))
  return hono
}

/** The fields of a form that the provider of text messages posted; undefined if it did not. */
async function textFields(
  { texts }: Pick<Application, 'texts'>,
  request: Request,
  path: string,
): Promise<Partial<Record<string, string>> | undefined> {
  const fields = Object.fromEntries(new URLSearchParams(await request.text()))
  const signature = request.headers.get('x-twilio-signature') ?? ''
  return (await texts?.isFromProvider({ path, signature, fields })) ? fields : undefined
}
