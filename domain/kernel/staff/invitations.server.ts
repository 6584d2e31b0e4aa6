/** The email that invites a staff member. */
import { officePaths } from '#content/office-paths.ts'
import { selectGrant } from './grants.sql.server.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { storeDateText } from '#platform/store-zone.ts'

/** Has the email of a new grant sent, in the transaction that adds the grant. */
export async function emailInvitation(tx: Tx, { grantId, to }: { grantId: string; to: string }): Promise<void> {
  await enqueue(tx, 'email-about-join', { key: `staff-invitation:${grantId}`, to, kind: 'staff-invitation' })
}

/** Returns the values of the email of an invitation; null if it was withdrawn. */
export async function invitationMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<Record<string, string> | null> {
  const [, grantId = ''] = key.split(':')
  const grant = await selectGrant(db, grantId)
  if (!grant) return null
  const { invitedBy, roleName, expiresAt } = grant
  return {
    // A command on the server has no email.
    inviter: invitedBy.includes('@') ? invitedBy : config.store.name,
    role: roleName,
    // The last moment of the last day.
    until: expiresAt === null ? '' : ` until ${storeDateText(expiresAt.subtract({ seconds: 1 }))}`,
    accessUrl: `${config.web.origin}${officePaths.office()}`,
    store: config.store.name,
    phone: config.store.phone,
  }
}
