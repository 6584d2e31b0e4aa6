/** The signed-in portal user and their permissions in the URL's shop, used by every portal page and form. */
import { createContext, data, type RouterContextProvider } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { readStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import type { WorkRequest } from '#domain/customers/accounts/accounts.server.ts'
import { pauseDaysText, shopRoleNames } from '#domain/scheduling/installers/installers.ts'
import { readStaffMembership, type Membership } from '#domain/scheduling/installers/installers.server.ts'
import {
  findPortalSession,
  type PortalActor,
  type PortalSession,
} from '#domain/installer-portal/portal/portal.server.ts'
import {
  canAfterClosing,
  isFreshAtShop,
  portalCan,
  portalSessionSeconds,
  type PortalPermission,
} from '#domain/installer-portal/portal/portal.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dayText } from '#platform/day-text.ts'
import type { Application } from '#application'

/** The pages named in the portal's bar. */
export type PortalPlace = 'day' | 'week' | 'stops' | 'storage' | 'area' | 'pay' | 'set-up' | 'feed' | 'shop' | 'store'

/** What the shell shows of its reader, their shop, and the page they are on. */
export type PortalView = {
  storeName: string
  who: string
  /** The page of the bar that the address belongs to; null on the list of shops. */
  at: PortalPlace | null
  /** The page's shop; null if not chosen yet. */
  shop: {
    code: string
    name: string
    role: string
    isInSetUp: boolean
    hasFeed: boolean
    seesPay: boolean
    seesPeople: boolean
    hasStops: boolean
    hasStorage: boolean
    hasArea: boolean
    hasStore: boolean
    seesDay: boolean
    seesProfile: boolean
    /** Why the shop takes no bookings now, for the top of every page; null while it does. */
    notice: string | null
  } | null
  /** Whether the reader has other shops. */
  hasOthers: boolean
  /** Where staff of the store go back to; null for the people of shops. */
  office: string | null
}

export type AtShop = {
  app: Application
  place: Membership
  /** Null for staff of the store in the name of the shop. */
  session: PortalSession | null
  actor: PortalActor
}

/** Returns the signed-in person of shops; redirects everyone else to sign in and then to `path`. */
export async function requirePortal(
  context: Readonly<RouterContextProvider>,
  path: string,
): Promise<{ app: Application; session: PortalSession }> {
  const session = await readPortalSession(context)
  if (!session) throw seeOther(portalPaths.signIn({ back: path }))
  return { app: context.get(applicationContext), session }
}

const sessionContext = createContext<Promise<PortalSession | undefined> | null>(null)

/** Reads the portal session once per request, for the shell, the page and its form together. */
function readPortalSession(context: Readonly<RouterContextProvider>): Promise<PortalSession | undefined> {
  const known = context.get(sessionContext)
  if (known) return known
  const session = findPortalSession(context.get(applicationContext), context.get(visitorContext).portalSession)
  context.set(sessionContext, session)
  return session
}

/**
 * Returns the URL's shop if the user's role in it has the permission. Responds with 404 for shops they aren't a member
 * of. Responds with 403 without the permission, and redirects signed-out users to sign in.
 */
export async function requireShop(
  context: Readonly<RouterContextProvider>,
  permission: PortalPermission,
  { shopCode, path }: { shopCode: string; path: string },
): Promise<AtShop> {
  const session = await readPortalSession(context)
  const place = session?.shops.find(({ code }) => code === shopCode)
  if (!session || !place) {
    const asStaff = await readStaffAtShop(context, shopCode)
    if (!asStaff && !session) throw seeOther(portalPaths.signIn({ back: path }))
    if (!asStaff) throw data(null, { status: 404 })
    if (!portalCan('staff', permission)) throw data(null, { status: 403 })
    return asStaff
  }
  if (!portalCan(place.role, permission)) throw data(null, { status: 403 })
  if (place.status === 'closed' && !canAfterClosing(permission)) throw data(null, { status: 403 })
  return {
    app: context.get(applicationContext),
    place,
    session,
    actor: { sessionId: session.sessionId, shopId: place.shopId },
  }
}

/** Returns the URL's shop for store staff with access to it; undefined for others. */
async function readStaffAtShop(
  context: Readonly<RouterContextProvider>,
  shopCode: string,
): Promise<AtShop | undefined> {
  const staff = await readStaff(context, 'shops.edit')
  const place = staff && (await readStaffMembership(staff.app.db, shopCode))
  return staff && place && { app: staff.app, place, session: null, actor: { staff: staff.actor, shopId: place.shopId } }
}

/** Redirects users with an old authentication to authenticate again, and then back to `path`. */
export function requireFreshAtShop({ app, session }: AtShop, path: string): void {
  if (!session || !isFreshAtShop(session, app.clock.now()))
    throw seeOther(portalPaths.signIn({ back: path, again: 'yes' }))
}

/** Names the signed-in person. */
export function whoOf({ name }: Pick<PortalSession, 'name'>): string {
  return name ?? 'Signed in'
}

/** Returns the portal shell's data; null without a session. Excludes shops they aren't a member of. */
export async function readPortalView(
  context: Readonly<RouterContextProvider>,
  pathname: string,
): Promise<PortalView | null> {
  const session = await readPortalSession(context)
  const storeName = context.get(applicationContext).config.store.name
  const [, , shopCode = '', page = ''] = pathname.split('/')
  const place = session?.shops.find(({ code }) => code === shopCode)
  const at = placesByPage[page] ?? 'day'
  if (!place && /^[A-Za-z]{1,4}-\d{1,9}$/.test(shopCode)) {
    const asStaff = await readStaffAtShop(context, shopCode)
    const who = await readStaff(context, 'shops.edit')
    if (asStaff && who)
      return {
        storeName,
        who: who.session.email,
        at,
        shop: shopViewOf(asStaff.place),
        hasOthers: false,
        office: officePaths.officeShop(shopCode),
      }
  }
  if (!session) return null
  return {
    storeName,
    who: whoOf(session),
    at: place ? at : null,
    shop: place ? shopViewOf(place) : null,
    hasOthers: session.shops.length > 1,
    office: null,
  }
}

/** The page of the bar by the part of an address after the shop; all others belong to the day. */
const placesByPage: Readonly<Record<string, PortalPlace>> = {
  week: 'week',
  stops: 'stops',
  storage: 'storage',
  area: 'area',
  pay: 'pay',
  'set-up': 'set-up',
  feed: 'feed',
  capacity: 'shop',
  prices: 'shop',
  people: 'shop',
  emails: 'shop',
  profile: 'shop',
  store: 'store',
}

function shopViewOf(place: Membership): NonNullable<PortalView['shop']> {
  return {
    code: place.code,
    name: place.shopName,
    role: place.role === 'staff' ? 'For the store' : shopRoleNames[place.role],
    isInSetUp: place.isInSetUp,
    hasFeed: portalCan(place.role, 'feed.edit'),
    seesPay: portalCan(place.role, 'pay.read'),
    seesPeople: portalCan(place.role, 'people.edit'),
    hasStops: place.isVan && portalCan(place.role, 'stops.read'),
    hasStorage: !place.isVan && portalCan(place.role, 'jobs.work'),
    hasArea: place.isVan && portalCan(place.role, 'area.edit'),
    hasStore: portalCan(place.role, 'store.edit'),
    seesDay: portalCan(place.role, 'day.read'),
    seesProfile: portalCan(place.role, 'profile.edit') && place.status !== 'closed',
    notice: noticeOf(place),
  }
}

function noticeOf({ status, pause, lastDay }: Membership): string | null {
  if (status === 'closed') return 'This shop is closed. You still see its past jobs and its pay.'
  if (status === 'suspended') return 'This shop is suspended. Customers don’t see it until the store reinstates it.'
  const day = (text: string) => dayText(Temporal.PlainDate.from(text))
  if (lastDay !== null) return `This shop closes after ${day(lastDay)}. It takes no bookings for later days.`
  return pause && `New bookings are paused ${pauseDaysText(pause)}.`
}

/** The sign-in request, which requires an authentication within the portal session duration. */
export function portalRequest(mustReauthenticate: boolean): WorkRequest {
  return { purpose: 'portal', maxAgeSeconds: portalSessionSeconds, mustReauthenticate }
}
