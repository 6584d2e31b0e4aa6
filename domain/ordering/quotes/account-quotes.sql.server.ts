/** The statements for quotes that accounts sent. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { insertEvent, type Quote } from './quotes.sql.server.ts'
import { sentAgainNote } from './quotes.ts'

/** The quote that this form made, and the account that sent it; undefined before it did. */
export function selectByKey(
  db: Database,
  key: string,
): Promise<{ id: number; authorAccountId: string | null } | undefined> {
  return db
    .selectFrom('sales_quote')
    .select(['id', 'author_account_id as authorAccountId'])
    .where('form_key', '=', key)
    .executeTakeFirst()
}

/** Counts another email of a locked quote, with an event. */
export async function addMail(
  tx: Tx,
  { id, state }: Pick<Quote, 'id' | 'state'>,
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('sales_quote')
    .set((eb) => ({ mails: eb('mails', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .execute()
  await insertEvent(tx, { id, from: state, to: state, by, at, note: sentAgainNote })
}

/** Replaces an account that is being deleted with a label in its quotes. Their prices are still valid. */
export async function updateToNoAccount(tx: Tx, accountId: string): Promise<void> {
  // One that is being sent right now is waited for; the next finds no account.
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
  await tx
    .updateTable('sales_quote')
    .set({ author_account_id: null, created_by: 'A closed account' })
    .where('author_account_id', '=', accountId)
    .execute()
}

/** The quotes that an account sent, as plain data for JSON. */
export async function exportSentQuotes(db: Database, accountId: string): Promise<object[]> {
  const { rows } = await sql<{ quotes: object[] }>`
    select coalesce(json_agg(json_build_object('number', 'Q-' || quote.id, 'state', quote.state, 'name', quote.name, 'email', quote.email, 'phone', quote.phone,
      'note', quote.note, 'sentAt', quote.sent_at, 'emails', quote.mails, 'expiresAt', quote.expires_at, 'totalCents', quote.total_cents,
      'tires', (select json_agg(json_build_object('item', line.item_id, 'quantity', line.quantity, 'unitCents', line.unit_cents)) from sales_quote_line line where line.quote_id = quote.id)) order by quote.id), '[]') as quotes
    from sales_quote quote where quote.author_account_id = ${accountId}::uuid`.execute(db)
  return rows[0]?.quotes ?? []
}
