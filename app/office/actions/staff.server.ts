/** Custom roles, and the roles of staff. */
import { z } from 'zod'
import { defineActions, formAction, plainAction } from '#app/office/define-actions.server.ts'
import {
  addRole,
  changeRole,
  findOwnRole,
  inviteStaff,
  listRoleNames,
  retireRole,
  revokeGrant,
} from '#domain/kernel/staff/staff.server.ts'
import { revocationForm, roleForm, staffInvitationForm, type Permission } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'

const mostNamed = 5

/** Why a program may not give these permissions. */
function notGiven(permissions: readonly Permission[]): string {
  const named = permissions.slice(0, mostNamed).join(', ')
  const more = permissions.length > mostNamed ? `, and ${permissions.length - mostNamed} more` : ''
  return `Programs can’t give these permissions: ${named}${more}. An owner does this in the back office.`
}

export const roleActions = defineActions({
  resource: 'roles',
  noun: 'role',
  permission: 'staff.manage',
  readPermission: 'staff.read',
  actions: {
    add: formAction(
      {
        summary: 'Add a role',
        description: 'A program adds only permissions that it has, without those that only an owner gives.',
        form: roleForm,
      },
      ({ app, by }, role) => addRole(app, by, role),
      ({ slug }) => slug,
    ),
    change: formAction(
      {
        summary: 'Change a role',
        description:
          'It applies immediately to everyone with the role. A program can’t change a role that an API client has.',
        form: roleForm,
      },
      ({ app, by, id }, role) => changeRole(app, by, id, role),
    ),
    retire: plainAction({ summary: 'Retire a role', description: 'Only one that is not in use.' }, ({ app, by, id }) =>
      retireRole(app, by, id),
    ),
  },
  refusals: {
    gone: null,
    'name-taken': { field: 'name', text: 'Another role has or had this name. Choose another name.', status: 409 },
    'in-use': ({ people, clients }) =>
      people > 0
        ? `${countOf(people, 'person has', 'people have')} this role. Revoke it first.`
        : `${countOf(clients, 'API client has', 'API clients have')} this role. Give them another role first.`,
    'has-clients': 'An API client has this role. An owner changes it in the back office.',
    'not-given-by-programs': (permissions) => ({ field: 'permissions', text: notGiven(permissions) }),
  },
  async read(app, id) {
    const role = await findOwnRole(app, id)
    if (!role) return undefined
    const { name, permissions, version, people, clients } = role
    return { name, permissions, version, people, clients }
  },
  facts: z.object({
    people: z.int().meta({ description: 'How many people have it' }),
    clients: z.int().meta({ description: 'How many API clients have it' }),
  }),
  async list(app) {
    return (await listRoleNames(app)).map(({ slug, name, isBuiltIn }) => ({
      id: slug,
      label: isBuiltIn ? `${name} (built in)` : name,
    }))
  },
})

/** The roles that people have. To change a person's role, give the new one and revoke the old one. */
export const staffActions = defineActions({
  resource: 'staff',
  hasNoId: true,
  noun: 'staff role',
  permission: 'staff.manage',
  actions: {
    add: formAction(
      {
        summary: 'Give a person a role',
        description:
          'Emails them an invitation. To change a role, give the new one and revoke the old one. A program gives only roles with permissions that it has, without those that only an owner gives.',
        form: staffInvitationForm,
      },
      ({ app, by }, invitation) => inviteStaff(app, by, invitation),
      ({ id }) => id,
    ),
    revoke: formAction(
      {
        summary: 'Revoke a person’s role',
        description: '`grant` is its ID in the list of staff. A program can’t revoke the role of an owner.',
        form: revocationForm,
      },
      ({ app, by }, { grant: grantId, reason }) => revokeGrant(app, by, { grantId, reason }),
    ),
  },
  refusals: {
    'no-role': { field: 'role', text: 'Choose a role from the list.' },
    'granted-already': { field: 'email', text: 'This email already has that role.', status: 409 },
    past: { field: 'lastDay', text: 'That day has passed.' },
    gone: 'That role was already revoked.',
    'last-owner': 'This is the last owner who has signed in. Make another team member an owner first.',
    owner: 'Only an owner can revoke an owner’s role, in the back office.',
    'not-given-by-programs': (permissions) => ({ field: 'role', text: notGiven(permissions) }),
  },
})
