/** Who is signed in to the back office, and what they may do there. Every office page and form asks. */
import { createContext, data, type RouterContextProvider } from 'react-router'
import { officeActions, officeGroups } from '#app/office/navigation.ts'
import { shopContext, visitorContext } from '#app/server/context.ts'
import { readCounts, readQueuesOnce, type OfficeCounts, type QueueReader } from '#app/views/office-counts.server.ts'
import { readOpenSetup } from '#app/views/office-setup.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { WorkRequest } from '#domain/accounts/accounts.server.ts'
import { findOfficeSession, type Actor } from '#domain/staff/staff.server.ts'
import {
  isFreshlyAuthenticated,
  officeSessionSeconds,
  staffCan,
  staffRoleName,
  type OfficeSession,
  type Permission,
} from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Shop } from '#shop'

/**
 * What the shell shows of its reader: who they are, the pages their roles open with what
 * waits there, and whether they folded the sidebar.
 */
export type OfficeView = {
  who: string
  email: string
  roles: string
  pages: string[]
  actions: string[]
  counts: OfficeCounts
  isFolded: boolean
  /** How far the setup is, until the store is open; null for roles without it. */
  setup: { done: number; of: number } | null
}

export type Staff = { shop: Shop; session: OfficeSession; actor: Actor }

/**
 * Returns the signed-in staff member if their roles have the permission. Redirects everyone without an office session to
 * sign in and then to `path`; throws a 403 for staff whose roles do not have it.
 */
export async function requireStaff(
  context: Readonly<RouterContextProvider>,
  permission: Permission,
  path: string,
): Promise<Staff> {
  const session = await readOfficeSession(context)
  if (!session) throw seeOther(officePaths.officeSignIn({ back: pageAfterSignIn(path) }))
  if (!staffCan(session.roles, permission)) throw data(null, { status: 403 })
  const { networkKey } = context.get(visitorContext)
  return {
    shop: context.get(shopContext),
    session,
    actor: { via: 'office', name: session.email, sessionId: session.sessionId, networkKey },
  }
}

/** What the shell shows to who is signed in; null without an office session. */
export async function readOfficeView(
  context: Readonly<RouterContextProvider>,
  pathname: string,
): Promise<OfficeView | null> {
  const session = await readOfficeSession(context)
  if (!session) return null
  const { email, name, roles } = session
  const isHome = pathname === officePaths.office()
  const shop = context.get(shopContext)
  const [counts, setup] = await Promise.all([
    readCounts(shop, roles, isHome ? queueReader(context) : undefined),
    readOpenSetup(shop, roles),
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
    isFolded: context.get(visitorContext).isOfficeSidebarFolded,
    setup: setup && { done: setup.progress.done, of: setup.progress.of },
  }
}

const queuesContext = createContext<QueueReader | null>(null)

/** Reads each task list once per request, for Home and for the counts beside it. */
export function queueReader(context: Readonly<RouterContextProvider>): QueueReader {
  const reader = context.get(queuesContext) ?? readQueuesOnce(context.get(shopContext))
  context.set(queuesContext, reader)
  return reader
}

const sessionContext = createContext<Promise<OfficeSession | undefined> | null>(null)

/** Reads the office session once per request, for the shell, the page and its form together. */
function readOfficeSession(context: Readonly<RouterContextProvider>): Promise<OfficeSession | undefined> {
  const known = context.get(sessionContext)
  if (known) return known
  const session = findOfficeSession(context.get(shopContext), context.get(visitorContext).officeSession)
  context.set(sessionContext, session)
  return session
}

/**
 * The page to show after a sign-in that `path` required: for a file the page that starts its download, because a browser
 * that gets a file stays on the page it has, which would be the sign-in form.
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
export function isFresh({ shop, session }: Staff): boolean {
  return isFreshlyAuthenticated(session, shop.clock.now())
}

/** Sends staff whose authentication is not fresh to authenticate again, and then back to `path`. */
export function requireFresh(staff: Staff, path: string): void {
  if (!isFresh(staff)) throw seeOther(officePaths.officeSignIn({ back: pageAfterSignIn(path), again: 'yes' }))
}

/** What to ask the provider for: an authentication no older than an office session may be. */
export function officeRequest(mustReauthenticate: boolean): WorkRequest {
  return { purpose: 'office', maxAgeSeconds: officeSessionSeconds, mustReauthenticate }
}
