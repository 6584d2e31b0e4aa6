/** The demo's draft of a new version of the fleets' price list, which staff can compare and test. */
import type { PoolClient } from 'pg'
import { insertRows } from '#db/insert-rows.ts'

/** Inserts the draft as of `now`. */
export async function loadPriceListDraft(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const draft = {
    id: 1,
    price_list_id: 2,
    form_key: '00000000-0000-4000-8000-000000000201',
    name: 'Next year',
    created_by: 'finance@example.com',
    created_at: now.toString(),
  }
  await insertRows(client, 'price_list_version', [draft], 'id')
  const entry = { version_id: draft.id, kind: 'percent-off', starts_at: now.toString() }
  await insertRows(client, 'price_list_entry', [
    { ...entry, line: 2, brand_id: null, rate_ppm: 90_000 },
    { ...entry, line: 3, brand_id: 1, rate_ppm: 120_000 },
  ])
}
