/** The statements for orders that wait for an approval. */
import { sql } from 'kysely'
import type { ApprovalState } from './approvals.ts'
import type { Database, Tx } from '#platform/db.ts'

export type ApprovalRequest = {
  id: string
  companyId: string
  cartId: string
  state: ApprovalState
  agreedPrice: string
  totalCents: number
  conditionsAccepted: boolean
  requestedAt: Temporal.Instant
  expiresAt: Temporal.Instant
  decidedAt: Temporal.Instant | null
  reason: string | null
  orderId: number | null
  requestedBy: string | null
  requester: string | null
  requesterEmail: string | null
  decidedBy: string | null
  decider: string | null
}

function requests(db: Database) {
  return db
    .selectFrom('order_approval as request')
    .leftJoin('account as requester', 'requester.id', 'request.requested_by')
    .leftJoin('account as decider', 'decider.id', 'request.decided_by')
    .select((eb) => [
      'request.id',
      'request.company_id as companyId',
      'request.cart_id as cartId',
      'request.state',
      'request.agreed_price as agreedPrice',
      'request.total_cents as totalCents',
      'request.conditions_accepted as conditionsAccepted',
      'request.requested_at as requestedAt',
      'request.expires_at as expiresAt',
      'request.decided_at as decidedAt',
      'request.reason',
      'request.order_id as orderId',
      'request.requested_by as requestedBy',
      eb.fn.coalesce('requester.name', 'requester.email').as('requester'),
      'requester.email as requesterEmail',
      'request.decided_by as decidedBy',
      eb.fn.coalesce('decider.name', 'decider.email').as('decider'),
    ])
}

/** The schema's checks justify the narrower string types used here. */
function toRequest(row: Omit<ApprovalRequest, 'state'> & { state: string }): ApprovalRequest {
  return { ...row, state: row.state as ApprovalState }
}

export async function selectRequest(db: Database, id: string): Promise<ApprovalRequest | undefined> {
  const row = await requests(db).where('request.id', '=', id).executeTakeFirst()
  return row && toRequest(row)
}

/** Returns a cart's pending request. */
export async function selectWaiting(db: Database, cartId: string): Promise<ApprovalRequest | undefined> {
  const row = await requests(db)
    .where('request.cart_id', '=', cartId)
    .where('request.state', '=', 'waiting')
    .executeTakeFirst()
  return row && toRequest(row)
}

/** The requests of a company, or of one of its people, waiting ones first, then the latest. */
export async function selectRequests(
  db: Database,
  { companyId, requestedBy, limit }: { companyId: string; requestedBy: string | null; limit: number },
): Promise<ApprovalRequest[]> {
  const rows = await requests(db)
    .where('request.company_id', '=', companyId)
    .$if(requestedBy !== null, (select) => select.where('request.requested_by', '=', requestedBy))
    .orderBy(sql`request.state <> 'waiting'`)
    .orderBy('request.requested_at', 'desc')
    .orderBy('request.id')
    .limit(limit)
    .execute()
  return rows.map(toRequest)
}

/** Locks a request until the transaction ends, and returns its state as of the lock. */
export async function lockRequest(
  tx: Tx,
  id: string,
): Promise<{ state: ApprovalState; cartId: string; expiresAt: Temporal.Instant } | undefined> {
  const row = await tx
    .selectFrom('order_approval')
    .select(['state', 'cart_id as cartId', 'expires_at as expiresAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, state: row.state as ApprovalState }
}

export async function insertRequest(
  tx: Tx,
  request: Pick<
    ApprovalRequest,
    'id' | 'companyId' | 'cartId' | 'agreedPrice' | 'totalCents' | 'conditionsAccepted' | 'requestedAt' | 'expiresAt'
  > & { requestedBy: string },
): Promise<void> {
  await tx
    .insertInto('order_approval')
    .values({
      id: request.id,
      company_id: request.companyId,
      cart_id: request.cartId,
      requested_by: request.requestedBy,
      agreed_price: request.agreedPrice,
      total_cents: request.totalCents,
      conditions_accepted: request.conditionsAccepted,
      terms_accepted_at: request.requestedAt,
      requested_at: request.requestedAt,
      expires_at: request.expiresAt,
    })
    .execute()
}

/** Ends a waiting request; the caller has locked it. */
export async function endRequest(
  tx: Tx,
  id: string,
  end: {
    state: Exclude<ApprovalState, 'waiting'>
    by: string | null
    at: Temporal.Instant
    reason?: string
    orderId?: number
  },
): Promise<void> {
  await tx
    .updateTable('order_approval')
    .set({
      state: end.state,
      decided_by: end.by,
      decided_at: end.at,
      reason: end.reason ?? null,
      order_id: end.orderId ?? null,
    })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Selects pending requests that expire by `at`, up to `limit`. */
export async function selectOver(db: Database, at: Temporal.Instant, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('order_approval')
    .select('id')
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', at)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The waiting requests of an account. */
export async function selectWaitingOf(db: Database, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('order_approval')
    .select('id')
    .where('state', '=', 'waiting')
    .where('requested_by', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes requests that became no order and ended before a time; returns how many. */
export async function forgetOldRequests(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('order_approval')
    .where('decided_at', '<', before)
    .where('order_id', 'is', null)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** What an account asked for and decided, as plain data for JSON. */
export async function exportApprovals(db: Database, accountId: string): Promise<object[]> {
  const { rows } = await sql<{ approvals: object[] }>`
    select coalesce(json_agg(json_build_object('requestedAt', requested_at, 'state', state, 'totalCents', total_cents, 'decidedAt', decided_at,
      'reason', reason, 'orderId', order_id, 'askedByYou', coalesce(requested_by = ${accountId}::uuid, false), 'decidedByYou', coalesce(decided_by = ${accountId}::uuid, false))
      order by requested_at, id), '[]') as approvals
    from order_approval where requested_by = ${accountId}::uuid or decided_by = ${accountId}::uuid`.execute(db)
  return rows[0]?.approvals ?? []
}
