/** The statements for office sessions. */
import { officeSessionSeconds } from './staff.ts'
import { workSessions } from '#platform/work-sessions.ts'

export const officeSessions = workSessions('office_session', officeSessionSeconds)
