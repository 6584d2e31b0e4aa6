/**
 * One-click unsubscribe without an account (RFC 8058). The link contains the encrypted kind and address, so it can't be
 * forged, and logs don't contain the address. An unsubscribe outlives the account; resubscribing in the account ends
 * it.
 */
import { paths, withQuery } from '#content/paths.ts'
import { deleteMailStop, insertMailStop } from './mail-stops.sql.server.ts'
import { stopKindOf, type MessageKind, type StoppableKind } from './messages.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { seal, unseal } from '#platform/sealing.ts'

export type MailStop = { kind: StoppableKind; email: string }

const purpose = 'stop mails'

/** Returns the unsubscribe URL for a kind of email to `email`; null for transactional emails. */
export function mailStopUrl(
  { web, session }: Pick<Config, 'web' | 'session'>,
  { kind, email }: { kind: MessageKind; email: string },
): string | null {
  const stops = stopKindOf(kind)
  if (stops === null) return null
  return (
    web.origin +
    withQuery(paths.stopMails(), {
      of: seal(session.secret, purpose, JSON.stringify([stops, email])).toString('base64url'),
    })
  )
}

/** Reads what such a URL stops; undefined if we did not make it. `sealed` is its `of`. */
export function readMailStop({ session }: Pick<Config, 'session'>, sealed: string | null): MailStop | undefined {
  if (!sealed || sealed.length > 800 || !/^[\w-]+$/.test(sealed)) return undefined
  const text = unseal(session.secret, purpose, Buffer.from(sealed, 'base64url'))
  if (text === undefined) return undefined
  const [kind, email] = JSON.parse(text) as [StoppableKind, string]
  return { kind, email }
}

/** Unsubscribes. Idempotent. */
export function stopMails({ db, clock }: { db: Database; clock: Clock }, { kind, email }: MailStop): Promise<void> {
  return insertMailStop(db, { kind, email }, clock.now())
}

/** Resumes the mails at the request of the account's owner. */
export function resumeMails(
  { db }: { db: Database },
  { kind, accountId }: { kind: StoppableKind; accountId: string },
): Promise<void> {
  return deleteMailStop(db, kind, accountId)
}
