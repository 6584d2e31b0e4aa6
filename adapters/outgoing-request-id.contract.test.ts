/**
 * Calls to other companies carry the id of the request they serve, so that their support and ours can find the same
 * event.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { withRequestId } from '#platform/request-scope.ts'
import { createEasyPost } from './carriers/easypost.ts'
import { createOidcProvider } from './identity/oidc.ts'
import { createStripePayments } from './payments/stripe.ts'

/** A provider that refuses everything and records the request ids. */
async function startRecorder() {
  const ids: (string | undefined)[] = []
  const server = createServer((request, response) => {
    ids.push(request.headers['x-request-id']?.toString())
    request
      .resume()
      .on('end', () =>
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}'),
      )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    ids,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const place = { name: 'Dana', street: '1 Elm St', city: 'Chicago', state: 'IL', zip: '60614' }
const calls: Record<string, (origin: string) => Promise<unknown>> = {
  payments: (apiOrigin) =>
    createStripePayments({
      apiOrigin,
      secretKey: 'sk_test_x',
      webhookSecret: 'whsec_x',
      clock: systemClock,
    }).openCharge({
      amountCents: 100,
      reference: 'cart-1',
      email: null,
      key: 'key-1',
    }),
  carrier: (apiOrigin) =>
    createEasyPost({ apiOrigin, apiKey: 'EZTK_x', webhookSecret: 'secret', phone: '8005550142' }).prepare({
      reference: 'shipment-1',
      from: place,
      to: place,
      weightLb: 100,
    }),
  identity: (issuer) =>
    createOidcProvider({
      issuer,
      clientId: 'sidewall',
      clientSecret: 'secret',
      scope: 'openid',
      landingUrl: `${issuer}/landing`,
      resources: { api: `${issuer}/api`, mcp: `${issuer}/mcp`, ucp: issuer, admin: `${issuer}/api/admin` },
      editProfileUrl: null,
      changePasswordUrl: null,
      securityUrl: null,
      oneTap: null,
      approvalPrompt: null,
      assumeEmailVerified: false,
      secondFactorContexts: [],
      log: pino({ level: 'silent' }),
    }).begin({
      action: 'login',
      state: 's',
      nonce: 'n',
      codeVerifier: 'v'.repeat(43),
      sessionId: 'x',
      anonymousId: 'y',
    }),
}

test.for(Object.keys(calls))('%s', async (name) => {
  await using provider = await startRecorder()
  await withRequestId('request-for-this-test', async () => calls[name]?.(provider.origin))
  expect(provider.ids.length).toBeGreaterThan(0)
  expect(new Set(provider.ids)).toEqual(new Set(['request-for-this-test']))
  provider.ids.length = 0
  await calls[name]?.(provider.origin)
  expect(new Set(provider.ids)).toEqual(new Set([undefined]))
})
