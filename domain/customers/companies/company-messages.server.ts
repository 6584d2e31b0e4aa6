/** Contents of company mails, read at the time of sending. */
import { paths } from '#content/paths.ts'
import { invitationDays, kindNames, roleNames, roleWords } from './companies.ts'
import { selectCompanies, selectCompany } from './companies.sql.server.ts'
import { invitationKey } from './members.server.ts'
import { selectOpenInvitation } from './members.sql.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'web' | 'session' | 'store'> }

/**
 * Invites a person to join. If the invitation was withdrawn before the email was sent, the email states that and its
 * link is invalid.
 */
export async function companyInvitationValues(deps: Deps, { key }: { key: string }): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const { db, clock, config } = deps
  const invitation = await selectOpenInvitation(db, id, clock.now())
  const asked = invitation
    ? {
        company: invitation.company,
        inviter: invitation.invitedBy ?? unnamedInviter,
        role: roleNames[invitation.role].toLowerCase(),
        roleWords: roleWords[invitation.role],
        email: invitation.email,
      }
    : {
        company: 'A company that has taken this back',
        inviter: unnamedInviter,
        role: 'member',
        roleWords: '',
        email: '',
      }
  return {
    ...asked,
    invitationUrl: config.web.origin + paths.companyInvitation(invitationKey(deps, id)),
    days: String(invitationDays),
    phone: config.store.phone,
  }
}

const unnamedInviter = 'An owner'

/** Notifies staff of an application. */
export async function companyApplicationValues(
  { db }: Pick<Deps, 'db'>,
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
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
    about: company.about || 'No text outside the form.',
    id,
  }
}

/** Notifies a company of staff's decision. */
export async function companyDecisionValues(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const company = await selectCompany(db, id)
  return {
    company: company?.name ?? 'Your company',
    companyUrl: config.web.origin + paths.company(),
    phone: config.store.phone,
  }
}
