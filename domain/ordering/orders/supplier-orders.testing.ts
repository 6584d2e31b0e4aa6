/** A store with a supplier on the wire, against the sandbox's suppliers, for tests. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { createSupplierWire } from '#adapters/suppliers/suppliers.ts'
import { openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { startReceiver, testSecrets, type Received } from '#sandbox/test-sandbox.ts'
import { openInventory } from '#tests/support/inventory.ts'
import { sql } from 'kysely'
import { receiveSupplierMessage } from './orders.server.ts'

/** Who is billed. */
export const billed = { name: 'Sidewall', address: '100 Sample Street, Chicago, IL 60601' }

/** Opens the store with a supplier that holds every warehouse but one. Uses three ports, and a fourth for SFTP. */
export async function openWithSupplier(port: number, { sftpPort = null }: { sftpPort?: number | null } = {}) {
  const supplierUrl = `http://127.0.0.1:${port + 2}/webhooks/suppliers`
  const store = await openTestStore(port, { supplierUrl, sftpPort })
  const receiver = await startReceiver(port + 2)
  await store.db
    .insertInto('supplier')
    .values({ id: 91, code: 'RIDGE', name: 'Ridgeway Wholesale', network_id: 'RIDGEWAY' })
    .execute()
  await store.db.updateTable('warehouse').set({ supplier_id: 91, pool: 'local' }).where('id', '<>', 2).execute()
  await store.db.deleteFrom('part_stock').where('warehouse_id', '<>', 2).execute()
  await openInventory(store.db)
  const network = {
    url: `${store.sandbox.origin}/cxml`,
    identity: 'SIDEWALL-TEST',
    secret: testSecrets.supplierSecret,
    callbackSecret: testSecrets.supplierCallbackSecret,
    isTest: true,
  }
  const outgoing = createOutgoing({ trustedOrigin: store.sandbox.origin })
  const suppliers = createSupplierWire(network, {
    store: billed,
    outgoing,
    files: createOutgoing({ trustedOrigin: null, trustsThisMachine: true }),
    clock: store.clock,
    isTest: true,
  })
  const rateLimits = createRateLimits(store)
  return {
    ...store,
    suppliers,
    config: { session: { secret: 'a secret for tests only' } },
    outgoing,
    rateLimits,
    receiver,
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}
export type SupplierStore = Awaited<ReturnType<typeof openWithSupplier>>

/** Passes a message on to the store, and returns the code of its answer. */
export const codeOf = (store: SupplierStore, rawBody: string, from = 'network') =>
  receiveSupplierMessage(store, { rawBody, from }).then(({ code }) => code)

/** Passes what suppliers sent to the store, in order; answers with the codes. */
export async function deliver(store: SupplierStore, received: readonly Received[] = store.receiver.received) {
  const codes: number[] = []
  for (const { body } of received) codes.push(await codeOf(store, body))
  return codes
}

/** Advances the clock until suppliers respond. */
export async function answerFrom({ clock, sandbox }: TestStore): Promise<void> {
  clock.set(clock.now().add({ seconds: 3 }))
  await sandbox.catchUp()
}

/** Returns payloads of a task’s pending jobs, in order. */
export async function jobsOf({ db }: TestStore, task: string): Promise<Record<string, number>[]> {
  const { rows } = await sql<{ payload: Record<string, number> }>`
    select payload from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = ${task} order by job.id`.execute(db)
  return rows.map(({ payload }) => payload)
}

/** Returns the orders that the sandbox's suppliers have. */
export async function ordersAtSupplier({ sandbox }: TestStore) {
  const answer = await fetch(`${sandbox.origin}/suppliers/orders.json`)
  return ((await answer.json()) as { orders: { orderId: string; times: number; state: string }[] }).orders
}
