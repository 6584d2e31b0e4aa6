/** Programs that use the back office through the API, as the form of one checks them. */
import { z } from 'zod'
import type { StaffRole } from './permissions.ts'

/** A program as the list of API clients shows it. */
export type ApiClient = {
  id: string
  /** Its client ID at the sign-in provider. */
  clientId: string
  name: string
  /** The short name of its role, and the name. */
  role: string
  roleName: string
  /** Rises with each change, so that a form can tell that it is out of date. */
  version: number
  addedAt: Temporal.Instant
  addedBy: string
  /** To the minute; null if it was never used. */
  lastUsedAt: Temporal.Instant | null
  revokedAt: Temporal.Instant | null
}

/** A calling app, with its role's permissions and its token's scopes. */
export type AdmittedClient = { id: string; clientId: string; name: string; role: StaffRole; scopes: readonly string[] }

const name = z
  .string('Enter a name.')
  .trim()
  .min(2, 'Enter a name of at least 2 characters.')
  .max(60, 'Enter a name of at most 60 characters.')

const role = z.string('Choose a role.').min(1, 'Choose a role.').max(40, 'Choose a role.')

/** A new API client as a form sends it. */
export const apiClientForm = z.object({
  name,
  role,
  clientId: z
    .string('Enter the client ID.')
    .trim()
    .min(1, 'Enter the client ID.')
    .max(200, 'Enter a client ID of at most 200 characters.')
    .regex(/^[!-~]*$/, 'Enter the client ID as your sign-in provider shows it, without spaces.'),
})

/** The form to change an API client's name and role. */
export const apiClientChangeForm = z.object({ name, role, version: z.coerce.number().int().min(1) })

export type ApiClientDraft = z.output<typeof apiClientForm>
export type ApiClientChange = z.output<typeof apiClientChangeForm>
