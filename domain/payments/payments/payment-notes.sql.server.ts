/** Notes on a charge, in addition to its state. */
import type { ChargedMethod } from '#domain/payments/payment-methods/payment-methods.ts'
import type { Database } from '#platform/db.ts'

/** Records whether the payer wants its card to be saved. */
export async function markSaving(db: Database, id: string, savesCard: boolean): Promise<void> {
  await db.updateTable('payment').set({ saves_card: savesCard }).where('id', '=', id).execute()
}

/** Records that the provider did not answer when a charge was opened. */
export async function noteUnanswered(db: Database, id: string, at: Temporal.Instant): Promise<void> {
  await db.updateTable('payment').set({ unanswered_at: at }).where('id', '=', id).execute()
}

/** Returns the methods with a provider that has not responded since an instant. */
export async function selectUnanswered(db: Database, since: Temporal.Instant): Promise<ChargedMethod[]> {
  const rows = await db.selectFrom('payment').select('method').distinct().where('unanswered_at', '>', since).execute()
  return rows.map(({ method }) => method as ChargedMethod)
}
