import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePlacedOrder, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { insertOrderNote, lockOrder } from './order-life.sql.server.ts'
import { orderLife, shipmentLife, type OrderState, type ShipmentState } from './orders.ts'

const [port = 0] = await freePorts(3)

/** The pairs a function of the database allows, of all pairs of `states`. */
async function allowed(db: Database, name: 'order_may_move' | 'shipment_may_move', states: readonly string[]) {
  const { rows } = await sql<{ move: string }>`
    select was || ' > ' || becomes as move from unnest(${states}::text[]) as was, unnest(${states}::text[]) as becomes
    where ${sql.ref(name)}(was, becomes) order by 1`.execute(db)
  return rows.map(({ move }) => move)
}

test('the database allows exactly the moves of the code', async () => {
  await using store = await openTestStore(port)
  const orders = Object.entries(orderLife).flatMap(([from, acts]) =>
    [...new Set(Object.values(acts))].filter((to) => to !== from).map((to) => `${from} > ${to}`),
  )
  expect(await allowed(store.db, 'order_may_move', Object.keys(orderLife))).toEqual(orders.toSorted())
  const parcels = Object.entries(shipmentLife).flatMap(([from, tos]) => tos.map((to) => `${from} > ${to}`))
  expect(await allowed(store.db, 'shipment_may_move', Object.keys(shipmentLife))).toEqual(parcels.toSorted())
})

test('an update by hand to a state that cannot follow is refused, for every pair', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const tried = async (statement: ReturnType<typeof sql>) => {
    // Neither the other constraints nor the move that leads here count.
    const tx = await store.db.startTransaction().execute()
    try {
      await sql`set constraints all deferred`.execute(tx)
      await statement.execute(tx)
      return null
    } catch (error) {
      return violatedConstraint(error)
    } finally {
      await tx.rollback().execute()
    }
  }
  const setUp = async (table: 'sales_order' | 'shipment', from: string) => {
    await sql`alter table ${sql.ref(table)} disable trigger ${sql.ref(`${table}_life`)}`.execute(store.db)
    await (
      table === 'sales_order'
        ? sql`update sales_order set state = ${from}, confirm_by = cancel_until where id = ${orderId}::bigint`
        : sql`update shipment set state = ${from}, tracking_number = 'T', delivered_at = case when ${from} = 'delivered' then now() end where order_id = ${orderId}::bigint`
    ).execute(store.db)
    await sql`alter table ${sql.ref(table)} enable trigger ${sql.ref(`${table}_life`)}`.execute(store.db)
  }
  for (const from of Object.keys(shipmentLife) as ShipmentState[]) {
    await setUp('shipment', from)
    for (const to of Object.keys(shipmentLife) as ShipmentState[]) {
      if (to === from) continue
      const refusedBy = await tried(
        sql`update shipment set state = ${to}, delivered_at = case when ${to} in ('delivered') then now() else null end where order_id = ${orderId}::bigint`,
      )
      expect(refusedBy, `${from} ${to}`).toBe(shipmentLife[from].includes(to) ? null : 'shipment_life')
    }
  }
  await setUp('shipment', 'processed')
  for (const from of Object.keys(orderLife) as OrderState[]) {
    await setUp('sales_order', from)
    for (const to of Object.keys(orderLife) as OrderState[]) {
      if (to === from) continue
      const refusedBy = await tried(sql`update sales_order set state = ${to} where id = ${orderId}::bigint`)
      const may = Object.values(orderLife[from]).includes(to)
      expect(refusedBy, `${from} ${to}`).toBe(may ? null : 'sales_order_life')
    }
  }
})

test('an order can’t be canceled manually after shipment, or after release without confirmation', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const cancel = () => sql`update sales_order set state = 'canceled' where id = ${orderId}::bigint`.execute(store.db)
  await sql`update sales_order set released_at = cancel_until where id = ${orderId}::bigint`.execute(store.db)
  expect(await cancel().then(() => null, violatedConstraint)).toBe('sales_order_canceled_or_released')
  await sql`update shipment set state = 'pending-pickup', tracking_number = 'T' where order_id = ${orderId}::bigint`.execute(
    store.db,
  )
  await sql`update shipment set state = 'in-transit' where order_id = ${orderId}::bigint`.execute(store.db)
  expect(await cancel().then(() => null, violatedConstraint)).toBe('sales_order_canceled_unshipped')
})

test('writing references to an order doesn’t block, and changing the order waits', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const [holder, other] = [await store.db.startTransaction().execute(), await store.db.startTransaction().execute()]
  await lockOrder(holder, orderId)
  await sql`set local lock_timeout = '2s'`.execute(other)
  const at = store.clock.now()
  await insertOrderNote(other, { id: orderId, state: 'confirmed' }, { actor: 'store', at, note: 'Meanwhile' })
  await expect(lockOrder(other, orderId)).rejects.toThrow('lock timeout')
  await other.rollback().execute()
  await holder.rollback().execute()
})
