/** The statements that list quotes. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { openableStates, type QuoteState } from './quotes.ts'
import type { Quote, QuoteLabel } from './quotes.sql.server.ts'

export type WaitingQuote = Pick<QuoteRow, 'id' | 'name' | 'expiresAt'> & { since: Temporal.Instant }

export type QuoteRow = Pick<
  Quote,
  'id' | 'state' | 'version' | 'name' | 'email' | 'label' | 'totalCents' | 'expiresAt' | 'orderId' | 'createdBy'
> & {
  tires: number
}
export type QuoteQuery = { state: QuoteState | null; email: string | null; before: number | null }

/** Up to `count` quotes, newest first. */
export async function selectQuotes(
  db: Database,
  { state, email, before }: QuoteQuery,
  count: number,
): Promise<QuoteRow[]> {
  const rows = await db
    .selectFrom('sales_quote')
    .select((eb) => [
      'id',
      'state',
      'version',
      'name',
      'email',
      'price_label as label',
      'total_cents as totalCents',
      'expires_at as expiresAt',
      'order_id as orderId',
      'created_by as createdBy',
      eb
        .selectFrom('sales_quote_line')
        .select((line) =>
          line.fn.coalesce(line.cast<number>(line.fn.sum('quantity'), 'integer'), line.lit(0)).as('tires'),
        )
        .whereRef('quote_id', '=', 'sales_quote.id')
        .as('tires'),
    ])
    .$if(state !== null, (select) => select.where('state', '=', state ?? ''))
    .$if(email !== null, (select) => select.where(sql`lower(email)`, '=', email))
    .$if(before !== null, (select) => select.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  return rows.map((row) => ({
    ...row,
    tires: row.tires ?? 0,
    state: row.state as QuoteState,
    label: row.label as QuoteLabel,
  }))
}

/** Quotes that a customer can still use and that end before `until`, soonest first. */
export async function selectEnding(
  db: Database,
  { now, until, count }: { now: Temporal.Instant; until: Temporal.Instant; count: number },
): Promise<WaitingQuote[]> {
  const rows = await db
    .selectFrom('sales_quote')
    .select(['id', 'name', 'updated_at', 'sent_at', 'expires_at as expiresAt'])
    .where('state', 'in', [...openableStates])
    .where('expires_at', '>', now)
    .where('expires_at', '<=', until)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.map(({ updated_at: updatedAt, sent_at: sentAt, ...quote }) => ({ ...quote, since: sentAt ?? updatedAt }))
}

/** Quotes that need approval, longest waiting first. */
export function selectUnapproved(db: Database, count: number): Promise<WaitingQuote[]> {
  return db
    .selectFrom('sales_quote')
    .select(['id', 'name', 'updated_at as since', 'expires_at as expiresAt'])
    .where('state', '=', 'needs-approval')
    .orderBy('updated_at')
    .orderBy('id')
    .limit(count)
    .execute()
}

/** The ids of quotes whose time is over but whose state does not say so yet, up to `count`. */
export async function selectOver(db: Database, now: Temporal.Instant, count: number): Promise<number[]> {
  const rows = await db
    .selectFrom('sales_quote')
    .select('id')
    .where('state', 'in', [...openableStates])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(count)
    .execute()
  return rows.map(({ id }) => id)
}
