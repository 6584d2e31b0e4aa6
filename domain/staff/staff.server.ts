/** Staff grants, office sessions, and the audit log. */
export { listAudit, recordAct, type Act, type Actor, type AuditEntry } from './audit.server.ts'
export { recordExport } from './exports.server.ts'
export { exportStaffGrants, inviteStaff, listGrants, requirePermission, revokeGrant } from './grants.server.ts'
export { findOfficeSession, forgetOldOfficeSessions, leaveOffice, openOffice } from './office-sessions.server.ts'
export { announceJoin, joinMessageValues } from './joins.server.ts'
export { deleteView, listViews, saveView } from './views.server.ts'
