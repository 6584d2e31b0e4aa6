import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import {
  companyCan,
  companyRefusals,
  companyRoles,
  invitationDays,
  invitationForm,
  roleNames,
  roleWords,
} from '#domain/customers/companies/companies.ts'
import {
  changeRole,
  inviteMember,
  listMembers,
  removeMember,
  takeBackInvitation,
} from '#domain/customers/companies/companies.server.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import { CompanyPage } from './company-page.tsx'
import { requireCompany } from './require-company.server.ts'
import type { Route } from './+types/company-members.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Members',
    description: 'Members of your company.',
    path: paths.companyMembers(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { app, company, role, signedIn } = await requireCompany(context, paths.companyMembers())
  const { members, invitations } = await listMembers(app, company.id)
  const mayManage = companyCan(role, 'manage')
  return {
    name: company.name,
    mayManage,
    members: members.map(({ accountId, name, email, role: of }) => ({
      id: accountId,
      who: name ?? email ?? 'Someone',
      email,
      role: of,
      isMe: accountId === signedIn.accountId,
    })),
    invitations: mayManage
      ? invitations.map(({ id, email, role: of, expiresAt }) => ({
          id,
          email,
          role: roleNames[of],
          until: storeDateText(expiresAt),
        }))
      : [],
  }
}

/** `invite` sends an invitation, `withdraw` cancels one, `role` changes a member's role, `remove` removes a member. */
export async function action({ request, context }: Route.ActionArgs) {
  const { app, signedIn } = await requireCompany(context, paths.companyMembers())
  const fields = await readForm(request)
  const by = signedIn.accountId
  const member = fields.get('member') ?? ''
  switch (fields.get('intent')) {
    case 'invite': {
      const checked = checkForm(invitationForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const invited = await inviteMember(app, by, checked.value)
      if (invited.ok) return seeOther(paths.companyMembers())
      if (invited.reason === 'member-already')
        return refuseForm(formRefusal(fields, 'Fix 1 field:', { email: problems['member-already'] }), 409)
      return refuseForm(formRefusal(fields, problems[invited.reason]), statuses[invited.reason])
    }
    case 'withdraw': {
      const taken = await takeBackInvitation(app, by, fields.get('invitation') ?? '')
      return taken.ok
        ? seeOther(paths.companyMembers())
        : refuseForm(formRefusal(fields, problems[taken.reason]), statuses[taken.reason])
    }
    case 'role': {
      const role = companyRoles.find((each) => each === fields.get('role'))
      if (!role) return refuseForm(formRefusal(fields, 'Choose a role.'))
      const changed = await changeRole(app, by, { accountId: member, role })
      return changed.ok
        ? seeOther(paths.companyMembers())
        : refuseForm(formRefusal(fields, problems[changed.reason]), statuses[changed.reason])
    }
    case 'remove': {
      const removed = await removeMember(app, by, member)
      return removed.ok
        ? seeOther(paths.companyMembers())
        : refuseForm(formRefusal(fields, problems[removed.reason]), statuses[removed.reason])
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const problems = companyRefusals.members
const statuses = {
  'not-allowed': 403,
  'too-many': 429,
  gone: 409,
  'member-not-found': 404,
  'last-owner': 409,
  'own-limit': 403,
} as const

export default function Members({
  loaderData: { name, mayManage, members, invitations },
  actionData: reply,
}: Route.ComponentProps) {
  const isInvite = reply?.values['intent'] === 'invite'
  return (
    <CompanyPage name={name} at="members">
      {reply && !isInvite ? <ErrorSummary reply={{ ...reply, errors: {} }} /> : null}
      <ul className="account-list">
        {members.map((member) => (
          <MemberRow key={member.id} member={member} mayManage={mayManage} />
        ))}
      </ul>
      {invitations.length > 0 ? <Invitations invitations={invitations} /> : null}
      {mayManage ? <InvitationForm reply={isInvite ? reply : undefined} /> : null}
    </CompanyPage>
  )
}

type View = Route.ComponentProps['loaderData']

function MemberRow({
  member: { id, who, email, role, isMe },
  mayManage,
}: {
  member: View['members'][number]
  mayManage: boolean
}) {
  return (
    <li className="panel padded company-member">
      <p>
        <b>{who}</b>
        {isMe ? ' (you)' : ''}
        <span className="small muted">
          {email === who ? roleNames[role] : [email, roleNames[role]].filter(Boolean).join(', ')}
        </span>
      </p>
      {mayManage ? (
        <form method="post" className="row wrap-row">
          <input type="hidden" name="member" value={id} />
          <label className="visually-hidden" htmlFor={`role-${id}`}>
            Role of {who}
          </label>
          <select className="input" id={`role-${id}`} name="role" defaultValue={role}>
            {companyRoles.map((each) => (
              <option key={each} value={each}>
                {roleNames[each]}
              </option>
            ))}
          </select>
          <button className="btn" name="intent" value="role" aria-label={`Change the role of ${who}`}>
            Change
          </button>
          <button className="btn quiet" name="intent" value="remove" aria-label={`Remove ${who}`}>
            Remove
          </button>
        </form>
      ) : null}
    </li>
  )
}

/** Invitations not accepted yet. */
function Invitations({ invitations }: Pick<View, 'invitations'>) {
  return (
    <section className="stack" aria-labelledby="invited">
      <h2 id="invited">Invited</h2>
      <ul className="account-list">
        {invitations.map(({ id, email, role, until }) => (
          <li key={id} className="panel padded company-member">
            <p>
              <b>{email}</b>
              <span className="small muted">
                {role}, until {until}
              </span>
            </p>
            <form method="post">
              <input type="hidden" name="invitation" value={id} />
              <button
                className="btn quiet"
                name="intent"
                value="withdraw"
                aria-label={`Withdraw the invitation for ${email}`}
              >
                Withdraw
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}

function InvitationForm({ reply }: { reply: FormReply | undefined }) {
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>Invite someone</h2>
      <ErrorSummary reply={reply} labels={{ email: 'Email', role: 'Role' }} />
      <div className="field-pair">
        <Field
          name="email"
          label="Email"
          reply={reply}
          type="email"
          autoComplete="off"
          maxLength={254}
          required
          hint={`The link works once, within ${countOf(invitationDays, 'day')}, for this address.`}
        />
        <SelectField name="role" label="Role" reply={reply} value="buyer">
          {companyRoles.map((each) => (
            <option key={each} value={each}>
              {roleNames[each]}
            </option>
          ))}
        </SelectField>
      </div>
      <ul className="small muted">
        {companyRoles.map((each) => (
          <li key={each}>
            <b>{roleNames[each]}</b>: {roleWords[each]}
          </li>
        ))}
      </ul>
      <p>
        <button className="btn primary" name="intent" value="invite">
          Send invitation
        </button>
      </p>
    </form>
  )
}
