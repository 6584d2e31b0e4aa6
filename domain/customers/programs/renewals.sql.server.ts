/** The statements for memberships that renew. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'

export type TryOutcome = 'paid' | 'declined' | 'needs-approval' | 'no-card'
export type Renewal = {
  id: string
  followsTermId: string
  accountId: string | null
  amountCents: number
  chargeAt: Temporal.Instant
  state: 'told' | 'renewed' | 'lapsed'
  termEndsAt: Temporal.Instant
  termBoughtAt: Temporal.Instant
  attempts: number
  /** Of the newest try; null without one, or while it is at work. */
  lastOutcome: TryOutcome | null
}
export type RenewalTry = {
  no: number
  paymentId: string | null
  takenUntil: Temporal.Instant
  outcome: TryOutcome | null
  /** Null without a charge. */
  paymentState: string | null
}

/** The consent by which an account's membership renews; undefined if it does not. */
export function selectAutoRenewal(
  db: Database,
  accountId: string,
): Promise<{ id: string; consentedAt: Temporal.Instant } | undefined> {
  return db
    .selectFrom('membership_auto_renewal')
    .select(['id', 'consented_at as consentedAt'])
    .where('account_id', '=', accountId)
    .where('stopped_at', 'is', null)
    .executeTakeFirst()
}

/** Returns a consent's account, and whether it was stopped. */
export function selectAutoRenewalById(
  db: Database,
  id: string,
): Promise<{ accountId: string; stoppedAt: Temporal.Instant | null } | undefined> {
  return db
    .selectFrom('membership_auto_renewal')
    .select(['account_id as accountId', 'stopped_at as stoppedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertAutoRenewal(
  db: Database,
  consent: { accountId: string; version: string; at: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('membership_auto_renewal')
    .values({
      id: newTimedId(),
      account_id: consent.accountId,
      consent_version: consent.version,
      consented_at: consent.at,
    })
    // A literal, because with a parameter a generic plan cannot tell which partial index applies.
    .onConflict((conflict) => conflict.column('account_id').where('stopped_at', 'is', null).doNothing())
    .execute()
}

/** Stops an account's renewal. Returns false if it had no renewal. */
export async function stopAutoRenewal(
  db: Database,
  accountId: string,
  stop: { at: Temporal.Instant; by: 'member' | 'link' | 'store' },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('membership_auto_renewal')
    .set({ stopped_at: stop.at, stopped_by: stop.by })
    .where('account_id', '=', accountId)
    .where('stopped_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Selects current renewing terms that end within a period, have no successor, and aren't announced. */
export async function selectToAnnounce(
  db: Database,
  { after, before }: { after: Temporal.Instant; before: Temporal.Instant },
): Promise<{ termId: string; accountId: string; endsAt: Temporal.Instant; email: string }[]> {
  const { rows } = await sql<{ termId: string; accountId: string; endsAt: Temporal.Instant; email: string }>`
    select term.id as "termId", term.account_id as "accountId", term.ends_at as "endsAt", account.email
    from membership_term term
    join membership_auto_renewal consent on consent.account_id = term.account_id and consent.stopped_at is null
    join account on account.id = term.account_id and account.email_verified_at is not null
    where term.state = 'active' and term.ends_at > ${after}::timestamptz and term.ends_at <= ${before}::timestamptz
      and not exists (select from membership_term later where later.account_id = term.account_id and later.state = 'active' and later.ends_at > term.ends_at)
      and not exists (select from membership_renewal where follows_term_id = term.id)
    order by term.ends_at limit 500`.execute(db)
  return rows
}

/** Announces the renewal of a term. Undefined if it was. */
export async function insertRenewal(
  tx: Tx,
  renewal: { termId: string; amountCents: number; toldAt: Temporal.Instant; chargeAt: Temporal.Instant },
): Promise<string | undefined> {
  const row = await tx
    .insertInto('membership_renewal')
    .values({
      id: newTimedId(),
      follows_term_id: renewal.termId,
      amount_cents: renewal.amountCents,
      told_at: renewal.toldAt,
      charge_at: renewal.chargeAt,
    })
    .onConflict((conflict) => conflict.column('follows_term_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Returns a renewal with the term it follows, by its id or by the term. */
export async function selectRenewal(
  db: Database,
  by: { id: string } | { termId: string },
): Promise<Renewal | undefined> {
  const column = 'id' in by ? sql.ref('renewal.id') : sql.ref('renewal.follows_term_id')
  const { rows } = await sql<Renewal>`
    select renewal.id, follows_term_id as "followsTermId", term.account_id as "accountId", renewal.amount_cents as "amountCents",
      charge_at as "chargeAt", renewal.state, term.ends_at as "termEndsAt", term.bought_at as "termBoughtAt",
      (select count(*)::int from membership_renewal_try where renewal_id = renewal.id and outcome is not null) as attempts,
      (select outcome from membership_renewal_try where renewal_id = renewal.id order by no desc limit 1) as "lastOutcome"
    from membership_renewal renewal join membership_term term on term.id = follows_term_id
    where ${column} = ${'id' in by ? by.id : by.termId}::uuid`.execute(db)
  return rows[0]
}

/** Selects announced renewals with a due first charge, for accounts that still want them. */
export async function selectDueRenewals(db: Database, now: Temporal.Instant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select renewal.id from membership_renewal renewal
    join membership_term term on term.id = follows_term_id
    join membership_auto_renewal consent on consent.account_id = term.account_id and consent.stopped_at is null
    where renewal.state = 'told' and term.state = 'active' and charge_at <= ${now}::timestamptz order by charge_at limit 1000`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export function selectAttempts(db: Database, renewalId: string): Promise<RenewalTry[]> {
  return db
    .selectFrom('membership_renewal_try')
    .leftJoin('payment', 'payment.id', 'membership_renewal_try.payment_id')
    .select([
      'no',
      'payment_id as paymentId',
      'taken_until as takenUntil',
      sql<TryOutcome | null>`outcome`.as('outcome'),
      'payment.state as paymentState',
    ])
    .where('renewal_id', '=', renewalId)
    .orderBy('no')
    .execute()
}

export async function insertTry(
  tx: Tx,
  attempt: {
    renewalId: string
    no: number
    paymentId: string | null
    at: Temporal.Instant
    takenUntil: Temporal.Instant
  },
): Promise<void> {
  await tx
    .insertInto('membership_renewal_try')
    .values({
      renewal_id: attempt.renewalId,
      no: attempt.no,
      payment_id: attempt.paymentId,
      begun_at: attempt.at,
      taken_until: attempt.takenUntil,
      outcome: attempt.paymentId === null ? 'no-card' : null,
    })
    .execute()
}

/** Takes over an attempt in progress, with a new charge if its charge was abandoned, or releases it. */
export async function updateTry(
  db: Database,
  { renewalId, no }: { renewalId: string; no: number },
  change: { takenUntil: Temporal.Instant; paymentId?: string },
): Promise<void> {
  await db
    .updateTable('membership_renewal_try')
    .set({
      taken_until: change.takenUntil,
      ...(change.paymentId !== undefined && { payment_id: change.paymentId }),
    })
    .where('renewal_id', '=', renewalId)
    .where('no', '=', no)
    .where('outcome', 'is', null)
    .execute()
}

/** Records how a try ended. False if it had. */
export async function endTry(
  db: Database,
  { renewalId, no }: { renewalId: string; no: number },
  outcome: TryOutcome,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('membership_renewal_try')
    .set({ outcome })
    .where('renewal_id', '=', renewalId)
    .where('no', '=', no)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records that a term was renewed by another, however that was paid. */
export async function markRenewed(tx: Tx, followsTermId: string, termId: string): Promise<void> {
  await tx
    .updateTable('membership_renewal')
    .set({ state: 'renewed', term_id: termId })
    .where('follows_term_id', '=', followsTermId)
    .where('state', '<>', 'renewed')
    .execute()
}

export async function markLapsed(db: Database, renewalId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('membership_renewal')
    .set({ state: 'lapsed' })
    .where('id', '=', renewalId)
    .where('state', '=', 'told')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The consents of an account to renew, for its data export. */
export function selectAutoRenewals(db: Database, accountId: string) {
  return db
    .selectFrom('membership_auto_renewal')
    .select([
      'consent_version as consentVersion',
      'consented_at as consentedAt',
      'stopped_at as stoppedAt',
      'stopped_by as stoppedBy',
    ])
    .where('account_id', '=', accountId)
    .orderBy('consented_at')
    .execute()
}
