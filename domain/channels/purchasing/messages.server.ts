/** Messages from purchasing systems. A document is processed once per payload id, with the same response each time. */
import { sql } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { seal, unseal } from '#platform/sealing.ts'
import type { Secrets } from '#platform/secrets.ts'

type Deps = { db: Database; clock: Clock; config: { session: { secret: Secrets } } }

/** A protocol status, its text, and the complete response document. */
export type PurchasingAnswer = { code: number; words: string; body: string }

export const answerPurpose = 'purchasing-answer'
/** After this many seconds the previous handler is considered dead, and a document can be processed again. */
const giveUpSeconds = 120

/**
 * Returns the earlier response, or processes the document and stores its response; `busy` during a concurrent request.
 * Responses that request a retry (500 and above) aren't stored.
 */
export async function answerOnce(
  { db, clock, config }: Deps,
  message: { companyId: string; payloadId: string; kind: string },
  work: () => Promise<PurchasingAnswer>,
): Promise<PurchasingAnswer | 'busy'> {
  const { companyId, payloadId, kind } = message
  const at = clock.now()
  const begun = await sql<{ payload_id: string }>`
    insert into purchasing_message (company_id, payload_id, kind, received_at)
    values (${companyId}::uuid, ${payloadId}, ${kind}, ${at.toString()}::timestamptz)
    on conflict (company_id, payload_id) do update set received_at = excluded.received_at
      where purchasing_message.answer is null and purchasing_message.received_at < ${at.subtract({ seconds: giveUpSeconds }).toString()}::timestamptz
    returning payload_id`.execute(db)
  if (begun.rows.length === 0) return (await keptAnswer({ db, config }, message)) ?? 'busy'
  let answer: PurchasingAnswer
  try {
    answer = await work()
  } catch (error) {
    await deleteMessage(db, message)
    throw error
  }
  if (answer.code >= 500) await deleteMessage(db, message)
  else
    await db
      .updateTable('purchasing_message')
      .set({
        answer: seal(config.session.secret, answerPurpose, answer.body),
        code: answer.code,
        words: answer.words.slice(0, 1000),
      })
      .where('company_id', '=', companyId)
      .where('payload_id', '=', payloadId)
      .execute()
  return answer
}

async function keptAnswer(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { companyId, payloadId }: { companyId: string; payloadId: string },
): Promise<PurchasingAnswer | undefined> {
  const row = await db
    .selectFrom('purchasing_message')
    .select(['answer', 'code', 'words'])
    .where('company_id', '=', companyId)
    .where('payload_id', '=', payloadId)
    .executeTakeFirst()
  const body = row?.answer && unseal(config.session.secret, answerPurpose, row.answer)
  return row && typeof body === 'string' ? { code: row.code ?? 500, words: row.words ?? '', body } : undefined
}

async function deleteMessage(
  db: Database,
  { companyId, payloadId }: { companyId: string; payloadId: string },
): Promise<void> {
  await db
    .deleteFrom('purchasing_message')
    .where('company_id', '=', companyId)
    .where('payload_id', '=', payloadId)
    .where('answer', 'is', null)
    .execute()
}

export type ReceivedMessage = {
  payloadId: string
  kind: string
  code: number | null
  words: string
  at: Temporal.Instant
}

/** The last documents of a purchasing system, newest first. */
export async function listReceived(
  { db }: Pick<Deps, 'db'>,
  companyId: string,
  limit: number,
): Promise<ReceivedMessage[]> {
  const rows = await db
    .selectFrom('purchasing_message')
    .select(['payload_id', 'kind', 'code', 'words', 'received_at'])
    .where('company_id', '=', companyId)
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    payloadId: row.payload_id,
    kind: row.kind,
    code: row.code,
    words: row.words ?? '',
    at: row.received_at,
  }))
}

/** Deletes documents received before `before`, and visits that had ended by then. Returns the total number. */
export async function forgetOldPurchasing(db: Database, before: Temporal.Instant): Promise<number> {
  const messages = await db.deleteFrom('purchasing_message').where('received_at', '<', before).executeTakeFirst()
  const visits = await db.deleteFrom('punchout_session').where('ends_at', '<', before).executeTakeFirst()
  return Number(messages.numDeletedRows + visits.numDeletedRows)
}
