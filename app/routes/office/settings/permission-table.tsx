import type { PermissionGrants } from '#app/office/permission-grants.ts'
import { PermissionDetails } from '#app/ui/office/permission-details.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { permissions, staffRoleNames, staffRoles, type OwnRole, type Permission } from '#domain/kernel/staff/staff.ts'

/** Permissions of one area follow one another, whatever the order they were added in. */
export const permissionsByArea = (Object.keys(permissions) as Permission[]).toSorted(
  (one, other) =>
    areaOf(one).localeCompare(areaOf(other)) || permissions[one].words.localeCompare(permissions[other].words),
)

function areaOf(permission: Permission): string {
  return permission.split('.')[0] ?? permission
}

/** What each permission opens. */
export type Grants = Readonly<Record<Permission, PermissionGrants>>

type Own = Pick<OwnRole, 'slug' | 'name' | 'permissions'>

/** Renders the permissions that pages and use cases check, with what each opens, and a column per role. */
export function PermissionTable({ own, grants }: { own: readonly Own[]; grants: Grants }) {
  return (
    <Panel id="permissions" title="What each role may do">
      <div className="office-scroll" role="region" aria-label="Permissions by role" tabIndex={0}>
        <table className="office-table office-grid">
          <thead>
            <tr>
              <th scope="col">Permission</th>
              <th scope="col">Opens</th>
              {staffRoles.map((role) => (
                <th key={role} scope="col">
                  {staffRoleNames[role]}
                </th>
              ))}
              {own.map(({ slug, name }) => (
                <th key={slug} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissionsByArea.map((permission) => (
              <PermissionRow key={permission} permission={permission} own={own} grants={grants[permission]} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function PermissionRow({
  permission,
  own,
  grants,
}: {
  permission: Permission
  own: readonly Own[]
  grants: PermissionGrants
}) {
  const { words, roles } = permissions[permission]
  const permitted: readonly string[] = roles
  const columns = [
    ...staffRoles.map((role) => ({ key: role as string, isPermitted: permitted.includes(role) })),
    ...own.map((role) => ({ key: role.slug, isPermitted: role.permissions.includes(permission) })),
  ]
  return (
    <tr>
      <th scope="row">{words}</th>
      <td>
        <PermissionDetails of={words} grants={grants} />
      </td>
      {columns.map(({ key, isPermitted }) => (
        <td key={key}>{isPermitted ? 'Yes' : <span className="muted">No</span>}</td>
      ))}
    </tr>
  )
}
