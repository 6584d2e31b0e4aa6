/** What the mails about companies say, read at the moment of sending. */
import { invitationDays, kindNames, roleNames, roleWords } from '#domain/companies/companies.ts'
import { selectCompanies, selectCompany } from '#domain/companies/companies.sql.server.ts'
import { invitationKey } from '#domain/companies/members.server.ts'
import { selectOpenInvitation } from '#domain/companies/members.sql.server.ts'
import type { MessageKind, MessageValues } from '#domain/messages/messages.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'web' | 'session' | 'store'> }

/** The values of a mail about a company; undefined for one about something else. */
export async function companyMessageValues(
  deps: Deps,
  { kind, key }: { kind: MessageKind; key: string },
): Promise<MessageValues | undefined> {
  const { db, clock, config } = deps
  const [topic, id = ''] = key.split(':')
  const { phone } = config.store
  if (topic === 'company-invitation') {
    const invitation = await selectOpenInvitation(db, id, clock.now())
    // Taken back while the mail waited: it says so, and opens nothing.
    const link = `${config.web.origin}/account/company/invitation?key=${invitationKey(deps, id)}`
    return {
      company: invitation?.company ?? 'A company that has taken this back',
      inviter: invitation?.invitedBy ?? 'An owner',
      role: invitation ? roleNames[invitation.role].toLowerCase() : 'member',
      roleWords: invitation ? roleWords[invitation.role] : '',
      email: invitation?.email ?? '',
      invitationUrl: link,
      days: String(invitationDays),
      phone,
    }
  }
  if (kind === 'company-applied') {
    const company = (await selectCompanies(db, 'applied')).find((each) => each.id === id)
    if (!company)
      return { company: 'A company', kind: '', rows: [], about: 'The application was dealt with already.', id }
    return {
      company: company.name,
      kind: kindNames[company.kind],
      rows: [
        { left: 'Applicant', right: company.applicant ?? '' },
        { left: 'Phone', right: company.phone },
        { left: 'Vehicles', right: String(company.vehicles) },
      ],
      about: company.about || 'No words beside the form.',
      id,
    }
  }
  if (kind !== 'company-approved' && kind !== 'company-refused') return undefined
  const company = await selectCompany(db, id)
  return { company: company?.name ?? 'Your company', companyUrl: `${config.web.origin}/account/company`, phone }
}
