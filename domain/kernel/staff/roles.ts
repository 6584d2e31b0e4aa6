/** The store's own roles, as the form of a role checks them. */
import { z } from 'zod'
import { permissions, type Permission } from './permissions.ts'
import { tickedNames } from '#platform/form-fields.ts'

/** A role of staff with what it permits, as the list of roles shows it. */
export type OwnRole = {
  slug: string
  name: string
  permissions: readonly Permission[]
  /** Rises with each change, so that a form can tell that it is out of date. */
  version: number
  changedAt: Temporal.Instant
  changedBy: string
  /** How many people have it now. */
  people: number
  /** How many API clients have it now. */
  clients: number
}

/** Permissions available to custom roles. Only owners can manage staff, so that one is excluded. */
const grantablePermissions = (Object.keys(permissions) as Permission[]).filter(
  (permission) => permission !== 'staff.manage',
)

const isPermission = (text: string): text is Permission => Object.hasOwn(permissions, text)

/** The permissions among these words. A word of a permission that the product no longer has is left out. */
export function knownPermissions(words: readonly string[]): Permission[] {
  return words.filter(isPermission)
}

/** The role form, with a name and a checkbox for each permission. */
export const roleForm = z
  .object({
    name: z
      .string('Enter a name.')
      .trim()
      .min(2, 'Enter a name of at least 2 characters.')
      .max(40, 'Enter a name of at most 40 characters.')
      .regex(
        /^[A-Za-z][A-Za-z0-9 &'-]*$/,
        'Start with a letter. Use letters, digits, spaces, hyphens and apostrophes.',
      ),
    /** 0 for a new role. */
    version: z.coerce.number().int().min(0).default(0),
    permissions: tickedNames(null, grantablePermissions).optional(),
  })
  .catchall(z.string())
  .transform(({ name, version, ...rest }) => ({
    name,
    version,
    permissions: grantablePermissions.filter((permission) => rest[permission] === '1'),
  }))
  .refine(({ name }) => roleSlug(name) !== 'new', { path: ['name'], message: 'Choose another name.' })
  .refine((role) => role.permissions.length > 0, { path: [], message: 'Choose at least one permission.' })

export type RoleDraft = z.output<typeof roleForm>

/** The short name of a new role: "Night desk" is `night-desk`. */
export function roleSlug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
