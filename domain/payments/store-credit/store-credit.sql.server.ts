/** The statements of store credit that staff give. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

export type CreditState = 'requested' | 'given' | 'declined'

/** Store credit granted or requested by staff, with recorded times and people. */
export type CreditGrant = {
  id: string
  /** Null once the account is deleted. */
  ownerId: string | null
  orderId: number | null
  cents: number
  reason: string | null
  state: CreditState
  requestedAt: Temporal.Instant
  requestedBy: string
  decidedBy: string | null
  takenBackCents: number | null
  takenBackAt: Temporal.Instant | null
  takenBackBy: string | null
  takenBackReason: string | null
}

const columns = [
  'id',
  'owner_id as ownerId',
  'order_id as orderId',
  'amount_cents as cents',
  'reason',
  'state',
  'requested_at as requestedAt',
  'requested_by as requestedBy',
  'decided_by as decidedBy',
  'taken_back_cents as takenBackCents',
  'taken_back_at as takenBackAt',
  'taken_back_by as takenBackBy',
  'taken_back_reason as takenBackReason',
] as const

type Row = Omit<CreditGrant, 'state'> & { state: string }
const grantOf = (row: Row): CreditGrant => ({ ...row, state: row.state as CreditState })

/** Inserts a pending grant, once per id; false if it exists. */
export async function insertCreditGrant(
  tx: Tx,
  grant: {
    id: string
    ownerId: string
    orderId: number | null
    cents: number
    reason: string
    by: string
    at: Temporal.Instant
  },
): Promise<boolean> {
  const { id, ownerId, orderId, cents, reason, by, at } = grant
  const made = await tx
    .insertInto('credit_grant')
    .values({
      id,
      owner_id: ownerId,
      order_id: orderId,
      amount_cents: cents,
      reason,
      state: 'requested',
      requested_at: at,
      requested_by: by,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Locks a grant until the transaction ends; undefined if it doesn't exist. */
export async function lockGrant(tx: Tx, id: string): Promise<CreditGrant | undefined> {
  const row = await tx.selectFrom('credit_grant').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && grantOf(row)
}

export async function selectGrant(db: Database, id: string): Promise<CreditGrant | undefined> {
  const row = await db.selectFrom('credit_grant').select(columns).where('id', '=', id).executeTakeFirst()
  return row && grantOf(row)
}

/** The last grants of accounts, newest first. */
export async function selectGrants(db: Database, ownerIds: readonly string[], limit: number): Promise<CreditGrant[]> {
  if (ownerIds.length === 0) return []
  const rows = await db
    .selectFrom('credit_grant')
    .select(columns)
    .where('owner_id', 'in', ownerIds)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(grantOf)
}

/** Selects grants pending a second person, longest pending first, excluding deleted accounts. */
export async function selectWaitingGrants(db: Database, limit: number): Promise<CreditGrant[]> {
  const rows = await db
    .selectFrom('credit_grant')
    .select(columns)
    .where('state', '=', 'requested')
    .where('owner_id', 'is not', null)
    .orderBy('requested_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(grantOf)
}

/** Decides a grant. */
export async function updateToDecided(
  tx: Tx,
  { id, state, by, at }: { id: string; state: 'given' | 'declined'; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx.updateTable('credit_grant').set({ state, decided_by: by, decided_at: at }).where('id', '=', id).execute()
}

/** Records a grant's reversal. */
export async function updateToTakenBack(
  tx: Tx,
  { id, cents, reason, by, at }: { id: string; cents: number; reason: string; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('credit_grant')
    .set({ taken_back_cents: cents, taken_back_at: at, taken_back_by: by, taken_back_reason: reason })
    .where('id', '=', id)
    .execute()
}

/** Exports staff entries about an account's credit, as plain data for JSON. */
export async function exportGrants(db: Database, ownerId: string): Promise<object[]> {
  const { rows } = await sql<{ grants: object[] }>`
    select coalesce(json_agg(json_build_object('at', requested_at, 'state', state, 'cents', amount_cents, 'why', reason,
      'takenBackCents', taken_back_cents, 'takenBackWhy', taken_back_reason) order by requested_at, id), '[]') as grants
    from credit_grant where owner_id = ${ownerId}::uuid`.execute(db)
  return rows[0]?.grants ?? []
}
