import { roleActions } from '#app/office/actions/staff.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FreshSignInNotice } from '#app/office/decision.tsx'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { readPermissionGrants } from '#app/office/permission-grants.server.ts'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { PermissionDetails } from '#app/ui/office/permission-details.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findOwnRole } from '#domain/kernel/staff/staff.server.ts'
import { permissions, type Permission } from '#domain/kernel/staff/staff.ts'
import { permissionsByArea, type Grants } from './permission-table.tsx'
import type { Route } from './+types/staff-role.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.role?.name ?? 'New role', officePaths.officeStaff())

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'staff.manage', officePaths.officeStaffRole(slug))
  const role = slug === 'new' ? null : found(await findOwnRole(staff.app, slug))
  return {
    isFresh: isFresh(staff),
    grants: readPermissionGrants(),
    news: doneNews(url, { saved: 'Saved. The change applies immediately to everyone with this role.' }),
    role: role && {
      name: role.name,
      version: role.version,
      permissions: role.permissions,
      isUsed: role.people + role.clients > 0,
    },
  }
}

export const action = (args: Route.ActionArgs) => {
  const { slug } = args.params
  return decideActions(
    args,
    {
      id: slug,
      path: (done) => officePaths.officeStaffRole(slug, done),
      signsInAgain: true,
      done: {
        add: officePaths.officeStaff('role-added'),
        change: 'saved',
        retire: officePaths.officeStaff('role-retired'),
      },
    },
    roleActions,
  )
}

export default function StaffRolePage({ loaderData, actionData: reply, params: { slug } }: Route.ComponentProps) {
  const { role, isFresh: mayNow, news, grants } = loaderData
  return (
    <OfficePage
      title={role?.name ?? 'New role'}
      crumbs={[{ label: 'Staff', path: officePaths.officeStaff() }]}
      news={news}
      reply={reply}
    >
      {mayNow ? (
        <FormPanel
          id="role"
          title="What the role may do"
          isPair
          reply={reply}
          hidden={{ version: role?.version ?? 0 }}
          fields={{
            name: { label: 'Name', value: role?.name, max: 40, hint: 'As the team sees it, such as Night desk.' },
            permissions: <h3>Permissions</h3>,
            ...permissionFields(role?.permissions ?? [], grants),
          }}
          buttons={[
            role ? button('change', 'Save', 'primary') : button('add', 'Add the role', 'primary'),
            ...(role && !role.isUsed ? [button('retire', 'Retire this role', 'stop')] : []),
          ]}
          note="Only owners invite team members and change roles."
        />
      ) : null}
      <FreshSignInNotice
        isFresh={mayNow}
        title="Changing roles requires a recent sign-in"
        back={officePaths.officeStaffRole(slug)}
      />
    </OfficePage>
  )
}

/** Returns a checkbox per permission with what it opens, grouped by area. */
function permissionFields(ticked: readonly Permission[], grants: Grants): FormFields {
  return Object.fromEntries(
    permissionsByArea
      .filter((permission) => permission !== 'staff.manage')
      .map((permission) => [
        permission,
        {
          label: permissions[permission].words,
          kind: 'tick',
          isTicked: ticked.includes(permission),
          more: <PermissionDetails of={permissions[permission].words} grants={grants[permission]} />,
        } as const,
      ]),
  )
}
