/**
 * Email preferences of an address, without sign-in. The link is encrypted for one address, so it can't be forged, and
 * logs don't contain the address. It does not expire, because the emails that contain it do not.
 */
import { paths, withQuery } from '#content/paths.ts'
import { deleteStopOf, insertMailStop, selectStops } from './mail-stops.sql.server.ts'
import { stoppableList, type StoppableKind } from './messages.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { seal, unseal } from '#platform/sealing.ts'

const purpose = 'email preferences'

/** Returns the URL of the preference page for `email`. */
export function mailPreferencesUrl({ web, session }: Pick<Config, 'web' | 'session'>, email: string): string {
  return (
    web.origin + withQuery(paths.emailPreferences(), { of: seal(session.secret, purpose, email).toString('base64url') })
  )
}

/** Returns the address such a URL belongs to; undefined if it is invalid. `sealed` is its `of` parameter. */
export function readPreferencesLink({ session }: Pick<Config, 'session'>, sealed: string | null): string | undefined {
  if (!sealed || sealed.length > 800 || !/^[\w-]+$/.test(sealed)) return undefined
  return unseal(session.secret, purpose, Buffer.from(sealed, 'base64url'))
}

/** Returns each kind of email that can be stopped, and whether the address gets it. */
export async function readMailPreferences(
  { db }: { db: Database },
  email: string,
): Promise<{ kind: StoppableKind; isWanted: boolean }[]> {
  const stopped = await selectStops(db, email)
  return stoppableList.map((kind) => ({ kind, isWanted: !stopped.includes(kind) }))
}

/** Stops or resumes one kind of email to an address, in the caller's transaction. Idempotent. */
export async function setMailWanted(
  tx: Tx,
  { kind, email, isWanted, at }: { kind: StoppableKind; email: string; isWanted: boolean; at: Temporal.Instant },
): Promise<void> {
  await (isWanted ? deleteStopOf(tx, { kind, email }) : insertMailStop(tx, { kind, email }, at))
}

/** Stops every kind that is not in `wanted`, and resumes those that are. Idempotent. */
export async function saveMailPreferences(
  { db, clock }: { db: Database; clock: Clock },
  { email, wanted }: { email: string; wanted: readonly StoppableKind[] },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const kind of stoppableList)
      if (wanted.includes(kind)) await deleteStopOf(tx, { kind, email })
      else await insertMailStop(tx, { kind, email }, clock.now())
  })
}
