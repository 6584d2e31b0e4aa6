/** What a store does through each provider that it proves itself to: whether its own code is let in, web and worker. */
import { sql } from 'kysely'
import { paths } from '#content/paths.ts'
import { idMePeople } from '#sandbox/id-me/people.ts'
import { eventually } from '#tests/support/eventually.ts'
import { agree, callApi, fillHomeCart, oneTireItem, placeHomeOrder, succeed } from '#tests/support/order-by-api.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'
import { ways } from '../../simulation/month/ways.ts'

/** Throws where the provider does not let the store in. `round` sets one time apart from another. */
type Deed = (store: RunningStore, round: number) => Promise<void>

/** By the setting that is sent. */
const deeds: Readonly<Record<string, Deed>> = {
  STRIPE_SECRET_KEY: async (store, round) => captured(store, await buyByCard(store, round, 'stripe')),
  EASYPOST_API_KEY: async (store, round) => {
    const orderId = await buyByCard(store, round, 'easypost')
    await eventually('a label', () => hasLabel(store, orderId))
  },
  PAYPAL_CLIENT_SECRET: async (store) => captured(store, await payBy(store, createVisitor(), 'paypal')),
  FINANCING_CLIENT_SECRET: async (store) => void (await payBy(store, createVisitor(), 'loan')),
  RESOLVE_SECRET_KEY: async (store) => captured(store, await payBy(store, await signedIn(store, 'felix'), 'resolve')),
  FEDEX_SECRET_KEY: async (store, round) => {
    // Responses are cached for a day by ZIP code. Each web process is tested.
    for (const zip of zips[round] ?? []) {
      const visitor = createVisitor()
      const lines = [{ itemId: Number(await oneTireItem(store)), quantity: 4 }]
      await succeed(store, visitor, 'POST', '/cart', { lines, zip })
      const found = (await succeed(store, visitor, 'GET', '/cart/pickup-locations')) as unknown[]
      if (found.length === 0) throw new Error(`There is no place near ${zip}.`)
    }
  },
  CARSXE_API_KEY: async (store) => {
    const found = await succeed(store, createVisitor(), 'POST', '/vehicles/by-plate', { plate: 'CRV2019', state: 'IL' })
    if ((found as { model: string }).model !== 'cr-v') throw new Error('The plate has another vehicle.')
  },
  WHEEL_SIZE_API_KEY: async (store, round) => {
    // Answers are saved for a day, so each round has another vehicle.
    const year = 2010 + round
    await createVisitor().ask(
      store.origin + paths.find({ by: 'vehicle', year, make: 'honda', model: 'cr-v', trim: 'any' }),
    )
    const found = store.database.db.selectFrom('provided_sizes').select('year').where('year', '=', year)
    if (!(await found.executeTakeFirst())) throw new Error('The vehicle has no answer.')
  },
  OIDC_CLIENT_SECRET: async (store) => void (await signedIn(store, 'dana')),
  SMTP_URL: async (store, round) => {
    const email = `mail${round}@example.com`
    await placeHomeOrder(store, createVisitor(), { email, address1: `${round} Wells Street` })
    await eventually('a mail', async () => {
      const answer = await fetch(`${store.sandboxOrigin}/mailbox.json?to=${email}`)
      return ((await answer.json()) as { messages: unknown[] }).messages.length > 0
    })
  },
  ID_ME_CLIENT_SECRET: async (store) => {
    const visitor = await signedIn(store, 'noa')
    const begun = await visitor.follow(`${store.origin}/military/verify`, { form: { from: 'cart' } })
    const person = idMePeople.find(({ name }) => name === 'Ray Coleman')?.id ?? ''
    await visitor.follow(begun.url, { form: { person } })
    const { body } = await callApi(store, visitor, 'GET', '/users/me/military-verification')
    if ((body as { verification: unknown }).verification === null) throw new Error('Nothing was verified.')
    await succeed(store, visitor, 'DELETE', '/users/me/military-verification')
  },
  SUPPLIER_CXML_SECRET: async (store, round) => {
    const orderId = await orderFromSupplier(store, round)
    await eventually('an order that its supplier took', () => isSentToSupplier(store, orderId))
  },
}

/** Returns the settings that their provider refuses, with its message. */
export async function whatFails(
  store: RunningStore,
  round: number,
  names: readonly string[],
): Promise<Record<string, string>> {
  const failed: Record<string, string> = {}
  // Sequential because concurrent orders can get a busy response.
  for (const name of names) {
    const deed = deeds[name]
    if (!deed) throw new Error(`Nothing is done with ${name}.`)
    await deed(store, round).catch((error: unknown) => (failed[name] = String(error).slice(0, 300)))
  }
  return failed
}

/** Places an order of tires that only a supplier has. */
export async function orderFromSupplier(store: RunningStore, round: number): Promise<number> {
  const { db } = store.database
  const { id } = await db
    .selectFrom('item')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select('item.id')
    .where('item.active', '=', true)
    .where('warehouse.supplier_id', 'is not', null)
    .orderBy('item.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const own = db.selectFrom('warehouse').select('id').where('supplier_id', 'is', null)
  await db.updateTable('stock').set({ on_hand: 0 }).where('item_id', '=', id).where('warehouse_id', 'in', own).execute()
  await db.updateTable('warehouse').set({ pool: 'nationwide' }).where('supplier_id', 'is not', null).execute()
  const contact = { email: `supplied${round}@example.com`, address1: `${round} Clark Street` }
  return placeHomeOrder(store, createVisitor(), contact, { itemId: id })
}

/** Whether the purchase orders of an order were taken by the suppliers' network. */
export async function isSentToSupplier({ database }: RunningStore, orderId: number): Promise<boolean> {
  const sent = await database.db
    .selectFrom('purchase_order')
    .select('sent_at')
    .where('order_id', '=', orderId)
    .execute()
  return sent.length > 0 && sent.every(({ sent_at }) => sent_at !== null)
}

/** Whether the suppliers' network refused an order's purchase order. It is sent again later. */
export async function wasRefusedBySupplier({ database }: RunningStore, orderId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from graphile_worker.jobs
    join purchase_order on jobs.key like 'send-purchase-order:' || purchase_order.id || ':%'
    where purchase_order.order_id = ${orderId} and jobs.last_error is not null`.execute(database.db)
  return rows.length > 0
}

/** A round's ZIP codes, in cities that other tests don't use. */
const zips = [
  ['10001', '19103'],
  ['77002', '94103'],
  ['30303', '98101'],
]

function buyByCard(store: RunningStore, round: number, who: string): Promise<number> {
  return placeHomeOrder(store, createVisitor(), {
    email: `${who}${round}@example.com`,
    address1: `${round} Lake Street`,
  })
}

/** Pays for four tires that come home. Returns the order's id. */
async function payBy(store: RunningStore, visitor: Visitor, name: string): Promise<number> {
  const way = ways.find((one) => one.name === name)
  if (!way) throw new Error(`Nobody pays by ${name}.`)
  const email = `${name}@example.com`
  await fillHomeCart(store, visitor, { contact: { email }, billing: { poNumber: 'GD-1' } })
  await way.pay(store, visitor)
  const { agreedPrice } = (await succeed(store, visitor, 'GET', '/cart/price')) as { agreedPrice: string }
  return agree(store, visitor, agreedPrice)
}

async function captured({ database }: RunningStore, orderId: number): Promise<void> {
  await eventually(`the charge of ${orderId}`, async () => {
    const payment = await database.db
      .selectFrom('payment')
      .select('state')
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    return payment?.state === 'captured'
  })
}

async function hasLabel({ database }: RunningStore, orderId: number): Promise<boolean> {
  const parcels = await database.db
    .selectFrom('shipment')
    .select('tracking_number')
    .where('order_id', '=', orderId)
    .execute()
  return parcels.some(({ tracking_number }) => tracking_number !== null)
}

async function signedIn({ origin }: RunningStore, name: string): Promise<Visitor> {
  const visitor = createVisitor()
  await signInAt(origin, visitor, { email: `${name}@example.com` })
  const account = await visitor.ask(`${origin}/account`)
  await account.body?.cancel()
  if (account.status !== 200) throw new Error(`${name} is not signed in: ${account.status}.`)
  return visitor
}
