/**
 * Mails that can be stopped by whoever gets them, with one press and without an account (RFC 8058). The link carries
 * what it stops and for which address, sealed: nobody can make one for somebody else, and the address stands in no log.
 * A stop outlives the account; wanting the mails again, in the account, ends it.
 */
import { deleteMailStop, insertMailStop } from '#domain/messages/mail-stops.sql.server.ts'
import { isStoppable, type MessageKind, type StoppableKind } from '#domain/messages/messages.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { seal, unseal } from '#platform/sealing.ts'

export type MailStop = { kind: StoppableKind; email: string }

const purpose = 'stop mails'

/**
 * The address at which mails of a kind to `email` are stopped; null for a kind that goes out because of something its
 * reader did.
 */
export function mailStopUrl(
  { web, session }: Pick<Config, 'web' | 'session'>,
  { kind, email }: { kind: MessageKind; email: string },
): string | null {
  if (!isStoppable(kind)) return null
  return `${web.origin}/stop-mails?of=${seal(session.secret, purpose, JSON.stringify([kind, email])).toString('base64url')}`
}

/** What such an address stops, or undefined when it was not made by us. `sealed` is its `of`. */
export function readMailStop({ session }: Pick<Config, 'session'>, sealed: string | null): MailStop | undefined {
  if (!sealed || sealed.length > 800 || !/^[\w-]+$/.test(sealed)) return undefined
  const text = unseal(session.secret, purpose, Buffer.from(sealed, 'base64url'))
  if (text === undefined) return undefined
  const [kind, email] = JSON.parse(text) as [StoppableKind, string]
  return { kind, email }
}

/** Stops the mails. Doing it twice changes nothing. */
export function stopMails({ db, clock }: { db: Database; clock: Clock }, { kind, email }: MailStop): Promise<void> {
  return insertMailStop(db, { kind, email }, clock.now())
}

/** The owner of an account wants them after all. */
export function resumeMails(
  { db }: { db: Database },
  { kind, accountId }: { kind: StoppableKind; accountId: string },
): Promise<void> {
  return deleteMailStop(db, kind, accountId)
}
