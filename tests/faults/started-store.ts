/** The running product, with shoppers ready to submit their orders. */
import { sql } from 'kysely'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { orderKey } from '#domain/ordering/orders/order-access.server.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import {
  authorizeCharge,
  composeApplication,
  granted,
  prepareCart,
  stockPlenty,
  type Authorize,
  type ReadyCart,
} from './ready-cart.ts'

export type StartedStore = Awaited<ReturnType<typeof openStartedStore>>

export async function openStartedStore(options: Parameters<typeof startStore>[0] = {}) {
  // Its shoppers share a network and test cards.
  const { env = {} } = options
  const ofMany = { NETWORK_ATTEMPTS_FACTOR: '1000' }
  return openDoors(
    await startStore({
      ...options,
      env: async (...origins) => ({ ...ofMany, ...(typeof env === 'function' ? await env(...origins) : env) }),
    }),
  )
}

/** Prepares for shoppers. `store` may be restarted later, at the same addresses. */
export async function openDoors<
  Store extends Pick<RunningStore, 'origin' | 'sandboxOrigin'> & {
    database: Pick<TestDatabase, 'db' | 'url'>
  } & AsyncDisposable,
>(store: Store) {
  const { db } = store.database
  // These tests are not about the checkout pages, so shoppers use the use cases directly, with the same database and
  // sandbox.
  const app = composeApplication(
    store.database.url,
    {},
    { size: 4, env: { SANDBOX_ORIGIN: store.sandboxOrigin, PUBLIC_ORIGIN: store.origin } },
  )
  const itemId = await stockPlenty(db)
  const near = granted(
    await findShopsNear(app, {
      near: { zip: '60614' },
      tires: [{ quantity: 4, rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' }],
    }),
  )

  const payWith =
    (card: string): Authorize =>
    async ({ clientSecret }) => {
      const answer = await payWithFields({ origin: store.sandboxOrigin, storeOrigin: store.origin }, clientSecret, card)
      if (answer.status !== 'authorized') throw new Error(answer.error)
    }

  return {
    ...store,
    db,
    itemId,
    payments: app.payments,
    /** A cart ready to submit, with the card authorized by the sandbox. With `homeStreet` the tires go to a home. */
    prepare: (
      email?: string,
      card = '4242424242424242',
      homeStreet?: string,
      pickupWarehouseId?: number,
    ): Promise<ReadyCart> =>
      prepareCart(
        app,
        {
          lines: [{ itemId, quantity: 4, axle: 'all' }],
          zip: '60614',
          ...(pickupWarehouseId
            ? { pickupWarehouseId }
            : homeStreet
              ? { street: homeStreet }
              : { install: { shopId: near.at(-1)?.id ?? 0, kind: 'shop' } }),
          ...(email ? { email } : {}),
        },
        payWith(card),
      ),
    /** Pays again for a cart after its charge was voided. */
    pay: ({ cartId, totalCents }: ReadyCart) =>
      authorizeCharge(app, { cartId, totalCents }, payWith('4242424242424242')),
    /** Submits the order to this process; returns the order number if it was placed, otherwise the status. */
    async press(
      { press }: ReadyCart,
      at = store.origin,
    ): Promise<{ orderId: number } | { status: number; text: string }> {
      const answer = await fetch(`${at}/checkout/order-summary`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: store.origin, cookie: `sw_cart=${press.cartId}` },
        body: new URLSearchParams({ agreed: press.agreedPrice, terms: '1', conditions: '1' }),
      })
      const order = /order-confirmation\?order=(\d+)/.exec(answer.headers.get('location') ?? '')?.[1]
      return order === undefined ? { status: answer.status, text: await answer.text() } : { orderId: Number(order) }
    },
    /** The key in the order's mails, which opens its pages in any browser. */
    keyOf: (orderId: number) => orderKey(app.config.session.secret, orderId, app.clock.now()),
    ordersOf: async ({ cartId }: ReadyCart) =>
      (await db.selectFrom('sales_order').select('id').where('cart_id', '=', cartId).execute()).map(({ id }) => id),
    /** The states of the cart's charges. */
    chargesOf: async ({ cartId }: ReadyCart) =>
      (await db.selectFrom('payment').select('state').where('cart_id', '=', cartId).execute()).map(
        ({ state }) => state,
      ),
    /** Resolves when this many statements wait for a lock. */
    someoneWaits: (count = 1) =>
      eventually('statement that waits', async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name like 'sidewall%'`.execute(
          db,
        )
        return rows.length >= count
      }),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** Holds a database lock until disposed. */
export async function holdLock(db: RunningStore['database']['db'], statement: string): Promise<AsyncDisposable> {
  const tx = await db.startTransaction().execute()
  await sql.raw(statement).execute(tx)
  return {
    async [Symbol.asyncDispose]() {
      await tx.rollback().execute()
    },
  }
}
