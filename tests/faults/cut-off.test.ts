/**
 * The running product is killed during a submission that is never repeated: the worker cleans up within a minute of the
 * restart, in real time.
 */
import { expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { holdLock, openStartedStore } from './started-store.ts'

test(
  'a charge whose submission was cut off is voided within a minute, and the next click leads back to payment',
  { timeout: 180_000 },
  async () => {
    await using store = await openStartedStore()
    const cart = await store.prepare()
    {
      // The second to last table of an order. Everything is rolled back with the connection.
      await using _lock = await holdLock(store.db, 'lock table ledger_entry in exclusive mode')
      const lost = store.press(cart).catch((error: unknown) => error)
      await store.someoneWaits()
      await store.kill('web')
      expect(await lost).toBeInstanceOf(Error)
    }
    await store.revive('web')
    const { provider_ref } = await store.db
      .selectFrom('payment')
      .select('provider_ref')
      .where('cart_id', '=', cart.cartId)
      .executeTakeFirstOrThrow()
    const stateThere = async () => {
      const answer = await fetch(`${store.sandboxOrigin}/v1/payment_intents/${provider_ref}`, {
        headers: { authorization: 'Bearer sk_test_sidewall' },
      })
      return ((await answer.json()) as { status: string }).status
    }
    expect(await stateThere()).toBe('requires_capture')
    await eventually('voided charge', async () => (await stateThere()) === 'canceled', 60)

    expect(await store.press(cart)).not.toHaveProperty('orderId')
    expect(await store.ordersOf(cart)).toEqual([])
    expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
  },
)
