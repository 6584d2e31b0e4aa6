/** PayPal test helpers with an order to pay, the approval page's buttons, and a recording proxy. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type {
  HostedPageInput,
  PagePaymentProvider,
  ProviderAnswer,
} from '#domain/payments/payments/payment-provider.port.ts'
import type { DisputeEvidence } from '#domain/payments/payments/provider-records.port.ts'
import { fourTires, fourTiresCents } from './order.testing.ts'

export const paypalPage: HostedPageInput = {
  method: 'paypal',
  amountCents: fourTiresCents,
  reference: '0198c2f4-8d5e-7c10-a1b2-000000000001',
  email: 'dana@example.com',
  description: 'Four tires',
  returnUrl: 'https://store.example/checkout/payments/return?payment=1',
  cancelUrl: 'https://store.example/checkout/payments/paypal?canceled=1',
  key: 'hosted:1',
  order: fourTires({ name: 'Dana Driver', phone: '3125550100' }),
}

export function valueOf<Value>(answer: ProviderAnswer<Value>): Value {
  if (!answer.ok) throw new Error(`${answer.reason}: ${answer.message}`)
  return answer.value
}

/** Presses a button on the approval page; returns where it leads, or null. */
export async function approve(
  url: string,
  act: 'approve' | 'vanish' | 'cancel',
  funding = 'balance',
): Promise<string | null> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ act, funding }),
    redirect: 'manual',
  })
  await response.body?.cancel()
  return response.headers.get('location')
}

/** One call that went over the wire; bodies as JSON, null without one. */
export type Recorded = { method: string; path: string; request: unknown; status: number; response: unknown }

/** Starts a proxy at `port` that forwards every call to `target` and records it. */
export async function recordedAt(
  port: number,
  target: string,
): Promise<{ origin: string; calls: Recorded[] } & AsyncDisposable> {
  const calls: Recorded[] = []
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = incoming
    const request = await text(incoming)
    const names = ['authorization', 'content-type', 'prefer', 'paypal-request-id']
    const headers = names.flatMap((name): [string, string][] => {
      const value = incoming.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
    const answer = await fetch(target + path, { method, headers, ...(request !== '' && { body: request }) })
    const response = await answer.text()
    calls.push({ method, path, request: jsonOf(request), status: answer.status, response: jsonOf(response) })
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(response)
  }
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing))
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return null
  }
}

/** Evidence of a sale with two parcels. */
export const paypalEvidence: DisputeEvidence = {
  customerName: 'Dana Driver',
  customerEmail: 'dana@example.com',
  billingAddress: '1 Main St, Chicago',
  productDescription: '4 × a tire',
  shippingAddress: '1 Main St, Chicago',
  shippingCarrier: 'UPS',
  shippingTrackingNumber: '1Z001, 1Z002',
  shippingDate: '2026-06-16',
  serviceDate: null,
  refundPolicy: 'Within 30 days.',
  cancellationPolicy: 'Within 30 minutes.',
  text: 'Everything else.',
}

/** A charge that was approved and captured. Returns its reference. */
export async function capturedCharge(payments: PagePaymentProvider, named: { reference: string }): Promise<string> {
  const input = { ...paypalPage, ...named, key: `hosted:${named.reference}` }
  const { hostedRef: ref, url } = valueOf(await payments.openHostedPage(input))
  await approve(url, 'approve')
  valueOf(await payments.readHostedPage(ref))
  const capture = { amountCents: input.amountCents, key: `capture:${named.reference}` }
  valueOf(await payments.captureCharge({ ref, ...capture }))
  return ref
}

/** A captured charge that its payer, or their bank, disputes on the sandbox's page. Returns its reference. */
export async function disputedCharge(
  { origin }: { origin: string },
  payments: PagePaymentProvider,
  { at = 0, reason = 'UNAUTHORISED', act = 'dispute' }: { at?: number; reason?: string; act?: string },
): Promise<string> {
  const ref = await capturedCharge(payments, { reference: `disputed-${at}` })
  await actOnDispute(origin, ref, { act, reason })
  return ref
}

/** Presses a button about the one capture of an order on the sandbox's page of it. */
export async function actOnDispute(
  origin: string,
  ref: string,
  { act, reason = '' }: { act: string; reason?: string },
): Promise<void> {
  const page = await (await fetch(`${origin}/paypal/orders/${ref}`)).text()
  const of = /name="of" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const response = await fetch(`${origin}/paypal/orders/${ref}/dispute`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ act, of, reason }),
    redirect: 'manual',
  })
  if (response.status !== 303) throw new Error(`The sandbox answered ${response.status} to ${act}.`)
}
