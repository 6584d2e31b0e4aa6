/** Payments of one cart against the sandbox, for tests. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { createStripePayments } from '#adapters/payments/stripe.ts'
import { newId } from '#platform/ids.ts'
import { startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { openCharge, openHostedPage } from './payments.server.ts'

export const card = '4242424242424242'

/** Payments for one open cart; `webhookUrl` is where the provider posts its messages. */
export async function openTill(port: number, webhookUrl: string | null = null) {
  const database = await createTestDatabase()
  const sandbox = await startTestSandbox(port, { webhookUrl })
  const { clock } = sandbox
  const cartId = newId()
  await database.db
    .insertInto('cart')
    .values({ id: cartId, created_at: clock.now(), updated_at: clock.now() })
    .execute()
  const payments = createStripePayments({
    apiOrigin: sandbox.origin,
    secretKey: testSecrets.stripeSecretKey,
    webhookSecret: testSecrets.webhookSecret,
    clock,
  })
  return {
    db: database.db,
    clock,
    sandbox,
    payments,
    rateLimits: createRateLimits(database),
    cartId,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
export type Till = Awaited<ReturnType<typeof openTill>>

/** Payments in the same database, for a separate cart. */
export async function nextTo(till: Till): Promise<Till> {
  const cartId = newId()
  await till.db
    .insertInto('cart')
    .values({ id: cartId, created_at: till.clock.now(), updated_at: till.clock.now() })
    .execute()
  return { ...till, cartId }
}

export async function openFields(till: Till, amountCents = 76_614) {
  const opened = await openCharge(till, { cartId: till.cartId, amountCents, email: null })
  if (!opened.ok) throw new Error(opened.reason)
  return opened.value
}

export async function openPage(till: Till) {
  const opened = await openHostedPage(till, {
    cartId: till.cartId,
    amountCents: 76_614,
    email: null,
    description: '4 tires',
    returnUrl: 'http://127.0.0.1/back?payment={payment}',
    cancelUrl: 'http://127.0.0.1/back',
  })
  if (!opened.ok) throw new Error(opened.reason)
  return opened.value
}

export function payOnPage({ origin }: TestSandbox, url: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ number: card, expiry: '12/30', cvc: '123', zip: '60614', email: '' }),
  })
}
