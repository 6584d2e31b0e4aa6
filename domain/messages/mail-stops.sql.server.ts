/** The statements behind stopped mails. One mailbox has many spellings: `mailbox_of` tells which. */
import { sql } from 'kysely'
import type { StoppableKind } from '#domain/messages/messages.ts'
import type { Database } from '#platform/db.ts'

/** Notes that a mailbox wants no mails of a kind; one that is noted stays as it is. */
export async function insertMailStop(
  db: Database,
  { kind, email }: { kind: StoppableKind; email: string },
  at: Temporal.Instant,
): Promise<void> {
  await sql`insert into mail_stop (kind, email, stopped_at) values (${kind}, ${email}, ${at}) on conflict (kind, mailbox_of(email)) do nothing`.execute(
    db,
  )
}

/** Forgets that the mailbox of an account wanted no mails of a kind. */
export async function deleteMailStop(db: Database, kind: StoppableKind, accountId: string): Promise<void> {
  await sql`
    delete from mail_stop using account
    where account.id = ${accountId}::uuid and mail_stop.kind = ${kind} and mailbox_of(mail_stop.email) = mailbox_of(account.email)`.execute(
    db,
  )
}

/** Those of `emails` at which mails of the kind were stopped. */
export async function stoppedAmong(db: Database, kind: StoppableKind, emails: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select asked.email from unnest(${emails}::text[]) as asked (email)
    join mail_stop on mail_stop.kind = ${kind} and mailbox_of(mail_stop.email) = mailbox_of(asked.email)`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/** Whether an account stopped its mails of a kind. */
export async function isStoppedFor(db: Database, kind: StoppableKind, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from mail_stop join account on mailbox_of(mail_stop.email) = mailbox_of(account.email)
    where account.id = ${accountId}::uuid and mail_stop.kind = ${kind}`.execute(db)
  return rows.length > 0
}
