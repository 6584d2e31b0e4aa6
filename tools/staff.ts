/**
 * `npm run staff -- invite EMAIL owner` invites the first staff member to the back office, who can invite others there.
 * `list` shows the grants, and `revoke EMAIL ROLE "why"` removes a role. Uses the database at DATABASE_URL, or the one
 * of the store started by `npm start`.
 */
import { inviteStaff, listGrants, revokeGrant, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { revocationForm, staffInvitationForm, staffRoles } from '#domain/kernel/staff/staff.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { PlainError } from '#platform/plain-error.ts'
import { visibleLine } from '#platform/plain-text.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { commandActor, print, runCommand } from './command.ts'
import { findStoreDatabase } from './store-database.ts'

const usage = `Say what to do:
  list
  invite EMAIL ROLE [2026-12-31]   (until the end of that day, if one is given)
  revoke EMAIL ROLE "why"
Roles: ${staffRoles.join(', ')}`

/** Other refusals are for people and programs. */
const notAllowed = 'That is not allowed.'

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-staff' })
  const [what, email = '', role = '', more = ''] = process.argv.slice(2)
  const by = commandActor()
  switch (what) {
    case 'list':
      return await list(db)
    case 'invite':
      return await invite(db, by, { email, role, lastDay: more })
    case 'revoke':
      return await revoke(db, by, { email, role, reason: more })
    default:
      throw new PlainError(usage)
  }
})

async function list(db: Database): Promise<void> {
  const grants = (await listGrants({ db })).filter(({ revokedAt }) => revokedAt === null)
  for (const { email, role, boundAt, expiresAt } of grants)
    print(
      visibleLine(
        `${role.padEnd(9)}  ${email}, ${boundAt ? `active since ${storeDateText(boundAt)}` : 'has not signed in yet'}` +
          (expiresAt ? `, until ${storeDateText(expiresAt.subtract({ seconds: 1 }))}` : ''),
      ),
    )
  if (grants.length === 0) print('No one has a role in the back office.')
}

async function invite(db: Database, by: Actor, typed: Record<string, string>): Promise<void> {
  const checked = staffInvitationForm.safeParse(typed)
  if (!checked.success) throw new PlainError(`${checked.error.issues[0]?.message}\n${usage}`)
  const invited = await inviteStaff({ db, clock: systemClock }, by, checked.data)
  if (!invited.ok) {
    const texts: Partial<Record<typeof invited.reason, string>> = {
      'no-role': `There is no role ${checked.data.role}.`,
      'granted-already': `${checked.data.email} has that role already.`,
      past: 'That day has passed.',
    }
    throw new PlainError(texts[invited.reason] ?? notAllowed)
  }
  print(`Invited. ${checked.data.email} signs in at /office, once the sign-in provider has verified that email.`)
}

async function revoke(
  db: Database,
  by: Actor,
  { email, role, reason }: { email: string; role: string; reason: string },
): Promise<void> {
  const grants = await listGrants({ db })
  const grant = grants.find((each) => each.email === email.toLowerCase() && each.role === role && !each.revokedAt)
  if (!grant) throw new PlainError(`${email} doesn’t have this role.\n${usage}`)
  const checked = revocationForm.safeParse({ grant: grant.id, reason })
  if (!checked.success) throw new PlainError(`${checked.error.issues[0]?.message}\n${usage}`)
  const revoked = await revokeGrant({ db, clock: systemClock }, by, { grantId: grant.id, reason: checked.data.reason })
  if (!revoked.ok) {
    const texts: Partial<Record<typeof revoked.reason, string>> = {
      gone: 'It was already revoked.',
      'last-owner': 'That is the last owner who has signed in. Make someone else an owner first.',
    }
    throw new PlainError(texts[revoked.reason] ?? notAllowed)
  }
  print('Revoked.')
}
