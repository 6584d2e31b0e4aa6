/** The statements for erasing customers. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

export type Erasure = { id: string; reason: string; requestedAt: Temporal.Instant; requestedBy: string }

const columns = ['id', 'reason', 'requested_at as requestedAt', 'requested_by as requestedBy'] as const

/** Requests a customer's erasure; false if a request is already pending. */
export async function insertErasure(
  tx: Tx,
  request: { id: string; customerId: string; reason: string; by: string; at: Temporal.Instant },
): Promise<boolean> {
  const { id, customerId, reason, by, at } = request
  const made = await tx
    .insertInto('customer_erasure')
    .values({ id, customer_id: customerId, reason, requested_at: at, requested_by: by })
    // Written out, because a parameter matches no index once PostgreSQL keeps a plan for all parameters.
    .onConflict((conflict) => conflict.column('customer_id').where('state', '=', sql.lit('requested')).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Returns a customer's erasure request that is pending a second person; undefined without a request. */
export function selectErasure(db: Database, customerId: string): Promise<Erasure | undefined> {
  return db
    .selectFrom('customer_erasure')
    .select(columns)
    .where('customer_id', '=', customerId)
    .where('state', '=', 'requested')
    .executeTakeFirst()
}

export async function updateErasure(
  tx: Tx,
  { id, state, by, at }: { id: string; state: 'erased' | 'declined'; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx.updateTable('customer_erasure').set({ state, decided_at: at, decided_by: by }).where('id', '=', id).execute()
}

/** Removes what a customer and those merged into it say of a person; the rows stay for their orders. */
export async function eraseCustomerRows(tx: Tx, ids: readonly string[]): Promise<void> {
  const each = sql.join(ids.map((id) => sql`${id}::uuid`))
  await sql`
    update customer set email = 'erased-' || id || '@erased.invalid', name = 'Erased customer', phone = null, city = null, state_code = null, zip = null, version = version + 1
    where id in (${each})`.execute(tx)
  await sql`delete from customer_contact_change where customer_id in (${each})`.execute(tx)
  await sql`delete from customer_import where customer_id in (${each})`.execute(tx)
  await sql`delete from customer_note where customer_id in (${each})`.execute(tx)
  await sql`delete from customer_duplicate where customer_id in (${each}) or other_id in (${each})`.execute(tx)
}
