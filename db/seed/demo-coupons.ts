/** The demo's coupon, which any shopper may try: WELCOME10. */
import type { PoolClient } from 'pg'
import { insertRows } from '#db/insert-rows.ts'

const usesMost = 10_000

/** Inserts the coupon as of `now`; it runs for half a year. */
export async function loadCoupons(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const coupon = {
    id: 1,
    form_key: '00000000-0000-4000-8000-000000000101',
    code: 'WELCOME10',
    name: 'Welcome',
    kind: 'Percentage',
    amount: 10,
    funded_by: 'store',
    stacks: false,
    advertised: true,
    uses_most: usesMost,
    person_most: 1,
    starts_at: now.subtract({ hours: 24 * 7 }).toString(),
    ends_at: now.add({ hours: 24 * 180 }).toString(),
    created_by: 'sales@example.com',
    created_at: now.subtract({ hours: 24 * 8 }).toString(),
  }
  await insertRows(client, 'coupon', [coupon], 'id')
  await insertRows(client, 'coupon_tally', [{ coupon_id: coupon.id, uses_most: usesMost, uses: 0 }])
}
