/** Tests that during a rotation, signatures by either secret are accepted, and no others. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { trackingToken } from '#domain/ordering/orders/order-access.server.ts'
import { firstPlacedOrder } from '#tests/support/database.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
import { knowsSignature, providerSettings, signedMessages } from '#tests/support/signed-messages.ts'
import { startStore } from '#tests/support/store.ts'
import { createVisitor } from '#tests/support/visitor.ts'
import { paths } from '#content/paths.ts'

const fresh = () => randomBytes(32).toString('hex')

test('provider messages, links, and profile keys work with both secrets', async () => {
  const providers = Object.keys(signedMessages).filter((name) => name !== 'STRIPE_WEBHOOK_SECRET')
  const pairs = Object.fromEntries([...providers, 'SESSION_SECRET'].map((name) => [name, [fresh(), fresh()] as const]))
  await using store = await startStore({
    env: {
      ...providerSettings('http://localhost:9'),
      ...Object.fromEntries(Object.entries(pairs).map(([name, both]) => [name, both.join(',')])),
    },
  })
  for (const name of providers) {
    const known: boolean[] = []
    for (const secret of [...(pairs[name] ?? []), fresh()]) known.push(await knowsSignature(store.origin, name, secret))
    expect(known, name).toEqual([true, true, false])
  }

  const orderId = await placeHomeOrder(store, createVisitor(), { email: 'either@example.com' })
  expect(orderId).toBeGreaterThanOrEqual(firstPlacedOrder)
  const statusOf = async (secret: string) => {
    const look = trackingToken(secret, orderId, Temporal.Now.instant())
    return (await fetch(store.origin + paths.trackResult(orderId, { look }), { redirect: 'manual' })).status
  }
  const [first = '', second = ''] = pairs['SESSION_SECRET'] ?? []
  expect(await statusOf(first)).toBe(200)
  expect(await statusOf(second)).toBe(200)
  expect(await statusOf(fresh())).not.toBe(200)

  const profile = (await (await fetch(`${store.origin}/.well-known/ucp`)).json()) as {
    keys?: unknown[]
    signing_keys?: unknown[]
  }
  expect((profile.keys ?? profile.signing_keys)?.length).toBe(2)
})
