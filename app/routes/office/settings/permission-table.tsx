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

type Own = Pick<OwnRole, 'slug' | 'name' | 'permissions'>

/** Renders the permissions that pages and use cases check, with a row per permission and a column per role. */
export function PermissionTable({ own }: { own: readonly Own[] }) {
  return (
    <Panel id="permissions" title="What each role may do">
      <div className="office-scroll" role="region" aria-label="Permissions by role" tabIndex={0}>
        <table className="office-table office-grid">
          <thead>
            <tr>
              <th scope="col">Permission</th>
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
              <PermissionRow key={permission} permission={permission} own={own} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function PermissionRow({ permission, own }: { permission: Permission; own: readonly Own[] }) {
  const { words, roles } = permissions[permission]
  const permitted: readonly string[] = roles
  const columns = [
    ...staffRoles.map((role) => ({ key: role as string, isPermitted: permitted.includes(role) })),
    ...own.map((role) => ({ key: role.slug, isPermitted: role.permissions.includes(permission) })),
  ]
  return (
    <tr>
      <th scope="row">{words}</th>
      {columns.map(({ key, isPermitted }) => (
        <td key={key}>{isPermitted ? 'Yes' : <span className="muted">No</span>}</td>
      ))}
    </tr>
  )
}
