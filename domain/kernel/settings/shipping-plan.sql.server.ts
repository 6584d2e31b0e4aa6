/** The queries for shipping plans. Rows are only added. */
import { sql } from 'kysely'
import type { ShippingPlan } from '#domain/kernel/rates/rates.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { PlanChange } from './business-terms.ts'
import { storedPlan } from './shipping-plan-form.ts'

/** The limit of changes, because each process has all of them in memory. */
export const maxPlanChanges = 2_000

/** Every plan, oldest first. */
export async function selectPlans(db: Database): Promise<(PlanChange & { setBy: string })[]> {
  const rows = await db
    .selectFrom('shipping_plan')
    .select(['plan', 'valid_from as validFrom', 'set_by as setBy'])
    .orderBy('id')
    .limit(maxPlanChanges)
    .execute()
  return rows.map(({ plan, ...change }) => ({ plan: storedPlan.parse(plan), ...change }))
}

export async function insertPlan(
  tx: Tx,
  plan: ShippingPlan,
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('shipping_plan')
    .values({ plan: sql`${JSON.stringify(plan)}::jsonb`, valid_from: at, set_by: by })
    .execute()
}
