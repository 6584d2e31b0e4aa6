/** The statements for requests of the price guarantee. */
import { sql } from 'kysely'
import { storeFile, type Attachment } from '#domain/kernel/files/files.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { CaseState } from '#domain/aftercare/cases/cases.ts'

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
  state: CaseState
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

/** Up to `count` requests in a state, newest first, with numbers below `before`. */
export async function selectByState(
  db: Database,
  { state, before, count }: { state: CaseState; before: number | null; count: number },
): Promise<GuaranteeRequest[]> {
  const rows = await selectRequests(db)
    .where('request.state', '=', state)
    .$if(before !== null, (select) => select.where('request.id', '<', before ?? 0))
    .orderBy('request.id', 'desc')
    .limit(count)
    .execute()
  return rows.map(requestOf)
}

/** Open requests, longest waiting first. */
export async function selectOpenRequests(db: Database, limit: number): Promise<GuaranteeRequest[]> {
  const rows = await selectRequests(db).where(isOpen).orderBy('created_at').orderBy('request.id').limit(limit).execute()
  return rows.map(requestOf)
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
  return { ...row, state: row.state as CaseState }
}
