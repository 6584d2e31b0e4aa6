/** The statements for reports by email. */
import type { Database, Tx } from '#platform/db.ts'
import type { PersonKey } from '#platform/work-sessions.ts'
import type { Every } from './schedule.ts'

export type Subscription = PersonKey & {
  id: string
  report: string
  every: Every
  hour: number
  subscribedAt: Temporal.Instant
}

function subscriptions(db: Database) {
  return db
    .selectFrom('report_subscription')
    .select(['id', 'issuer', 'subject', 'report', 'every', 'hour', 'subscribed_at as subscribedAt'])
    .$narrowType<{ every: Every }>()
}

/** Lists the subscriptions of one person to one report. */
export function selectOfPerson(db: Database, { issuer, subject }: PersonKey, report: string): Promise<Subscription[]> {
  return subscriptions(db)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('report', '=', report)
    .orderBy('every', 'desc')
    .execute()
}

/** Lists all subscriptions, at most two per team member and report. */
export function selectAll(db: Database): Promise<Subscription[]> {
  return subscriptions(db).orderBy('id').execute()
}

export function selectSubscription(db: Database, id: string): Promise<Subscription | undefined> {
  return subscriptions(db).where('id', '=', id).executeTakeFirst()
}

/** Adds a subscription, or changes the hour of the one that a person has. */
export async function upsertSubscription(tx: Tx, { subscribedAt, ...row }: Subscription): Promise<void> {
  await tx
    .insertInto('report_subscription')
    .values({ ...row, subscribed_at: subscribedAt })
    .onConflict((on) =>
      on.constraint('report_subscription_once').doUpdateSet({ hour: row.hour, subscribed_at: subscribedAt }),
    )
    .execute()
}

/** Deletes a person's own subscription; undefined if it doesn't exist. */
export async function deleteSubscription(
  tx: Tx,
  { issuer, subject }: PersonKey,
  id: string,
): Promise<{ report: string; every: string } | undefined> {
  return tx
    .deleteFrom('report_subscription')
    .where('id', '=', id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning(['report', 'every'])
    .executeTakeFirst()
}
