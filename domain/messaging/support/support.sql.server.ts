/** The rows of support requests. */
import { sql } from 'kysely'
import { storeFile } from '#domain/kernel/files/files.server.ts'
import type { Attachment } from '#domain/kernel/files/files.server.ts'
import type { RequestState } from './support.ts'
import type { Database, Tx } from '#platform/db.ts'

export type NewRequest = {
  kind: 'contact' | 'lead'
  name: string
  email: string
  phone: string | null
  orderNumber: string | null
  subject: string
  message: string
  quantity: number | null
  vehicle: string | null
  size: string | null
  brand: string | null
  said: Buffer
  /** Null if started by staff. */
  networkKey: string | null
  at: Temporal.Instant
}
export type SupportRequest = Omit<NewRequest, 'said' | 'networkKey' | 'at'> & {
  id: number
  state: RequestState
  createdAt: Temporal.Instant
  closedAt: Temporal.Instant | null
  closedBy: string | null
  attachment: { name: string; contentType: string; size: number } | null
  /** The email of the staff member who looks after it. */
  assignedTo: string | null
  /** Since when the sender has been waiting for an answer; null while they have one. */
  waitingSince: Temporal.Instant | null
}

/** A literal, because with a parameter a generic plan cannot use the partial indexes. */
const isOpen = sql<boolean>`state = 'open'`

/** Stores the request; undefined if the same text is already open. */
export async function insertRequest(db: Database, request: NewRequest): Promise<number | undefined> {
  const { orderNumber, networkKey, at, ...same } = request
  const written = await db
    .insertInto('support_request')
    .values({
      ...same,
      order_number: orderNumber,
      network_key: networkKey,
      created_at: at,
      waiting_since: networkKey === null ? null : at,
    })
    .onConflict((conflict) => conflict.column('said').where(isOpen).doNothing())
    .returning('id')
    .executeTakeFirst()
  return written?.id
}

export async function insertAttachment(
  tx: Tx,
  requestId: number,
  file: Attachment,
  at: Temporal.Instant,
): Promise<void> {
  await tx
    .insertInto('support_attachment')
    .values({ request_id: requestId, name: file.name, file_key: await storeFile(tx, file, at) })
    .execute()
}

/**
 * Serializes senders until the transaction ends, so that counts are accurate. There are too few senders for contention.
 */
export async function queueUp(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('support_request'))`.execute(db)
}

/** Whether this text is already open. */
export async function isOpenAlready(db: Database, said: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('support_request')
    .select('id')
    .where('said', '=', said)
    .where(isOpen)
    .executeTakeFirst()
  return found !== undefined
}

/** Counts requests since an instant from a network or for an email address. Returns the larger count. */
export async function countSince(
  db: Database,
  from: { networkKey: string; email: string },
  since: Temporal.Instant,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select greatest(
      (select count(*) from support_request where network_key = ${from.networkKey} and created_at > ${since}),
      (select count(*) from support_request where email = ${from.email} and created_at > ${since}))::int as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export async function selectRequest(db: Database, id: number): Promise<SupportRequest | undefined> {
  const [row] = await selectRequests(db)
    .where('request.id', '=', id)
    .execute()
    .then((rows) => rows.map(requestOf))
  return row
}

/** Open requests, longest waiting first. */
export async function selectOpenRequests(db: Database, limit: number): Promise<SupportRequest[]> {
  const rows = await selectRequests(db).where(isOpen).orderBy('created_at').orderBy('request.id').limit(limit).execute()
  return rows.map(requestOf)
}

export async function selectAttachment(
  db: Database,
  requestId: number,
): Promise<{ name: string; key: string } | undefined> {
  return db
    .selectFrom('support_attachment')
    .select(['name', 'file_key as key'])
    .where('request_id', '=', requestId)
    .executeTakeFirst()
}

/** Closes a request in one of the given states; false if there isn't one. */
export async function updateToClosed(
  db: Database,
  { id, by, at, from }: { id: number; by: string; at: Temporal.Instant; from: readonly RequestState[] },
): Promise<boolean> {
  const closed = await db
    .updateTable('support_request')
    .set({ state: 'closed', closed_at: at, closed_by: by, network_key: null, waiting_since: null })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst()
  return closed !== undefined
}

export function selectRequests(db: Database) {
  return db
    .selectFrom('support_request as request')
    .leftJoin('support_attachment as attachment', 'attachment.request_id', 'request.id')
    .leftJoin('stored_file as file', 'file.key', 'attachment.file_key')
    .select([
      'request.id',
      'kind',
      'state',
      'request.name',
      'email',
      'phone',
      'order_number',
      'subject',
      'message',
      'quantity',
      'vehicle',
      'request.size',
      'brand',
      'created_at',
      'closed_at',
      'closed_by',
      'assigned_to',
      'waiting_since',
      'attachment.name as fileName',
      'file.content_type as fileType',
      'file.size as fileSize',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRequests>['execute']>>[number]

export function requestOf(row: Row): SupportRequest {
  const {
    order_number,
    created_at,
    closed_at,
    closed_by,
    assigned_to,
    waiting_since,
    fileName,
    fileType,
    fileSize,
    ...same
  } = row
  return {
    ...same,
    kind: row.kind as SupportRequest['kind'],
    state: row.state as RequestState,
    orderNumber: order_number,
    createdAt: created_at,
    closedAt: closed_at,
    closedBy: closed_by,
    assignedTo: assigned_to,
    waitingSince: waiting_since,
    attachment:
      fileName !== null && fileType !== null && fileSize !== null
        ? { name: fileName, contentType: fileType, size: fileSize }
        : null,
  }
}

/** Exports a verified email's requests, as plain data for JSON with attachment names. Empty for null. */
export async function exportQuestions(db: Database, email: string | null): Promise<object[]> {
  const { rows } = await sql<{ questions: object[] }>`
    select coalesce(json_agg(to_jsonb(asked) - array['id', 'said', 'network_key', 'closed_by', 'assigned_to', 'waiting_since']
      || jsonb_build_object('answers', (select coalesce(jsonb_agg(jsonb_build_object('at', reply.at, 'from', case reply.kind when 'in' then reply.author else 'the store' end, 'text', reply.body,
          'files', (select coalesce(jsonb_agg(file.name order by file.place), '[]') from support_reply_file file where file.reply_id = reply.id)) order by reply.id), '[]')
        from support_reply reply where reply.request_id = asked.id and reply.kind <> 'note'))
      || jsonb_build_object('attachment', (select file.name from support_attachment file where file.request_id = asked.id)) order by asked.id), '[]') as questions
    from support_request asked where lower(asked.email) = ${email}`.execute(db)
  return rows[0]?.questions ?? []
}
