/** The signed-in back office user and their permissions, used by every office page and form. */
import { createContext, data, type RouterContextProvider } from 'react-router'
import { officeActions, officeGroups } from '#app/office/navigation.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { readCounts, readQueuesOnce, type OfficeCounts, type QueueReader } from '#app/views/office/counts.server.ts'
import { readOpenSetup } from '#app/views/office/setup.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { storeZone } from '#platform/store-zone.ts'
import { zoneName } from '#platform/time-text.ts'
import type { WorkRequest } from '#domain/customers/accounts/accounts.server.ts'
import { findOfficeSession, type Actor } from '#domain/kernel/staff/staff.server.ts'
import {
  isFreshlyAuthenticated,
  officeSessionSeconds,
  staffCan,
  staffRoleName,
  type OfficeSession,
  type Permission,
} from '#domain/kernel/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Application } from '#application'

/** The office shell's data, with user, accessible pages with task counts, and whether the sidebar is collapsed. */
export type OfficeView = {
  who: string
  email: string
  roles: string
  pages: string[]
  actions: string[]
  counts: OfficeCounts
  /** The time zone of most times shown. */
  zone: string
  isFolded: boolean
  /** Whether single keys are shortcuts. */
  hasShortcuts: boolean
  /** How far the setup is, until the store is open; null for roles without it. */
  setup: { done: number; of: number } | null
  /** The list of a bulk action, which the sidebar marks; null on other pages. */
  list: string | null
}

export type Staff = { app: Application; session: OfficeSession; actor: Actor }

/**
 * Returns the signed-in staff member if their roles have the permission. Redirects visitors without an office session
 * to sign in and then to `path`; throws a 403 for staff without the permission.
 */
export async function requireStaff(
  context: Readonly<RouterContextProvider>,
  permission: Permission,
  path: string,
): Promise<Staff> {
  const session = await readOfficeSession(context)
  if (!session) throw seeOther(officePaths.officeSignIn({ back: pageAfterSignIn(path) }))
  const staff = await readStaff(context, permission)
  if (!staff) throw data(null, { status: 403 })
  return staff
}

/** Returns the signed-in staff member if their roles have the permission; undefined for everyone else. */
export async function readStaff(
  context: Readonly<RouterContextProvider>,
  permission: Permission,
): Promise<Staff | undefined> {
  const session = await readOfficeSession(context)
  if (!session || !staffCan(session.roles, permission)) return undefined
  const { networkKey } = context.get(visitorContext)
  return {
    app: context.get(applicationContext),
    session,
    actor: { via: 'office', name: session.email, sessionId: session.sessionId, networkKey },
  }
}

/** What the shell shows to who is signed in; null without an office session. */
export async function readOfficeView(
  context: Readonly<RouterContextProvider>,
  pathname: string,
  list: string | null = null,
): Promise<OfficeView | null> {
  const session = await readOfficeSession(context)
  if (!session) return null
  const { email, name, roles, hasShortcuts } = session
  const isHome = pathname === officePaths.office()
  const app = context.get(applicationContext)
  const [counts, setup] = await Promise.all([
    readCounts(app, roles, isHome ? queueReader(context) : undefined),
    readOpenSetup(app, roles),
  ])
  return {
    who: name ?? email,
    email,
    roles: roles.map(staffRoleName).join(', '),
    pages: officeGroups.flatMap(({ pages }) =>
      pages.filter(({ permission }) => staffCan(roles, permission)).map((page) => page.name),
    ),
    actions: officeActions.filter(({ permission }) => staffCan(roles, permission)).map((action) => action.name),
    counts,
    zone: zoneName(app.clock.now(), storeZone),
    isFolded: context.get(visitorContext).isOfficeSidebarFolded,
    hasShortcuts,
    setup: setup && { done: setup.progress.done, of: setup.progress.of },
    list,
  }
}

const queuesContext = createContext<QueueReader | null>(null)

/** Reads each task list once per request, for Home and the sidebar counts. */
export function queueReader(context: Readonly<RouterContextProvider>): QueueReader {
  const reader = context.get(queuesContext) ?? readQueuesOnce(context.get(applicationContext))
  context.set(queuesContext, reader)
  return reader
}

const sessionContext = createContext<Promise<OfficeSession | undefined> | null>(null)

/** Reads the office session once per request, for the shell, the page and its form together. */
function readOfficeSession(context: Readonly<RouterContextProvider>): Promise<OfficeSession | undefined> {
  const known = context.get(sessionContext)
  if (known) return known
  const session = findOfficeSession(context.get(applicationContext), context.get(visitorContext).officeSession)
  context.set(sessionContext, session)
  return session
}

/**
 * Returns the page to show after a sign-in required by `path`. For a file, this is the page that starts its download,
 * because after a file response the browser would remain on the sign-in form.
 */
export function pageAfterSignIn(path: string): string {
  return isOfficeFile(path) ? officePaths.officeDownload(path) : path
}

/** Whether the office answers `path` with a file to download, instead of a page. */
export function isOfficeFile(path: string): boolean {
  return /^\/office\/(?:[^?]*\.csv|export\/[^/?]+|tire-registrations\/exports\/[^/?]+|customers\/[^/?]+\/data\.json)(?:\?|$)/.test(
    path,
  )
}

/** Whether `staff` authenticated recently enough for acts that require it. */
export function isFresh({ app, session }: Staff): boolean {
  return isFreshlyAuthenticated(session, app.clock.now())
}

/** Redirects staff with an old authentication to authenticate again, and then back to `path`. */
export function requireFresh(staff: Staff, path: string): void {
  if (!isFresh(staff)) throw seeOther(officePaths.officeSignIn({ back: pageAfterSignIn(path), again: 'yes' }))
}

/** The sign-in request, which requires an authentication within the office session duration. */
export function officeRequest(mustReauthenticate: boolean): WorkRequest {
  return { purpose: 'office', maxAgeSeconds: officeSessionSeconds, mustReauthenticate }
}
