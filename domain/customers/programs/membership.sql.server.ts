/** The statements for the membership. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { isStoppedFor } from '#domain/messaging/messages/messages.server.ts'
import { newTimedId } from '#platform/ids.ts'

export type TermState = 'draft' | 'active' | 'refunded' | 'failed'
export type BoughtTerm = {
  id: string
  boughtAt: Temporal.Instant
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
  priceCents: number
  wantsReminders: boolean
}

/** Returns the account's draft term, creating it if necessary. */
export async function openDraft(
  db: Database,
  accountId: string,
  draft: { priceCents: number; at: Temporal.Instant },
): Promise<string> {
  const { id } = await db
    .insertInto('membership_term')
    .values({ id: newTimedId(), account_id: accountId, price_cents: draft.priceCents, begun_at: draft.at })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        // A literal, because with a parameter a generic plan cannot tell which partial index applies.
        .where('state', '=', sql.lit('draft'))
        .doUpdateSet((eb) => ({ price_cents: eb.ref('excluded.price_cents') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function selectDraft(
  db: Database,
  accountId: string,
): Promise<{ id: string; priceCents: number } | undefined> {
  return db
    .selectFrom('membership_term')
    .select(['id', 'price_cents as priceCents'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'draft')
    .executeTakeFirst()
}

/** The term of an account that ends last, current or past. */
export async function selectLastTerm(db: Database, accountId: string): Promise<BoughtTerm | undefined> {
  const row = await db
    .selectFrom('membership_term')
    .select(['id', 'bought_at', 'starts_at', 'ends_at', 'price_cents', 'wants_reminders'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'active')
    .orderBy('ends_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row?.bought_at || !row.starts_at || !row.ends_at) return undefined
  const isStopped = row.wants_reminders && (await isStoppedFor(db, 'membership-ending', accountId))
  return {
    id: row.id,
    boughtAt: row.bought_at,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    priceCents: row.price_cents,
    wantsReminders: row.wants_reminders && !isStopped,
  }
}

/** Every term an account ever bought, oldest first, with its outcome. */
export async function selectTerms(
  db: Database,
  accountId: string,
): Promise<
  { state: TermState; boughtAt: Temporal.Instant | null; endsAt: Temporal.Instant | null; priceCents: number }[]
> {
  const rows = await db
    .selectFrom('membership_term')
    .select(['state', 'bought_at as boughtAt', 'ends_at as endsAt', 'price_cents as priceCents'])
    .where('account_id', '=', accountId)
    .orderBy('begun_at')
    .execute()
  return rows.map(({ state, ...term }) => ({ ...term, state: state as TermState }))
}

/** Returns a term's account, end (null for a draft) and price; undefined if it doesn't exist. */
export function selectTermPrice(
  db: Database,
  termId: string,
): Promise<
  | { accountId: string | null; boughtAt: Temporal.Instant | null; endsAt: Temporal.Instant | null; priceCents: number }
  | undefined
> {
  return db
    .selectFrom('membership_term')
    .select(['account_id as accountId', 'bought_at as boughtAt', 'ends_at as endsAt', 'price_cents as priceCents'])
    .where('id', '=', termId)
    .executeTakeFirst()
}

/** Sets whether the owner wants reminders on an account's current terms. */
export async function updateReminders(db: Database, accountId: string, wantsReminders: boolean): Promise<void> {
  await db
    .updateTable('membership_term')
    .set({ wants_reminders: wantsReminders })
    .where('account_id', '=', accountId)
    .where('state', '=', 'active')
    .execute()
}

/** The email of an account, if verified. */
export async function selectVerifiedEmail(db: Database, accountId: string): Promise<string | null> {
  const account = await db
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()
  return account?.email ?? null
}

/** Blocks the account's other purchases and refunds until the transaction ends. */
export async function lockMember(tx: Tx, accountId: string): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
}

/** Turns a draft into a term. False if it no longer is a draft. */
export async function activateTerm(
  tx: Tx,
  termId: string,
  term: { boughtAt: Temporal.Instant; startsAt: Temporal.Instant; endsAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('membership_term')
    .set({ state: 'active', bought_at: term.boughtAt, starts_at: term.startsAt, ends_at: term.endsAt })
    .where('id', '=', termId)
    .where('state', '=', 'draft')
    .executeTakeFirst()
  if (numUpdatedRows === 1n) await noteTerm(tx, termId, 'draft', 'active', 'member', term.boughtAt)
  return numUpdatedRows === 1n
}

/** Ends a current term; returns its account, or undefined if it had ended. */
export async function endTerm(
  tx: Tx,
  termId: string,
  to: 'refunded' | 'failed',
  change: { actor: string; at: Temporal.Instant },
): Promise<{ accountId: string | null; priceCents: number } | undefined> {
  const ended = await tx
    .updateTable('membership_term')
    .set({ state: to })
    .where('id', '=', termId)
    .where('state', '=', 'active')
    .returning(['account_id as accountId', 'price_cents as priceCents'])
    .executeTakeFirst()
  if (ended) await noteTerm(tx, termId, 'active', to, change.actor, change.at)
  return ended
}

async function noteTerm(
  tx: Tx,
  termId: string,
  from: TermState,
  to: TermState,
  actor: string,
  at: Temporal.Instant,
): Promise<void> {
  await tx
    .insertInto('membership_event')
    .values({ term_id: termId, at, from_state: from, to_state: to, actor })
    .execute()
}

/** Returns a term's claimed charge and state. */
export async function selectTermCharge(
  db: Database,
  termId: string,
): Promise<{ paymentId: string; paymentState: string; termState: string; priceCents: number } | undefined> {
  return db
    .selectFrom('membership_term')
    .innerJoin('payment', 'payment.membership_term_id', 'membership_term.id')
    .select([
      'payment.id as paymentId',
      'payment.state as paymentState',
      'membership_term.state as termState',
      'membership_term.price_cents as priceCents',
    ])
    .where('membership_term.id', '=', termId)
    .where('payment.claimed_at', 'is not', null)
    .executeTakeFirst()
}

/** Returns a term's payment method, and the card if the provider reported it; null before payment. */
export async function selectTermCard(
  db: Database,
  termId: string,
): Promise<{ method: string; card: { brand: string; last4: string } | null } | null> {
  const paid = await db
    .selectFrom('payment')
    .select(['method', 'card_brand as brand', 'card_last4 as last4'])
    .where('membership_term_id', '=', termId)
    .where('claimed_at', 'is not', null)
    .executeTakeFirst()
  if (!paid) return null
  const { method, brand, last4 } = paid
  return { method, card: brand !== null && last4 !== null ? { brand, last4 } : null }
}

/** The provider accepts a refund within seconds; after this many minutes it is stuck. */
const refundedWithinMinutes = 10
/** Refunds of older terms were settled manually. */
const watchedDays = 400

/** Lists refunded memberships with a refund that the provider has not sent within minutes, oldest first. */
export async function listOpenMembershipRefunds(
  { db }: { db: Database },
  { now, limit }: { now: Temporal.Instant; limit: number },
): Promise<{ amountCents: number; since: Temporal.Instant }[]> {
  const { rows } = await sql<{ amountCents: number; since: Temporal.Instant }>`
    select payment.amount_cents as "amountCents", event.at as since
    from membership_term term join payment on payment.membership_term_id = term.id and payment.state = 'captured' and payment.refunded_cents = 0
      join membership_event event on event.term_id = term.id and event.to_state = 'refunded'
    where term.state = 'refunded' and term.bought_at > ${now.subtract({ hours: 24 * watchedDays })}::timestamptz
      and event.at < ${now.subtract({ minutes: refundedWithinMinutes })}::timestamptz
    order by event.at limit ${limit}`.execute(db)
  return rows
}

/** Whether the account has bought tires at member prices since `since`. */
export async function hasBoughtAsMember(db: Database, accountId: string, since: Temporal.Instant): Promise<boolean> {
  const { rows } = await sql`
    select from sales_order
    where buyer_id = ${accountId}::uuid and state <> 'canceled' and placed_at >= ${since}::timestamptz and breakdown ->> 'accountType' = 'Retail Member' limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Selects terms that end before `before`, do not renew, have no successor, and belong to members who accept reminders.
 */
export async function selectEnding(
  db: Database,
  { after, before }: { after: Temporal.Instant; before: Temporal.Instant },
): Promise<{ id: string; boughtAt: Temporal.Instant; endsAt: Temporal.Instant; email: string }[]> {
  const { rows } = await sql<{ id: string; boughtAt: Temporal.Instant; endsAt: Temporal.Instant; email: string }>`
    select term.id, term.bought_at as "boughtAt", term.ends_at as "endsAt", account.email
    from membership_term term join account on account.id = term.account_id and account.email_verified_at is not null
    where term.state = 'active' and term.wants_reminders and term.ends_at > ${after}::timestamptz and term.ends_at <= ${before}::timestamptz
      and not exists (select from membership_term later where later.account_id = term.account_id and later.state = 'active' and later.ends_at > term.ends_at)
      -- Whose membership renews is told of that, and then of what became of it.
      and not exists (select from membership_auto_renewal consent where consent.account_id = term.account_id and consent.stopped_at is null)
      and not exists (select from membership_renewal where follows_term_id = term.id and membership_renewal.state = 'lapsed')
    order by term.ends_at limit 1000`.execute(db)
  return rows
}
