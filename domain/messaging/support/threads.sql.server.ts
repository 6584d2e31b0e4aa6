/** Queries for threads, with messages after the original request, and the assignee. */
import { sql } from 'kysely'
import { storeFiles } from '#domain/kernel/files/files.server.ts'
import { requestOf, selectRequests, type SupportRequest } from './support.sql.server.ts'
import type { RequestState } from './support.ts'
import type { Attachment } from '#domain/kernel/files/files.server.ts'
import type { Database, Tx } from '#platform/db.ts'

export type ReplyKind = 'out' | 'in' | 'note'
/** The channel of a reply; not applicable to a note. */
export type ReplyChannel = 'email' | 'text'
export type Reply = {
  id: number
  kind: ReplyKind
  author: string
  body: string
  at: Temporal.Instant
  files: { place: number; name: string; contentType: string; size: number }[]
}

/** Locks a request until the transaction ends; undefined if it doesn't exist. */
export async function lockRequest(
  tx: Tx,
  id: number,
): Promise<{ state: RequestState; email: string; assignedTo: string | null } | undefined> {
  const row = await tx
    .selectFrom('support_request')
    .select(['state', 'email', 'assigned_to as assignedTo'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, state: row.state as RequestState }
}

/** Adds to a thread; undefined if `onceKey` is there already. */
export async function insertReply(
  tx: Tx,
  reply: {
    requestId: number
    kind: ReplyKind
    channel?: ReplyChannel
    author: string
    body: string
    onceKey: string
    at: Temporal.Instant
  },
): Promise<number | undefined> {
  const written = await tx
    .insertInto('support_reply')
    .values({
      request_id: reply.requestId,
      kind: reply.kind,
      channel: reply.channel ?? 'email',
      author: reply.author,
      body: reply.body,
      once_key: reply.onceKey,
      at: reply.at,
    })
    .onConflict((conflict) => conflict.column('once_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return written?.id
}

export async function insertReplyFiles(
  tx: Tx,
  replyId: number,
  files: readonly Attachment[],
  at: Temporal.Instant,
): Promise<void> {
  if (files.length === 0) return
  const keys = await storeFiles(tx, files, at)
  await tx
    .insertInto('support_reply_file')
    .values(
      keys.map((key, index) => ({
        reply_id: replyId,
        place: index + 1,
        name: files[index]?.name ?? '',
        file_key: key,
      })),
    )
    .execute()
}

/** Sets the time since which the sender needs a reply; null when answered. */
export async function updateWaiting(tx: Tx, id: number, since: Temporal.Instant | null): Promise<void> {
  await tx.updateTable('support_request').set({ waiting_since: since }).where('id', '=', id).execute()
}

export async function updateAssigned(tx: Tx, id: number, to: string | null): Promise<void> {
  await tx.updateTable('support_request').set({ assigned_to: to }).where('id', '=', id).execute()
}

/** Reopens a closed request, marking it as needing a reply. Throws on `support_request_said_once` for a duplicate. */
export async function updateToOpen(tx: Tx, id: number, at: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('support_request')
    .set({ state: 'open', closed_at: null, closed_by: null, waiting_since: at })
    .where('id', '=', id)
    .execute()
}

/** A thread's replies, oldest first, their files without the bytes. */
export async function selectReplies(db: Database, requestId: number): Promise<Reply[]> {
  const { rows } = await sql<Omit<Reply, 'at'> & { at: Temporal.Instant }>`
    select id::int, kind, author, body, at, (
      select coalesce(json_agg(json_build_object('place', named.place, 'name', name, 'contentType', content_type, 'size', size) order by named.place), '[]')
      from support_reply_file named join stored_file file on file.key = named.file_key where reply_id = support_reply.id) as files
    from support_reply where request_id = ${requestId}::bigint order by id limit 500`.execute(db)
  return rows
}

/** Returns the reply with this id, with its request and the sender's address; undefined if it doesn't exist. */
export async function selectReply(
  db: Database,
  id: number,
): Promise<{ requestId: number; body: string; kind: string } | undefined> {
  return db
    .selectFrom('support_reply')
    .select(['request_id as requestId', 'body', 'kind'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A file of a reply in a thread; undefined if it is not in that thread. */
export async function selectReplyFile(
  db: Database,
  { requestId, replyId, place }: { requestId: number; replyId: number; place: number },
): Promise<{ name: string; key: string } | undefined> {
  return db
    .selectFrom('support_reply_file as file')
    .innerJoin('support_reply as reply', 'reply.id', 'file.reply_id')
    .select(['file.name', 'file.file_key as key'])
    .where('reply.request_id', '=', requestId)
    .where('reply.id', '=', replyId)
    .where('file.place', '=', place)
    .executeTakeFirst()
}

/** The requests in a list. `waiting` is sorted by waiting time, longest first; the others are newest first. */
export type RequestList = {
  show: 'waiting' | 'open' | 'closed'
  kind: 'contact' | 'lead' | null
  assignedTo: string | null
}
/** The start of the next page. */
export type RequestCursor = { id: number; waitingSince: Temporal.Instant | null }

export async function selectRequestPage(
  db: Database,
  { show, kind, assignedTo }: RequestList,
  after: RequestCursor | null,
  limit: number,
): Promise<SupportRequest[]> {
  const isWaiting = show === 'waiting'
  const ofState = isWaiting
    ? sql<boolean>`request.waiting_since is not null`
    : show === 'open'
      ? sql<boolean>`state = 'open'`
      : sql<boolean>`state = 'closed'`
  const past =
    after === null
      ? null
      : isWaiting
        ? sql<boolean>`(request.waiting_since, request.id) > (${after.waitingSince}::timestamptz, ${after.id}::bigint)`
        : sql<boolean>`request.id < ${after.id}::bigint`
  const rows = await selectRequests(db)
    .where(ofState)
    .$if(kind !== null, (select) => select.where('kind', '=', kind ?? ''))
    .$if(assignedTo !== null, (select) => select.where('assigned_to', '=', assignedTo ?? ''))
    .$if(past !== null, (select) => select.where(past ?? sql<boolean>`true`))
    .$if(isWaiting, (select) => select.orderBy('waiting_since').orderBy('request.id'))
    .$if(!isWaiting, (select) => select.orderBy('request.id', 'desc'))
    .limit(limit)
    .execute()
  return rows.map(requestOf)
}

/** How many answers came into a thread since an instant. */
export async function countIncoming(db: Database, requestId: number, since: Temporal.Instant): Promise<number> {
  const { count } = await db
    .selectFrom('support_reply')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('request_id', '=', requestId)
    .where('kind', '=', 'in')
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Whether the text of a closed request was sent again since, and that request is open. */
export async function isSentAgain(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from support_request other join support_request same on same.said = other.said
    where same.id = ${id}::bigint and other.id <> same.id and other.state = 'open'`.execute(tx)
  return rows.length > 0
}
