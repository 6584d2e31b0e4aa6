import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { isFresh, requireFresh, requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { inviteStaff, listGrants, revokeGrant } from '#domain/staff/staff.server.ts'
import { revocationForm, staffCan, staffInvitationForm, staffRoleNames, staffRoles } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { PermissionTable } from './permission-table.tsx'
import type { Route } from './+types/staff.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Staff', officePaths.officeStaff())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'staff.read', officePaths.officeStaff())
  const now = staff.shop.clock.now()
  const asked = url.searchParams.get('done')
  const done: keyof typeof news | null = asked === 'invited' || asked === 'revoked' ? asked : null
  return {
    mayManage: staffCan(staff.session.roles, 'staff.manage'),
    isFresh: isFresh(staff),
    done,
    grants: (await listGrants(staff.shop)).map((grant) => ({
      id: grant.id,
      email: grant.email,
      role: staffRoleNames[grant.role],
      invited: `${storeDateText(grant.invitedAt)} by ${grant.invitedBy}`,
      // The last moment of the last day.
      until: grant.expiresAt && storeDateText(grant.expiresAt.subtract({ seconds: 1 })),
      isLive: grant.revokedAt === null,
      state: grant.revokedAt
        ? `Revoked ${storeDateText(grant.revokedAt)} by ${grant.revokedBy}: ${grant.revokeReason}`
        : grant.expiresAt && Temporal.Instant.compare(grant.expiresAt, now) <= 0
          ? 'Expired'
          : grant.boundAt
            ? `Active since ${storeDateText(grant.boundAt)}`
            : 'Has not signed in yet',
    })),
  }
}

/** `invite` gives an email a role, `revoke` takes one away; both require fresh authentication. */
export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireStaff(context, 'staff.manage', officePaths.officeStaff())
  const fields = await readForm(request)
  requireFresh(staff, officePaths.officeStaff())
  const { shop, actor } = staff
  switch (fields.get('intent')) {
    case 'invite': {
      const checked = checkForm(staffInvitationForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const invited = await inviteStaff(shop, actor, checked.value)
      if (invited.ok) return seeOther(officePaths.officeStaff('invited'))
      if (invited.reason === 'not-allowed') return refuseForm(formRefusal(fields, refusals['not-allowed']), 403)
      return invited.reason === 'past'
        ? refuseForm(formRefusal(fields, 'Fix 1 field:', { lastDay: refusals.past }))
        : refuseForm(formRefusal(fields, 'Fix 1 field:', { email: refusals['granted-already'] }), 409)
    }
    case 'revoke': {
      const checked = checkForm(revocationForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const { grant: grantId, reason } = checked.value
      const revoked = await revokeGrant(shop, actor, { grantId, reason })
      return revoked.ok
        ? seeOther(officePaths.officeStaff('revoked'))
        : refuseForm(formRefusal(fields, refusals[revoked.reason]), revoked.reason === 'not-allowed' ? 403 : 409)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const refusals = {
  'not-allowed': 'Your own role was revoked in the meantime. Nothing was changed.',
  'granted-already': 'This email already has that role.',
  past: 'That day has passed.',
  gone: 'That role was revoked in the meantime.',
  'last-owner': 'That is the last owner who has signed in. Make someone else an owner first.',
} as const

const news = {
  invited: 'Invited. They sign in at /office with that email; no email is sent.',
  revoked: 'Revoked. Without another role, they are signed out now.',
} as const

export default function StaffPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayManage, isFresh: mayNow, done, grants } = loaderData
  const isInvite = reply?.values['intent'] === 'invite'
  return (
    <OfficePage title="Staff">
      {done && !reply ? <Notice tone="go" title={news[done]} isNews /> : null}
      <Grants grants={grants} />
      <ListFoot label="Pages of people" older={null} file={officePaths.officeListFile('staff')} />
      {mayManage && mayNow ? (
        <div className="office-pair">
          <InvitationForm reply={isInvite ? reply : undefined} />
          <RevocationForm grants={grants} reply={isInvite ? undefined : reply} />
        </div>
      ) : null}
      {mayManage && !mayNow ? (
        <Notice tone="signal" title="Inviting and revoking require a recent sign-in">
          <p>
            <a href={officePaths.officeSignIn({ back: officePaths.officeStaff(), again: 'yes' })}>Sign in again</a> to
            continue: your last sign-in was more than ten minutes ago.
          </p>
        </Notice>
      ) : null}
      <PermissionTable />
    </OfficePage>
  )
}

type Grant = Route.ComponentProps['loaderData']['grants'][number]

const columns = [
  { key: 'email', label: 'Email', isRowHeader: true },
  { key: 'role', label: 'Role' },
  { key: 'until', label: 'Until' },
  { key: 'state', label: 'State' },
  { key: 'invited', label: 'Invited' },
]

function Grants({ grants }: { grants: Grant[] }) {
  return (
    <Panel id="grants" title="People and roles">
      <DataTable
        caption="People and roles"
        columns={columns}
        rows={grants.map(({ id, email, role, invited, until, isLive, state }) => ({
          id,
          isMuted: !isLive,
          cells: { email, role, until: until ?? 'No end', state, invited },
        }))}
      />
    </Panel>
  )
}

function InvitationForm({ reply }: { reply: FormReply | undefined }) {
  return (
    <Panel id="invite" title="Invite a staff member">
      <PanelBody>
        <form method="post" noValidate>
          <ErrorSummary reply={reply} labels={{ email: 'Email', role: 'Role', lastDay: 'Last day' }} />
          <Field
            name="email"
            label="Email"
            reply={reply}
            type="email"
            autoComplete="off"
            maxLength={254}
            required
            hint="The email they have verified at the sign-in service."
          />
          <SelectField name="role" label="Role" reply={reply} value="support">
            {staffRoles.map((role) => (
              <option key={role} value={role}>
                {staffRoleNames[role]}
              </option>
            ))}
          </SelectField>
          <Field
            name="lastDay"
            label="Last day"
            reply={reply}
            type="date"
            required={false}
            hint="Leave empty for no end."
          />
          <p>
            <button className="btn primary" name="intent" value="invite">
              Invite
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

function RevocationForm({ grants, reply }: { grants: Grant[]; reply: FormReply | undefined }) {
  return (
    <Panel id="revoke" title="Revoke a role">
      <PanelBody>
        <form method="post" noValidate>
          <ErrorSummary reply={reply} labels={{ grant: 'Whose role', reason: 'Reason' }} />
          <SelectField name="grant" label="Whose role" reply={reply}>
            <option value="">Choose</option>
            {grants
              .filter(({ isLive }) => isLive)
              .map(({ id, email, role }) => (
                <option key={id} value={id}>
                  {email}, {role}
                </option>
              ))}
          </SelectField>
          <TextAreaField name="reason" label="Reason" reply={reply} rows={3} maxLength={500} />
          <p>
            <button className="btn stop" name="intent" value="revoke">
              Revoke
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
