/** The tires and shops for a sample order, and the tires for the payment page check. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

export type Sample = {
  itemId: number
  quantity: number
  shop: string
  kind: 'shop' | 'van'
  street: string
  city: string
  state: string
  zip: string
}

/** For each of up to three shops that take appointments, the three tires with the most stock that their rims allow. */
export async function selectSamples(db: Database): Promise<Sample[]> {
  const { rows } = await sql<Sample>`
    with stocked as (
      select item_id, sum(on_hand)::int as units from stock where on_hand > 0 group by item_id order by units desc limit 500),
    shops as (select id, name, street, city, state, zip, kind, rim_min_in, rim_max_in from shop where active order by id limit 3)
    select tire.id as "itemId", least(4, tire.units) as quantity, street, city, state, shops.zip, shops.name as shop, shops.kind
    from shops, lateral (
      select item.id, units from stocked join item on item.id = item_id join size on size.id = item.size_id
      where item.active and retail_cents > 0 and size.rim_in between rim_min_in and rim_max_in
      order by units desc, item.id limit 3) as tire
    order by shops.id, units desc, tire.id`.execute(db)
  return rows
}

/** The IDs of up to three priced tires, those with the most stock first. */
export async function selectStockedTires(db: Database): Promise<number[]> {
  const { rows } = await sql<{ itemId: number }>`
    select item.id as "itemId" from (
      select item_id, sum(on_hand) as units from stock where on_hand > 0 group by item_id order by units desc limit 500) as stocked
    join item on item.id = stocked.item_id
    where item.active and item.retail_cents > 0 order by units desc, item.id limit 3`.execute(db)
  return rows.map(({ itemId }) => itemId)
}
