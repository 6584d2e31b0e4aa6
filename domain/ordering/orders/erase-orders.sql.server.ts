/** The statement that removes a person from their orders. Amounts, taxes and the ZIP stay, as tax records must. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** Removes names, streets, emails, phones and vehicles from these orders; returns the ids of their carts. */
export async function eraseOrderPeople(tx: Tx, orderIds: readonly number[]): Promise<string[]> {
  if (orderIds.length === 0) return []
  const ids = sql.join(orderIds)
  const { rows } = await sql<{ cartId: string }>`
    update sales_order set first_name = 'Erased', last_name = 'customer', company = null, address1 = 'Erased', address2 = null, instructions = null,
      email = 'erased-' || id || '@erased.invalid', phone = '0000000000', phone_extension = null, vehicle = null, vehicle_note = null,
      ship_to_name = case when fulfillment = 'home' then 'Erased customer' else ship_to_name end,
      ship_to_street = case when fulfillment = 'home' then 'Erased' else ship_to_street end,
      billing = billing || '{"name": "Erased customer", "address1": "Erased", "address2": null, "phone": "0000000000"}'
    where id in (${ids}) returning cart_id as "cartId"`.execute(tx)
  await sql`delete from order_vin where order_id in (${ids})`.execute(tx)
  await sql`delete from order_reply_draft where order_id in (${ids})`.execute(tx)
  // Labels show the name and address; their cost stays.
  const parcels = sql`select id from shipment where order_id in (${ids})`
  await sql`update shipment_label set ship_to = null where shipment_id in (${parcels})`.execute(tx)
  await sql`delete from shipment_label_file where shipment_id in (${parcels})`.execute(tx)
  return rows.map(({ cartId }) => cartId)
}

/**
 * Returns orders with everything entered for them, as plain data for JSON, with instants as PostgreSQL writes them: what
 * `exportOrders` returns for an account.
 */
export async function exportOrdersById(db: Database, orderIds: readonly number[]): Promise<object[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<{ orders: object[] }>`
    select coalesce(json_agg(to_jsonb(o) - array['customer_id', 'cart_id', 'buyer_id', 'company_id', 'dealer_shop_id', 'breakdown', 'confirmation_rules', 'fitment_verdict'] order by o.id), '[]') as orders
    from sales_order o where o.id in (${sql.join(orderIds)})`.execute(db)
  return rows[0]?.orders ?? []
}
