import { staffActions } from '#app/office/actions/staff.server.ts'
import { actionStep, callOf, decide, doneNews } from '#app/office/decision.server.ts'
import { FreshSignInNotice } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { readPermissionGrants } from '#app/office/permission-grants.server.ts'
import { TablePanel } from '#app/office/table.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { secondFactorText } from '#app/views/office/second-factors.ts'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Unbroken } from '#app/ui/office/unbroken.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listGrants, listOwnRoles, listRoleNames } from '#domain/kernel/staff/staff.server.ts'
import { groupBySecondFactor, staffCan } from '#domain/kernel/staff/staff.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { SecondFactors } from './second-factors.tsx'
import { PermissionTable } from './permission-table.tsx'
import type { Route } from './+types/staff.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Staff', officePaths.officeStaff())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'staff.read', officePaths.officeStaff())
  const now = staff.app.clock.now()
  const [grants, roles, own] = await Promise.all([
    listGrants(staff.app),
    listRoleNames(staff.app),
    listOwnRoles(staff.app),
  ])
  return {
    roles: roles.map(({ slug, name }): [string, string] => [slug, name]),
    own: own.map(({ slug, name, permissions, people, changedAt, changedBy }) => ({
      slug,
      name,
      permissions,
      people,
      changed: `${storeDateText(changedAt)} by ${changedBy}`,
    })),
    permissionGrants: readPermissionGrants(),
    mayManage: staffCan(staff.session.roles, 'staff.manage'),
    isFresh: isFresh(staff),
    factors: groupBySecondFactor(grants, now),
    security: staff.app.identity?.profilePage('security', staff.app.config.web.origin + officePaths.officeAccount()),
    news: doneNews(url, news),
    grants: grants.map((grant) => ({
      id: grant.id,
      email: grant.email,
      role: grant.roleName,
      invited: `${storeDateText(grant.invitedAt)} by ${grant.invitedBy}`,
      // The last moment of the last day.
      until: grant.expiresAt && storeDateText(grant.expiresAt.subtract({ seconds: 1 })),
      isLive: grant.revokedAt === null,
      secondFactor: secondFactorText(grant),
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

/** `invite` gives an email a role, `revoke` takes one away; both require a recent sign-in. */
export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    { noun: 'role', permission: staffActions.permission, path: officePaths.officeStaff, signsInAgain: true },
    (posted) => ({
      invite: actionStep(staffActions.actions.add, callOf(posted, ''), 'invited'),
      revoke: actionStep(staffActions.actions.revoke, callOf(posted, ''), 'revoked'),
    }),
    staffActions.refusals,
  )

const news = {
  invited: 'Invited. We email them the address of the back office.',
  'role-added': 'Role added. Invite team members to it below.',
  'role-retired': 'Role retired.',
  revoked: 'Role revoked. Without another role, they are signed out now.',
}

const grantColumns = {
  email: 'Email',
  role: 'Role',
  until: 'Until',
  state: 'State',
  factor: 'Second factor',
}

function grantCells({
  email,
  role,
  until,
  state,
  invited,
  isLive,
  secondFactor,
}: Route.ComponentProps['loaderData']['grants'][number]) {
  return {
    email,
    role,
    until: until ?? 'No end',
    state: (
      <>
        <Unbroken>{state}</Unbroken>
        <small>
          <Unbroken>{`Invited ${invited}`}</Unbroken>
        </small>
      </>
    ),
    factor: isLive ? secondFactor : null,
  }
}

export default function StaffPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayManage, isFresh: mayNow, grants, roles, own, factors, security } = loaderData
  const live = grants
    .filter(({ isLive }) => isLive)
    .map(({ id, email, role }): [string, string] => [id, `${email}, ${role}`])
  return (
    <OfficePage title="Staff" news={loaderData.news} reply={reply}>
      <SecondFactors factors={factors} security={security ?? null} />
      <TablePanel
        id="grants"
        title="People and roles"
        columns={grantColumns}
        rows={grants.map((grant) => ({ id: grant.id, isMuted: !grant.isLive, cells: grantCells(grant) }))}
      />
      <ListFoot label="Pages of people" older={null} file={officePaths.officeListFile('staff')} />
      {mayManage && mayNow ? (
        <div className="office-pair">
          <FormPanel
            id="invite"
            title="Invite a staff member"
            reply={reply}
            fields={{
              email: { label: 'Email', kind: 'email', hint: 'The email they verified with the sign-in service.' },
              role: { label: 'Role', kind: 'choice', value: 'support', options: roles },
              lastDay: { label: 'Last day', kind: 'day', isOptional: true, hint: 'Leave empty for no end.' },
            }}
            buttons={[button('invite', 'Invite', 'primary')]}
          />
          <FormPanel
            id="revoke"
            title="Revoke a role"
            reply={reply}
            fields={{
              grant: {
                label: 'Role to revoke',
                kind: 'choice',
                options: [['', 'Choose'], ...live],
              },
              reason: { label: 'Reason', kind: 'area', rows: 3, max: 500 },
            }}
            buttons={[button('revoke', 'Revoke', 'stop')]}
          />
        </div>
      ) : null}
      {mayManage ? (
        <FreshSignInNotice
          isFresh={mayNow}
          title="Inviting and revoking require a recent sign-in"
          back={officePaths.officeStaff()}
        />
      ) : null}
      <TablePanel
        id="own-roles"
        title="Your own roles"
        end={mayManage ? <a href={officePaths.officeStaffRole('new')}>Add a role</a> : null}
        empty="No custom roles yet. The seven roles below are built in."
        columns={{ name: 'Role', permissions: 'Permissions', people: 'People', changed: 'Changed' }}
        rows={own.map(({ slug, name, permissions, people, changed }) => ({
          id: slug,
          cells: {
            name: <a href={officePaths.officeStaffRole(slug)}>{name}</a>,
            permissions: permissions.length,
            people,
            changed,
          },
        }))}
      />
      <PermissionTable own={own} grants={loaderData.permissionGrants} />
    </OfficePage>
  )
}
