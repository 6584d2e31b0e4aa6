/** The store's own lists of pages, staff, and settings changes. */
import { allRows, defineList, idPlace, placeOfId, time } from '#app/office/define-list.server.ts'
import { readContentRows } from '#app/views/office/content.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listSettingChanges } from '#domain/kernel/settings/settings.server.ts'
import { secondFactorName } from '#app/views/office/second-factors.ts'
import { listGrants } from '#domain/kernel/staff/staff.server.ts'

export const content = defineList({
  name: 'content',
  title: 'Pages',
  path: officePaths.officeContent(),
  permission: 'content.edit',
  caption: 'Policies and pages',
  empty: 'No pages.',
  nouns: ['page', 'pages'],
  columns: [
    { key: 'title', label: 'Page', isFixed: true },
    { key: 'address', label: 'Address' },
    { key: 'kind', label: 'Kind' },
    { key: 'version', label: 'Published' },
    { key: 'since', label: 'Since', kind: 'time' },
    { key: 'by', label: 'By' },
    { key: 'next', label: 'Next version', kind: 'time' },
  ],
  links: [{ label: 'Add a page', path: officePaths.officeContentNew(), isPrimary: true }],
  rowAt: () => ({ after: null }),
  read: ({ app }) =>
    allRows(readContentRows(app), ({ slug, title, address, kind, version, since, by, nextAt }) => ({
      id: slug,
      label: title,
      path: officePaths.officeContentPage(slug),
      cells: {
        title,
        address: { text: address, path: address },
        kind,
        version,
        since: time(since),
        by,
        next: time(nextAt),
      },
    })),
})

export const staff = defineList({
  name: 'staff',
  title: 'Staff',
  path: officePaths.officeStaff(),
  permission: 'staff.read',
  caption: 'People and roles',
  empty: 'No staff.',
  nouns: ['role', 'roles'],
  columns: [
    { key: 'email', label: 'Email', isFixed: true },
    { key: 'role', label: 'Role' },
    { key: 'invitedBy', label: 'Invited by' },
    { key: 'invited', label: 'Invited', kind: 'time' },
    { key: 'expires', label: 'Ends', kind: 'time' },
    { key: 'signedIn', label: 'Last sign-in', kind: 'time' },
    { key: 'secondFactor', label: 'Second factor' },
    { key: 'secondFactorAt', label: 'Last second factor', kind: 'time' },
    { key: 'revoked', label: 'Revoked', kind: 'time' },
    { key: 'revokedBy', label: 'Revoked by' },
    { key: 'reason', label: 'Reason' },
  ],
  rowAt: () => ({ after: null }),
  read: ({ app }) =>
    allRows(listGrants(app), (grant) => ({
      id: grant.id,
      label: grant.email,
      path: null,
      cells: {
        email: grant.email,
        role: grant.roleName,
        invitedBy: grant.invitedBy,
        invited: time(grant.invitedAt),
        expires: time(grant.expiresAt),
        signedIn: time(grant.signedInAt),
        secondFactor: secondFactorName(grant),
        secondFactorAt: time(grant.secondFactorAt),
        revoked: time(grant.revokedAt),
        revokedBy: grant.revokedBy,
        reason: grant.revokeReason,
      },
    })),
})

export const settings = defineList({
  name: 'settings',
  title: 'Setting changes',
  path: officePaths.officeSettings(),
  permission: 'settings.read',
  caption: 'Setting changes',
  nouns: ['change', 'changes'],
  columns: [
    { key: 'setting', label: 'Setting', isFixed: true },
    { key: 'before', label: 'Before' },
    { key: 'after', label: 'After' },
    { key: 'by', label: 'Changed by' },
    { key: 'at', label: 'Changed', kind: 'time' },
  ],
  read: async ({ app }, { after, before }) => {
    const { changes, next } = await listSettingChanges(app, idPlace(after ?? before))
    return {
      rows: changes.map(({ name, was, value, by, at }, index) => ({
        id: `${at.toString()} ${index}`,
        label: name,
        path: null,
        cells: { setting: name, before: textOf(was), after: textOf(value), by, at: time(at) },
      })),
      next: placeOfId(next),
    }
  },
})

function textOf(value: unknown): string | null {
  return value === null || typeof value === 'string' ? value : JSON.stringify(value)
}
