import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { fixedClock } from '#platform/clock.testing.ts'
import type { SandboxOptions } from './options.ts'
import type { WalletType } from './payments/wallet-people.ts'
import type { WalletAnswer } from './payments/wallet-scripts.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

export const testSecrets = {
  stripeSecretKey: 'sk_test_contract',
  webhookSecret: 'whsec_contract',
  easyPostKey: 'EZTK_contract',
  paypalClientId: 'paypal-contract-client',
  paypalClientSecret: 'paypal-contract-secret',
  paypalWebhookId: '1JE4291016473214C',
  carrierSecret: 'carrier-contract',
  fedExKey: 'l7contract',
  fedExSecret: 'fedex-contract',
  carsXeKey: 'carsxe-contract',
  wheelSizeKey: 'wheel-size-contract',
  identityClientSecret: 'identity-contract',
  idMeClientSecret: 'id-me-contract',
  supplierSecret: 'supplier-contract',
  supplierCallbackSecret: 'supplier-callback-contract',
  ediPassword: 'edi-contract',
  twilioAccountSid: 'AC0123456789abcdef0123456789abcdef',
  twilioAuthToken: 'twilio-contract',
  mailSigningKey: 'mailgun-contract',
  financingClientId: 'financing-contract',
  financingClientSecret: 'financing-secret-contract',
  financingWebhookSecret: 'financing-webhook-contract',
  resolveMerchantId: 'resolve-contract',
  resolveSecretKey: 'resolve-secret-contract',
  resolveWebhookSecret: 'resolve-webhook-contract',
}

/** The store's settings at the sandbox's EasyPost, but for the origin. */
export const easyPostTest = {
  apiKey: testSecrets.easyPostKey,
  webhookSecret: testSecrets.carrierSecret,
  phone: '8005550142',
}

/** The store's settings at the sandbox's PayPal, but for the origin. */
export const paypalTest = {
  clientId: testSecrets.paypalClientId,
  clientSecret: testSecrets.paypalClientSecret,
  webhookId: testSecrets.paypalWebhookId,
}

/** The store's settings at the sandbox's Resolve, but for the address. */
export const resolveTest = {
  merchantId: testSecrets.resolveMerchantId,
  secretKey: testSecrets.resolveSecretKey,
  webhookSecret: testSecrets.resolveWebhookSecret,
}

export type TestSandbox = Sandbox & {
  origin: string
  storeOrigin: string
  smtpUrl: string
  clock: ReturnType<typeof fixedClock>
  /** Advances the clock and does everything then due. */
  pass(duration: Temporal.DurationLike): Promise<void>
} & AsyncDisposable

/**
 * Starts a sandbox for one test at `ports`, or at a first port and the next one. The store listens at the third. Its
 * clock is fixed unless advanced, shipments move only manually, and data isn't persisted unless a file is given.
 */
export async function startTestSandbox(
  ports: number | { http: number; smtp: number; store: number },
  overrides: Partial<SandboxOptions> = {},
): Promise<TestSandbox> {
  const { http, smtp, store } = typeof ports === 'number' ? { http: ports, smtp: ports + 1, store: ports + 2 } : ports
  const clock = fixedClock('2026-06-15T12:00:00Z')
  const origin = `http://127.0.0.1:${http}`
  const storeOrigin = `http://127.0.0.1:${store}`
  const sandbox = createSandbox({
    ...testSecrets,
    port: http,
    smtpPort: smtp,
    host: '127.0.0.1',
    publicOrigin: origin,
    storeOrigin,
    webhookUrl: null,
    paypalWebhookUrl: null,
    carrierCallbackUrl: null,
    supplierUrl: null,
    financingUrl: null,
    resolveUrl: null,
    textsUrl: null,
    mailUrls: null,
    carrierPaceSeconds: 0,
    sftpPort: null,
    ediUsername: 'sidewall',
    smtpLogins: null,
    fedExProjects: `${testSecrets.fedExKey}:${testSecrets.fedExSecret}`,
    identityClientId: 'sidewall',
    hasDemoPeople: true,
    hasDemoStock: false,
    idMeClientId: 'sidewall-military',
    stallSeconds: 20,
    dataFile: ':memory:',
    // A client of the next test at this port would send into a kept-alive connection of this one.
    maxRequestsPerSocket: 1,
    clock,
    ...overrides,
  })
  await sandbox.start()
  return {
    ...sandbox,
    origin,
    storeOrigin,
    smtpUrl: `smtp://127.0.0.1:${smtp}`,
    clock,
    async pass(duration) {
      clock.set(clock.now().add(duration))
      await sandbox.catchUp()
    },
    async [Symbol.asyncDispose]() {
      await sandbox.stop()
    },
  }
}

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** A fake store that records requests and responds with the next of `statuses`, then 200. */
export async function startReceiver(
  port: number,
  statuses: number[] = [],
): Promise<{ received: Received[] } & AsyncDisposable> {
  const received: Received[] = []
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    received.push({ path: request.url ?? '', headers: request.headers, body: await text(request) })
    response.writeHead(statuses.shift() ?? 200).end()
  }
  const server = createServer((request, response) => void receive(request, response))
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Pays as the card fields' frame does. */
export async function payWithFields(
  sandbox: Pick<TestSandbox, 'origin' | 'storeOrigin'>,
  clientSecret: string,
  number: string,
): Promise<{ status: string; error?: string; url?: string }> {
  const response = await fetch(`${sandbox.origin}/fields/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: sandbox.origin },
    body: JSON.stringify({
      clientSecret,
      origin: sandbox.storeOrigin,
      number,
      expiry: '12/30',
      cvc: '123',
      zip: '60601',
    }),
  })
  return (await response.json()) as { status: string }
}

/** Pays as the sheet of a wallet does, with the wallet of one of `payments/wallet-people.ts`. */
export async function payWithWallet(
  sandbox: Pick<TestSandbox, 'origin'>,
  asked: { clientSecret: string; amount: number; wallet: WalletType; person: string; captureMethod?: string },
): Promise<WalletAnswer> {
  const response = await fetch(`${sandbox.origin}/wallets/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: sandbox.origin },
    body: JSON.stringify({ captureMethod: 'manual', ...asked }),
  })
  return (await response.json()) as WalletAnswer
}
