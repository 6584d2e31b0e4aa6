/** The statements for the steps of a shop's set-up. */
import type { Database, Tx } from '#platform/db.ts'
import type { SetUpStep } from './set-up.ts'

/** The steps that were saved. */
export async function selectSavedSteps(db: Database, shopId: number): Promise<string[]> {
  const rows = await db.selectFrom('shop_set_up_step').select('step').where('shop_id', '=', shopId).execute()
  return rows.map(({ step }) => step)
}

/** Notes that a step was saved, by whom and when. */
export async function upsertStep(
  tx: Tx,
  { shopId, step, at, by }: { shopId: number; step: SetUpStep | 'opened'; at: Temporal.Instant; by: string },
): Promise<void> {
  await tx
    .insertInto('shop_set_up_step')
    .values({ shop_id: shopId, step, done_at: at, done_by: by })
    .onConflict((conflict) => conflict.columns(['shop_id', 'step']).doUpdateSet({ done_at: at, done_by: by }))
    .execute()
}

/** A step has to be saved again. */
export async function deleteStep(tx: Tx, shopId: number, step: SetUpStep): Promise<void> {
  await tx.deleteFrom('shop_set_up_step').where('shop_id', '=', shopId).where('step', '=', step).execute()
}
