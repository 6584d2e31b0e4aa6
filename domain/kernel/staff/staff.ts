/** The parts of staff that the browser may use. */
import type { StaffRole } from './permissions.ts'

export { actLabel, acts, isAct, type ActName, type PlainAct } from './acts.ts'
export { apiClientChangeForm, apiClientForm, type AdmittedClient } from './api-clients.ts'
export { approvalForm, longestRefusal, refusalForm } from './decision-forms.ts'
export {
  permissions,
  staffCan,
  staffRoleName,
  staffRoleNames,
  staffRoles,
  type BuiltInRole,
  type Permission,
  type StaffRole,
} from './permissions.ts'
export { roleForm, type OwnRole } from './roles.ts'
export { groupBySecondFactor, secondFactorState } from './second-factors.ts'
export { firstOwnerForm, revocationForm, staffInvitationForm } from './staff-form.ts'
export { longestViewQuery, mostViews, viewForm, type OfficeListName, type SavedView } from './views.ts'

/** The office session duration, which covers a long working day. */
export const officeSessionSeconds = 12 * 3_600

/** How long an authentication counts as fresh. */
const freshSeconds = 10 * 60

/** A staff member's session in one browser. */
export type OfficeSession = {
  sessionId: string
  /** The person at the provider. */
  issuer: string
  subject: string
  /** The email of their grants, as the audit log names them. */
  email: string
  name: string | null
  roles: readonly StaffRole[]
  /** Whether single keys are shortcuts. */
  hasShortcuts: boolean
  authenticatedAt: Temporal.Instant
}

/**
 * Whether the staff member authenticated within the last ten minutes. Acts that would be worth abusing on an unattended
 * computer require it.
 */
export function isFreshlyAuthenticated(
  { authenticatedAt }: Pick<OfficeSession, 'authenticatedAt'>,
  now: Temporal.Instant,
): boolean {
  return Temporal.Instant.compare(authenticatedAt.add({ seconds: freshSeconds }), now) > 0
}
