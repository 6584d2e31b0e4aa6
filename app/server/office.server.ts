/** Who is signed in to the back office, and what they may do there. Every office page and form asks. */
import { data, type RouterContextProvider } from 'react-router'
import { shopContext, visitorContext } from '#app/server/context.ts'
import { officePaths } from '#content/office-paths.ts'
import type { WorkRequest } from '#domain/accounts/accounts.server.ts'
import { findOfficeSession, type Actor } from '#domain/staff/staff.server.ts'
import {
  isFreshlyAuthenticated,
  officeSessionSeconds,
  staffCan,
  staffRoleNames,
  type OfficeSession,
  type Permission,
} from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Shop } from '#shop'

/** What every office page shows of its reader: who they are, and the pages their roles open. */
export type OfficeView = { who: string; email: string; roles: string; pages: { name: OfficePageName; path: string }[] }

export type OfficePageName =
  | 'today'
  | 'orders'
  | 'pickups'
  | 'returns'
  | 'refunds'
  | 'quotes'
  | 'stock'
  | 'catalog'
  | 'promotions'
  | 'customers'
  | 'companies'
  | 'messages'
  | 'reviews'
  | 'guarantees'
  | 'claims'
  | 'held-orders'
  | 'reconciliation'
  | 'disputes'
  | 'certified-shops'
  | 'branded-stores'
  | 'partners'
  | 'content'
  | 'shop-applications'
  | 'shop-reports'
  | 'recalls'
  | 'tire-registrations'
  | 'shop-pay'
  | 'reports'
  | 'staff'
  | 'audit'
  | 'health'
  | 'settings'

/** The pages of the rail, in its order. A page is added with its route; readers whose role refuses it do not see it. */
const pagesOfOffice: readonly { name: OfficePageName; path: string; permission: Permission }[] = [
  { name: 'today', path: officePaths.office(), permission: 'office.open' },
  { name: 'orders', path: officePaths.officeOrders(), permission: 'orders.read' },
  { name: 'pickups', path: officePaths.officePickups(), permission: 'pickups.read' },
  { name: 'held-orders', path: officePaths.officeHeldOrders(), permission: 'held-orders.read' },
  { name: 'disputes', path: officePaths.officeDisputes(), permission: 'disputes.read' },
  { name: 'returns', path: officePaths.officeReturns(), permission: 'returns.read' },
  { name: 'refunds', path: officePaths.officeRefunds(), permission: 'refunds.read' },
  { name: 'quotes', path: officePaths.officeQuotes(), permission: 'quotes.write' },
  { name: 'stock', path: officePaths.officeStock(), permission: 'stock.read' },
  { name: 'promotions', path: officePaths.officePromotions(), permission: 'promotions.read' },
  { name: 'catalog', path: officePaths.officeCatalog(), permission: 'catalog.read' },
  { name: 'customers', path: officePaths.officeCustomers(), permission: 'customers.read' },
  { name: 'companies', path: officePaths.officeCompanies(), permission: 'companies.read' },
  { name: 'partners', path: officePaths.officePartners(), permission: 'partners.read' },
  { name: 'shop-applications', path: officePaths.officeShopApplications(), permission: 'shop-applications.read' },
  { name: 'certified-shops', path: officePaths.officeCertifiedShops(), permission: 'certifications.read' },
  { name: 'branded-stores', path: officePaths.officeBrandedStores(), permission: 'branded-stores.read' },
  { name: 'shop-reports', path: officePaths.officeShopReports(), permission: 'shop-reports.read' },
  { name: 'recalls', path: officePaths.officeRecalls(), permission: 'recalls.read' },
  { name: 'tire-registrations', path: officePaths.officeTireRegistrations(), permission: 'tire-registrations.read' },
  { name: 'shop-pay', path: officePaths.officeShopPays(), permission: 'pay.read' },
  { name: 'messages', path: officePaths.officeMessages(), permission: 'requests.read' },
  { name: 'guarantees', path: officePaths.officeGuarantees(), permission: 'guarantees.read' },
  { name: 'claims', path: officePaths.officeClaims(), permission: 'claims.read' },
  { name: 'reviews', path: officePaths.officeReviews(), permission: 'reviews.read' },
  { name: 'content', path: officePaths.officeContent(), permission: 'content.edit' },
  { name: 'reconciliation', path: officePaths.officeReconciliation(), permission: 'reconciliation.read' },
  { name: 'reports', path: officePaths.officeReports(), permission: 'reports.read' },
  { name: 'staff', path: officePaths.officeStaff(), permission: 'staff.read' },
  { name: 'audit', path: officePaths.officeAudit(), permission: 'audit.read' },
  { name: 'health', path: officePaths.officeHealth(), permission: 'health.read' },
  { name: 'settings', path: officePaths.officeSettings(), permission: 'settings.read' },
]

export type Staff = { shop: Shop; session: OfficeSession; actor: Actor; office: OfficeView }

/**
 * Returns the signed-in staff member if their roles have the permission. Redirects everyone without an office session to
 * sign in and then to `path`; throws a 403 for staff whose roles do not have it.
 */
export async function requireStaff(
  context: Readonly<RouterContextProvider>,
  permission: Permission,
  path: string,
): Promise<Staff> {
  const shop = context.get(shopContext)
  const visitor = context.get(visitorContext)
  const session = await findOfficeSession(shop, visitor.officeSession)
  if (!session) throw seeOther(officePaths.officeSignIn({ back: pageAfterSignIn(path) }))
  if (!staffCan(session.roles, permission)) throw data(null, { status: 403 })
  const { email, name, roles, sessionId } = session
  return {
    shop,
    session,
    actor: { via: 'office', name: email, sessionId, networkKey: visitor.networkKey },
    office: {
      who: name ?? email,
      email,
      roles: roles.map((role) => staffRoleNames[role]).join(', '),
      pages: pagesOfOffice
        .filter((page) => staffCan(roles, page.permission))
        .map(({ name: of, path: at }) => ({ name: of, path: at })),
    },
  }
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
  return /^\/office\/(?:[^?]*\.csv|export\/[^/?]+|tire-registrations\/exports\/[^/?]+)(?:\?|$)/.test(path)
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
