/** The tires and shops that a sample order is tried with. */
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
