/** The statements for stopped mails. `mailbox_of` normalizes the spellings of a mailbox. */
import { sql } from 'kysely'
import type { StoppableKind } from './messages.ts'
import type { Database } from '#platform/db.ts'

/** Unsubscribes a mailbox from a kind of email, unless already unsubscribed. */
export async function insertMailStop(
  db: Database,
  { kind, email }: { kind: StoppableKind; email: string },
  at: Temporal.Instant,
): Promise<void> {
  await sql`insert into mail_stop (kind, email, stopped_at) values (${kind}, ${email}, ${at}) on conflict (kind, mailbox_of(email)) do nothing`.execute(
    db,
  )
}

/** Resubscribes an account's mailbox to a kind of email. */
export async function deleteMailStop(db: Database, kind: StoppableKind, accountId: string): Promise<void> {
  await sql`
    delete from mail_stop using account
    where account.id = ${accountId}::uuid and mail_stop.kind = ${kind} and mailbox_of(mail_stop.email) = mailbox_of(account.email)`.execute(
    db,
  )
}

/** Returns the `emails` that are unsubscribed from the kind. */
export async function stoppedAmong(db: Database, kind: StoppableKind, emails: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select asked.email from unnest(${emails}::text[]) as asked (email)
    join mail_stop on mail_stop.kind = ${kind} and mailbox_of(mail_stop.email) = mailbox_of(asked.email)`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/** Returns whether an account is unsubscribed from a kind of email. */
export async function isStoppedFor(db: Database, kind: StoppableKind, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from mail_stop join account on mailbox_of(mail_stop.email) = mailbox_of(account.email)
    where account.id = ${accountId}::uuid and mail_stop.kind = ${kind}`.execute(db)
  return rows.length > 0
}

/** The kinds of mails that are stopped for an address, under any spelling of its mailbox. */
export async function selectStops(db: Database, email: string): Promise<StoppableKind[]> {
  const { rows } = await sql<{ kind: StoppableKind }>`
    select kind from mail_stop where mailbox_of(email) = mailbox_of(${email})`.execute(db)
  return rows.map(({ kind }) => kind)
}

/** Resubscribes an address to a kind of email, under any spelling of its mailbox. */
export async function deleteStopOf(
  db: Database,
  { kind, email }: { kind: StoppableKind; email: string },
): Promise<void> {
  await sql`delete from mail_stop where kind = ${kind} and mailbox_of(email) = mailbox_of(${email})`.execute(db)
}
