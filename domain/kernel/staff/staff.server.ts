/** Staff grants, office sessions, and the audit log. */
export {
  issueAuthorization,
  listAudit,
  recordAct,
  type Act,
  type ActWithout,
  type Actor,
  type AuditEntry,
  type Authorization,
  type FreshOrScoped,
  type Recorded,
} from './audit.server.ts'
export { changeText } from './audit-text.ts'
export { recordExport } from './exports.server.ts'
export {
  accountableFor,
  exportStaffGrants,
  findStaff,
  inviteStaff,
  listGrants,
  listOtherStaff,
  listStaffEmails,
  lockOtherStaff,
  lockStaffEmails,
  requireFreshOrScope,
  requireFreshPermission,
  requirePermission,
  revokeGrant,
} from './grants.server.ts'
export {
  addApiClient,
  admitApiClient,
  changeApiClient,
  findApiClient,
  listApiClients,
  revokeApiClient,
} from './api-clients.server.ts'
export { acceptOwnerLink, createOwnerLink, isOwnerLinkOpen, ownerLinkMinutes } from './owner-link.server.ts'
export { addRole, changeRole, findOwnRole, listOwnRoles, listRoleNames, retireRole } from './roles.server.ts'
export {
  findOfficeSession,
  forgetOldOfficeSessions,
  isStaffHere,
  leaveOffice,
  openOffice,
  officeIdTokenPurpose,
} from './office-sessions.server.ts'
export { invitationMessageValues } from './invitations.server.ts'
export { announceJoin, joinMessageValues } from './joins.server.ts'
export { saveShortcuts } from './shortcuts.server.ts'
export { deleteView, listViews, saveView, updateView } from './views.server.ts'
