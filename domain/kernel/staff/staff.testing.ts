import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { inviteStaff, openOffice, type Actor } from './staff.server.ts'
import type { BuiltInRole } from './staff.ts'

/** The actor for commands on the server, used in tests where office roles don't matter. */
export const desk: Actor = { via: 'command line', name: 'desk' }

/** Invites a person to a role and signs them in to the back office. */
export async function signInStaff(
  deps: { db: Database; clock: Clock },
  role: BuiltInRole,
  name: string = role,
): Promise<Actor> {
  const email = `${name}@store.example`
  await inviteStaff(deps, desk, { email, role, lastDay: null })
  const opened = await openOffice(
    { ...deps, config: { session: { secret: 'a secret for tests only' } } },
    {
      issuer: 'https://id.example',
      person: { subject: name, email, isEmailVerified: true, name },
      idToken: '',
      authenticatedAt: deps.clock.now(),
      usedSecondFactor: null,
      networkKey: 'n',
      session: undefined,
    },
  )
  if (!opened.ok) throw new Error(opened.reason)
  return { via: 'office', name: email, sessionId: opened.value.cookie.split('.')[0] ?? '', networkKey: 'n' }
}
