/** The statements that list quotes. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'
import { openableStates, quoteFates, type QuoteFate, type QuoteState } from './quotes.ts'
import { authorColumns, authorOf, type Quote, type QuoteLabel } from './quotes.sql.server.ts'

export type WaitingQuote = Pick<QuoteRow, 'id' | 'name' | 'expiresAt'> & { since: Temporal.Instant }

export type QuoteRow = Pick<
  Quote,
  'id' | 'state' | 'version' | 'name' | 'email' | 'label' | 'totalCents' | 'expiresAt' | 'orderId' | 'author' | 'sentAt'
> & {
  tires: number
  vehicles: number
  ordered: number
}
export type QuoteQuery = { state: QuoteState | null; email: string | null; before: number | null }

/** Up to `count` quotes, newest first. */
export async function selectQuotes(
  db: Database,
  { state, email, before }: QuoteQuery,
  count: number,
): Promise<QuoteRow[]> {
  const rows = await quoteRows(db)
    .where('main_id', 'is', null)
    .$if(state !== null, (select) => select.where('state', '=', state ?? ''))
    .$if(email !== null, (select) => select.where(sql`lower(email)`, '=', email))
    .$if(before !== null, (select) => select.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  return rows.map(toRow)
}

export type OwnQuery = { accountId: string; fate: QuoteFate | null; before: number | null; now: Temporal.Instant }

/** Selects up to `count` quotes an account sent, newest first. Expired ones count as expired immediately. */
export async function selectOwnQuotes(
  db: Database,
  { accountId, fate, before, now }: OwnQuery,
  count: number,
): Promise<QuoteRow[]> {
  const open = [...openableStates]
  const rows = await quoteRows(db)
    .where('author_account_id', '=', accountId)
    .$if(fate === 'expired', (select) =>
      select.where(({ or, and, eb }) =>
        or([eb('state', '=', 'expired'), and([eb('state', 'in', open), eb('expires_at', '<=', now)])]),
      ),
    )
    .$if(fate === 'sent' || fate === 'opened', (select) => select.where('expires_at', '>', now))
    .$if(fate !== null && fate !== 'expired', (select) =>
      select.where('state', 'in', [...quoteFates[fate ?? 'expired'].states]),
    )
    .$if(before !== null, (select) => select.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  return rows.map(toRow)
}

function quoteRows(db: Database) {
  return db.selectFrom('sales_quote').select((eb) => [
    'id',
    'state',
    'version',
    'name',
    'email',
    'price_label as label',
    sql<number | null>`${sumOf(sql`total_cents`)}`.as('totalCents'),
    sql<number>`${sumOf(sql`1`)}`.as('vehicles'),
    sql<number>`${sumOf(sql`case when state = 'ordered' then 1 else 0 end`)}`.as('ordered'),
    'expires_at as expiresAt',
    'order_id as orderId',
    'sent_at as sentAt',
    'created_by as createdBy',
    'author_account_id as authorAccountId',
    ...authorColumns(eb),
    eb
      .selectFrom('sales_quote_line')
      .select((line) =>
        line.fn.coalesce(line.cast<number>(line.fn.sum('quantity'), 'integer'), line.lit(0)).as('tires'),
      )
      .where('quote_id', 'in', ({ selectFrom }) =>
        selectFrom('sales_quote as of')
          .select('of.id')
          .where(({ or, eb: one }) =>
            or([one('of.id', '=', one.ref('sales_quote.id')), one('of.main_id', '=', one.ref('sales_quote.id'))]),
          ),
      )
      .as('tires'),
  ])
}

/** A sum over the rows of a quote's vehicles. */
function sumOf(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select sum(${value})::int from (select * from sales_quote as own where sales_quote.id in (own.id, own.main_id)) as vehicle)`
}

type Selected = Awaited<ReturnType<ReturnType<typeof quoteRows>['execute']>>[number]

function toRow(row: Selected): QuoteRow {
  const { createdBy, authorAccountId, authorName, authorEmail, ...quote } = row
  return {
    ...quote,
    author: authorOf({ createdBy, authorAccountId, authorName, authorEmail }),
    tires: row.tires ?? 0,
    state: row.state as QuoteState,
    label: row.label as QuoteLabel,
  }
}

/** Quotes of staff that a customer can still use and that end before `until`, soonest first. */
export async function selectEnding(
  db: Database,
  { now, until, count }: { now: Temporal.Instant; until: Temporal.Instant; count: number },
): Promise<WaitingQuote[]> {
  const rows = await db
    .selectFrom('sales_quote')
    .select(['name', 'updated_at', 'sent_at', 'expires_at as expiresAt'])
    .select(({ fn }) => fn.coalesce('main_id', 'id').as('id'))
    .where('state', 'in', [...openableStates])
    .where('expires_at', '>', now)
    .where('expires_at', '<=', until)
    .where('author_account_id', 'is', null)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(count)
    .execute()
  return rows
    .filter(({ id }, index) => rows.findIndex((other) => other.id === id) === index)
    .map(({ updated_at: updatedAt, sent_at: sentAt, ...quote }) => ({ ...quote, since: sentAt ?? updatedAt }))
}

/** Quotes that need approval, longest waiting first. */
export function selectUnapproved(db: Database, count: number): Promise<WaitingQuote[]> {
  return db
    .selectFrom('sales_quote')
    .select(['id', 'name', 'updated_at as since', 'expires_at as expiresAt'])
    .where('state', '=', 'needs-approval')
    .where('main_id', 'is', null)
    .orderBy('updated_at')
    .orderBy('id')
    .limit(count)
    .execute()
}

/** Selects up to `count` ids of expired quotes with an outdated state. */
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
