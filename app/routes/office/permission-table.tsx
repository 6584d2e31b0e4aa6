import { Panel } from '#app/ui/office/office-parts.tsx'
import { permissions, staffRoleNames, staffRoles, type Permission } from '#domain/staff/staff.ts'

/** Permissions of one area follow one another, whatever the order they were added in. */
const byArea = (Object.keys(permissions) as Permission[]).toSorted(
  (one, other) =>
    areaOf(one).localeCompare(areaOf(other)) || permissions[one].words.localeCompare(permissions[other].words),
)

function areaOf(permission: Permission): string {
  return permission.split('.')[0] ?? permission
}

/** The table of permissions that pages and use cases decide by: a row per permission, a column per role. */
export function PermissionTable() {
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
            </tr>
          </thead>
          <tbody>
            {byArea.map((permission) => (
              <PermissionRow key={permission} permission={permission} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function PermissionRow({ permission }: { permission: Permission }) {
  const { words, roles } = permissions[permission]
  const permitted: readonly string[] = roles
  return (
    <tr>
      <th scope="row">{words}</th>
      {staffRoles.map((role) => (
        <td key={role}>{permitted.includes(role) ? 'Yes' : <span className="muted">No</span>}</td>
      ))}
    </tr>
  )
}
