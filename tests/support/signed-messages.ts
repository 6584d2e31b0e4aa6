/** Provider webhooks signed with any secret. They have no subject, so only the signature matters. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import twilio from 'twilio'
import { bodySignature, plainSignature, signatureHeader } from '#sandbox/signature.ts'

type Message = { path: string; body: string; headers: Record<string, string> }

/** The settings with a provider's secret, and its message. */
export const signedMessages: Readonly<Record<string, (secret: string, origin: string) => Message>> = {
  STRIPE_WEBHOOK_SECRET: (secret) => {
    const body = JSON.stringify({ id: id('evt'), type: 'product.created', data: { object: { object: 'product' } } })
    return { path: '/webhooks/payments', body, headers: { 'stripe-signature': timed(body, secret) } }
  },
  STRIPE_CONNECT_WEBHOOK_SECRET: (secret) => {
    const body = JSON.stringify({ id: id('evt'), type: 'account.updated', data: { object: { id: id('acct') } } })
    return { path: '/webhooks/payments', body, headers: { 'stripe-signature': timed(body, secret) } }
  },
  FINANCING_WEBHOOK_SECRET: (secret) => {
    const body = JSON.stringify({ id: id('fin'), type: 'none', data: { id: 'nothing' } })
    return { path: '/webhooks/payments/lender', body, headers: { 'financing-signature': timed(body, secret) } }
  },
  RESOLVE_WEBHOOK_SECRET: (secret) => {
    const body = JSON.stringify({ id: id('res'), type: 'customer.created', data: { id: 'nobody' } })
    return {
      path: '/webhooks/payments/resolve',
      body,
      headers: { 'x-webhook-signature': plainSignature(body, secret) },
    }
  },
  CARRIER_CALLBACK_SECRET: (secret) => {
    const body = JSON.stringify({ id: id('evt'), description: 'batch.created', result: {} })
    return { path: '/webhooks/carrier', body, headers: { 'x-hmac-signature': bodySignature(body, secret) } }
  },
  MAILGUN_SIGNING_KEY: (secret) => {
    const [timestamp, token] = [String(Math.floor(Date.now() / 1_000)), randomBytes(25).toString('hex')]
    const signature = createHmac('sha256', secret)
      .update(timestamp + token)
      .digest('hex')
    const data = { id: id('mail'), event: 'opened', recipient: 'dana@example.com' }
    const body = JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': data })
    return { path: '/webhooks/mail', body, headers: {} }
  },
  TWILIO_AUTH_TOKEN: (secret, origin) => {
    const path = '/webhooks/texts/status'
    const fields = { MessageSid: id('SM'), MessageStatus: 'sent' }
    const signature = twilio.getExpectedTwilioSignature(secret, origin + path, fields)
    return { path, body: String(new URLSearchParams(fields)), headers: { 'x-twilio-signature': signature } }
  },
  SUPPLIER_CALLBACK_SECRET: (secret) => ({
    path: '/webhooks/suppliers',
    body: `<?xml version="1.0" encoding="UTF-8"?><cXML payloadID="${id('cxml')}" timestamp="2026-01-01T00:00:00Z"><Header><Sender><Credential domain="NetworkId"><Identity>N</Identity><SharedSecret>${secret}</SharedSecret></Credential></Sender></Header><Request><ProfileRequest/></Request></cXML>`,
    headers: {},
  }),
}

/** The settings that belong to the secrets, at the sandbox. */
export function providerSettings(sandboxOrigin: string): Record<string, string> {
  return {
    FINANCING_API_ORIGIN: sandboxOrigin,
    FINANCING_CLIENT_ID: 'sidewall',
    FINANCING_CLIENT_SECRET: 'sidewall-demo-financing-secret',
    RESOLVE_MERCHANT_ID: 'sidewall',
    RESOLVE_SECRET_KEY: 'sidewall-demo-resolve-secret',
    RESOLVE_API_URL: `${sandboxOrigin}/resolve/api`,
    SUPPLIER_CXML_URL: `${sandboxOrigin}/cxml`,
    SUPPLIER_CXML_IDENTITY: 'SIDEWALL-DEMO',
    SUPPLIER_CXML_SECRET: 'sidewall-demo-supplier-secret',
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_FROM: '+18005550142',
    TWILIO_API_ORIGIN: sandboxOrigin,
  }
}

/** Returns whether the store at `origin` accepts a provider's signature with this secret. */
export async function knowsSignature(origin: string, setting: string, secret: string): Promise<boolean> {
  const message = signedMessages[setting]?.(secret, origin)
  if (!message) throw new Error(`Nobody signs with ${setting}.`)
  const { path, body, headers } = message
  const answer = await fetch(origin + path, { method: 'POST', headers, body })
  const text = await answer.text()
  if (answer.status >= 500 || answer.status === 429) throw new Error(`${path}: ${answer.status} ${text}`)
  return !/bad-signature|code="401"/.test(text)
}

function timed(body: string, secret: string): string {
  return signatureHeader(body, secret, Temporal.Now.instant())
}

function id(kind: string): string {
  return `${kind}_${randomUUID()}`
}
