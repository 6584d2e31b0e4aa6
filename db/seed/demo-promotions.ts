/** The demo's draft of a promotion, which staff can test against a cart and schedule. Those that run are in promotions.ts. */
import type { PoolClient } from 'pg'
import { insertRows } from '#db/insert-rows.ts'
import type { CatalogCache } from './load-catalog.ts'

/** Inserts the draft as of `now`, on the last brand of the catalog. */
export async function loadPromotionDraft(
  client: PoolClient,
  { lines }: Pick<CatalogCache, 'lines'>,
  now: Temporal.Instant,
): Promise<void> {
  const brand = lines.at(-1)?.brand
  if (!brand) return
  const draft = {
    id: 1,
    form_key: '00000000-0000-4000-8000-000000000401',
    name: 'New Year',
    headline: `10% off every ${brand.name} tire`,
    kind: 'Percentage',
    amount: 10,
    brand_id: brand.id,
    funded_by: 'maker',
    created_by: 'sales@example.com',
    created_at: now.subtract({ hours: 26 }).toString(),
  }
  await insertRows(client, 'promotion_plan', [draft], 'id')
}
