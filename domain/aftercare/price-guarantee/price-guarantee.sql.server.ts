/** The statements for requests of the price guarantee. */
import { sql } from 'kysely'
import { storeFile } from '#domain/kernel/files/files.server.ts'
import type { Attachment } from '#domain/kernel/files/files.server.ts'
import type { GuaranteeState } from './price-guarantee.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'
import { guaranteeLife } from './price-guarantee.ts'

export type NewGuaranteeRequest = {
  orderId: number | null
  email: string
  zip: string | null
  itemId: number
  tire: string
  quantity: number
  ourEachCents: number
  competitor: string
  offerUrl: string
  theirEachCents: number
  includesInstallation: boolean
  seenOn: Temporal.PlainDate
  said: Buffer
  networkKey: string
  at: Temporal.Instant
}

export type GuaranteeRequest = Omit<NewGuaranteeRequest, 'said' | 'networkKey' | 'at' | 'seenOn'> & {
  id: number
  state: GuaranteeState
  seenOn: string
  createdAt: Temporal.Instant
  decidedAt: Temporal.Instant | null
  decidedBy: string | null
  differenceCents: number | null
  refusal: string | null
  fileName: string | null
}

/** A literal, because with a parameter a generic plan cannot use the partial indexes. */
const isOpen = sql<boolean>`state = 'open'`

/**
 * Serializes senders until the transaction ends, so that counts are accurate. There are too few senders for contention.
 */
export async function queueUp(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('price_guarantee_request'))`.execute(tx)
}

/** The open request with the same content, if any. */
export async function findOpenAlready(db: Database, said: Buffer): Promise<number | undefined> {
  const found = await db
    .selectFrom('price_guarantee_request')
    .select('id')
    .where('said', '=', said)
    .where(isOpen)
    .executeTakeFirst()
  return found?.id
}

/** Counts requests since an instant from a network or for an email address. Returns the larger count. */
export async function countSince(
  db: Database,
  from: { networkKey: string; email: string },
  since: Temporal.Instant,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select greatest(
      (select count(*) from price_guarantee_request where network_key = ${from.networkKey} and created_at > ${since}),
      (select count(*) from price_guarantee_request where email = ${from.email} and created_at > ${since}))::int as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Stores a request with its file, and returns its id. */
export async function insertRequest(tx: Tx, request: NewGuaranteeRequest, file: Attachment | null): Promise<number> {
  const { id } = await tx
    .insertInto('price_guarantee_request')
    .values({
      order_id: request.orderId,
      email: request.email,
      zip: request.zip,
      item_id: request.itemId,
      tire: request.tire,
      quantity: request.quantity,
      our_each_cents: request.ourEachCents,
      competitor: request.competitor,
      offer_url: request.offerUrl,
      their_each_cents: request.theirEachCents,
      includes_installation: request.includesInstallation,
      seen_on: request.seenOn.toString(),
      said: request.said,
      network_key: request.networkKey,
      created_at: request.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (file)
    await tx
      .insertInto('price_guarantee_file')
      .values({ request_id: id, name: file.name, file_key: await storeFile(tx, file, request.at) })
      .execute()
  return id
}

export async function selectRequest(db: Database, id: number): Promise<GuaranteeRequest | undefined> {
  const row = await selectRequests(db).where('request.id', '=', id).executeTakeFirst()
  return row && requestOf(row)
}

/** Open requests, longest waiting first. */
/** Up to `count` requests in a state, newest first, with numbers below `before`. */
export async function selectByState(
  db: Database,
  { state, before, count }: { state: GuaranteeState; before: number | null; count: number },
): Promise<GuaranteeRequest[]> {
  const rows = await selectRequests(db)
    .where('request.state', '=', state)
    .$if(before !== null, (select) => select.where('request.id', '<', before ?? 0))
    .orderBy('request.id', 'desc')
    .limit(count)
    .execute()
  return rows.map(requestOf)
}

export async function selectOpenRequests(db: Database, limit: number): Promise<GuaranteeRequest[]> {
  const rows = await selectRequests(db).where(isOpen).orderBy('created_at').orderBy('request.id').limit(limit).execute()
  return rows.map(requestOf)
}

/** Locks a request until the transaction ends and reads it again. */
export async function lockRequest(tx: Tx, id: number): Promise<GuaranteeRequest | undefined> {
  await tx.selectFrom('price_guarantee_request').select('id').where('id', '=', id).forUpdate().execute()
  return selectRequest(tx, id)
}

/** Whether another request for the same article of an order is approved. */
export async function hasApproved(tx: Tx, { orderId, itemId }: { orderId: number; itemId: number }): Promise<boolean> {
  const found = await tx
    .selectFrom('price_guarantee_request')
    .select('id')
    .where('order_id', '=', orderId)
    .where('item_id', '=', itemId)
    .where('state', '=', 'approved')
    .executeTakeFirst()
  return found !== undefined
}

/** The decision on a request, with the refunded difference or the refusal reason. */
export type Decision = { by: string; at: Temporal.Instant } & (
  | { state: 'approved'; differenceCents: number }
  | { state: 'refused'; refusal: string }
)

/** Stores a decision and deletes the network key. False if the request is decided already. */
export async function updateToDecided(tx: Tx, id: number, decision: Decision): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('price_guarantee_request')
    .set({
      state: decision.state,
      decided_at: decision.at,
      decided_by: decision.by,
      network_key: null,
      ...(decision.state === 'approved'
        ? { difference_cents: decision.differenceCents }
        : { refusal: decision.refusal }),
    })
    .where('id', '=', id)
    .where('state', 'in', statesBefore(guaranteeLife, decision.state))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function selectFile(db: Database, id: number): Promise<{ name: string; key: string } | undefined> {
  return db
    .selectFrom('price_guarantee_file')
    .select(['name', 'file_key as key'])
    .where('request_id', '=', id)
    .executeTakeFirst()
}

/** Exports a verified email's requests, as plain data for JSON with file names. Empty for null. */
export async function exportGuaranteeRequests(db: Database, email: string | null): Promise<object[]> {
  const { rows } = await sql<{ requests: object[] }>`
    select coalesce(json_agg(to_jsonb(asked) - array['id', 'said', 'network_key', 'decided_by']
      || jsonb_build_object('file', (select file.name from price_guarantee_file file where file.request_id = asked.id)) order by asked.id), '[]') as requests
    from price_guarantee_request asked where lower(asked.email) = ${email}`.execute(db)
  return rows[0]?.requests ?? []
}

function selectRequests(db: Database) {
  return db
    .selectFrom('price_guarantee_request as request')
    .leftJoin('price_guarantee_file as file', 'file.request_id', 'request.id')
    .select([
      'request.id',
      'request.state',
      'request.order_id as orderId',
      'request.email',
      'request.zip',
      'request.item_id as itemId',
      'request.tire',
      'request.quantity',
      'request.our_each_cents as ourEachCents',
      'request.competitor',
      'request.offer_url as offerUrl',
      'request.their_each_cents as theirEachCents',
      'request.includes_installation as includesInstallation',
      'request.seen_on as seenOn',
      'request.created_at as createdAt',
      'request.decided_at as decidedAt',
      'request.decided_by as decidedBy',
      'request.difference_cents as differenceCents',
      'request.refusal',
      'file.name as fileName',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRequests>['execute']>>[number]

function requestOf(row: Row): GuaranteeRequest {
  return { ...row, state: row.state as GuaranteeState }
}
