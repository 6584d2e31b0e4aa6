/** The demo's coupon, which any shopper may try: WELCOME10. */
import type { PoolClient } from 'pg'
import { draftCoupon, scheduleCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { couponDraftForm } from '#domain/catalog/coupons/coupons.ts'
import { staffEmail } from './accounts.ts'
import { accepted, byStaff, depsAt } from './seed-transaction.ts'

/** Schedules the coupon as of `now`; it runs for half a year. */
export async function loadCoupons(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const [deps, by] = [depsAt(client, now.subtract({ hours: 24 * 8 })), byStaff(staffEmail('sales'))]
  const draft = couponDraftForm.parse({
    formKey: '00000000-0000-4000-8000-000000000101',
    code: 'WELCOME10',
    name: 'Welcome',
    kind: 'Percentage',
    amount: '10',
    fundedBy: 'store',
    stacks: 'no',
    advertised: 'yes',
    usesMost: '10000',
    personMost: '1',
  })
  const id = accepted('The coupon', await draftCoupon(deps, by, draft))
  const times = { startsAt: now.subtract({ hours: 24 * 7 }), endsAt: now.add({ hours: 24 * 180 }) }
  accepted('The coupon', await scheduleCoupon(deps, by, { id, version: 1, ...times }))
}
