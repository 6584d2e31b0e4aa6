/** The office's task lists, with permission, deadline, and query. Over 400 lines: one entry per list. */
import { officePaths } from '#content/office-paths.ts'
import { kindNames } from '#domain/customers/companies/companies.ts'
import { listCompanies, listWaitingExemptions } from '#domain/customers/companies/companies.server.ts'
import { listBounces, listRefusedMessages } from '#domain/messaging/messages/messages.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  listDelaysForStaff,
  listFitChecks,
  listOrdersToConfirm,
  listUncapturedOrders,
} from '#domain/ordering/orders/orders.server.ts'
import { listRefusedPay } from '#domain/installer-portal/payouts/payouts.server.ts'
import { causeLabels, claimNumber } from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import { listOpenClaims } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { guaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import { listOpenGuarantees } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { listApplications } from '#domain/customers/programs/programs.server.ts'
import { selectMissingTires, selectWaitingReturns } from '#domain/ordering/returns/returns.server.ts'
import { refundDue, returnNumber } from '#domain/ordering/returns/returns.ts'
import { selectAllBelowMinimum } from '#domain/catalog/promotions/promotions.server.ts'
import { belowMinimumText } from '#domain/catalog/promotions/promotions.ts'
import { listWaitingReviews } from '#domain/aftercare/reviews/reviews.server.ts'
import { listEndingQuotes } from '#domain/ordering/quotes/quotes.server.ts'
import { quoteNumber } from '#domain/ordering/quotes/quotes.ts'
import { listWaitingShopApplications } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { shopApplicationNumber } from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { listProfileRequests, listUndecidedClosings } from '#domain/installer-portal/shops/shops.server.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import { listRequests } from '#domain/messaging/support/support.server.ts'
import {
  exportWithinDays,
  remindExportAfterDays,
  shopReportKinds,
  shopReportNumber,
  workOrderStateWords,
} from '#domain/installer-portal/work-orders/work-orders.ts'
import {
  listOpenShopReports,
  listWaitingMakers,
  selectUndoneJobs,
} from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { requestNumber } from '#domain/messaging/support/support.ts'
import { listFailedJobs } from '#platform/jobs.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import { approvalQueues } from './approval-queues.server.ts'
import { chargeQueues } from './charge-queues.server.ts'
import { fraudQueues } from './fraud-queues.server.ts'
import { pickupQueues } from './pickup-queues.server.ts'
import { purchasingQueues } from './purchasing-queues.server.ts'
import { refundQueue } from './refund-queue.server.ts'
import { supplierQueues } from './supplier-queues.server.ts'

/**
 * One entry of a queue. `due` is when it should be done; `path` its page, if it has one; `customer` is shown to roles
 * that see customers.
 */
export type Entry = { label: string; customer?: string; since: Temporal.Instant; due?: Temporal.Instant; path?: string }

export type Queue = {
  slug: string
  title: string
  permission: Permission
  path?: string
  /** Within how many hours an entry is to be done, where its own `due` does not say. */
  withinHours?: number
  /** Reads at most `limit` entries, oldest first. */
  read(app: Application, limit: number): Promise<Entry[]>
}

const waitingRequests = { show: 'waiting', kind: null, assignedTo: null } as const
/** The most entries that are counted; Home and the sidebar show more as "99+". */
export const maxCounted = 100

/** A capture takes seconds; after this it is stuck. */
const captureMinutes = 60
/** Rejected emails older than this are no news to anyone. */
const refusedEmailDays = 14

/**
 * Add a queue here, with its permission, rule, and a bounded query for its oldest entries. Also add it to its page in
 * app/office/navigation.ts, which shows the count.
 */
export const officeQueues: readonly Queue[] = [
  {
    slug: 'returns',
    title: 'Returns to inspect',
    permission: 'returns.read',
    path: officePaths.officeReturns({ state: 'received' }),
    read: async (app, limit) =>
      (await selectWaitingReturns(app.db, limit)).map(({ id, name, waitingSince, requestedAt }) => ({
        label: returnNumber(id),
        customer: name,
        since: waitingSince ?? requestedAt,
        ...(waitingSince && { due: refundDue(waitingSince) }),
        path: officePaths.officeReturn(id),
      })),
  },
  {
    slug: 'missing-tires',
    title: 'Returned tires not received',
    permission: 'returns.read',
    path: officePaths.officeReturns({ state: 'requested' }),
    read: async (app, limit) =>
      (await selectMissingTires(app.db, limit)).map(({ id, name, requestedAt }) => ({
        label: returnNumber(id),
        customer: name,
        since: requestedAt,
        path: officePaths.officeReturn(id),
      })),
  },
  ...pickupQueues,
  {
    slug: 'delays',
    title: 'Lost slots',
    permission: 'delays.read',
    read: async (app, limit) =>
      (await listDelaysForStaff(app, limit)).map(({ orderId, isRefund, since }) => ({
        label: `${orderNumber(orderId)}: ${isRefund ? 'late, refund what has not arrived' : 'late, its appointment was canceled'}`,
        since,
        path: officePaths.officeOrder(orderId),
      })),
  },
  ...supplierQueues,
  {
    slug: 'to-confirm',
    title: 'Orders to confirm',
    permission: 'orders.read',
    path: officePaths.officeOrders({ state: 'to-confirm' }),
    read: async (app, limit) => (await listOrdersToConfirm(app, limit)).map(orderEntry),
  },
  {
    slug: 'fit-checks',
    title: 'Fit checks',
    permission: 'orders.read',
    path: officePaths.officeOrders({ state: 'fit-check' }),
    read: async (app, limit) => (await listFitChecks(app, { now: app.clock.now(), limit })).map(orderEntry),
  },
  {
    slug: 'below-map',
    title: 'Tires priced below the minimum advertised price',
    permission: 'promotions.read',
    path: officePaths.officeMapPrices({ state: 'below' }),
    read: async (app, limit) =>
      (await selectAllBelowMinimum(app.db, { at: app.clock.now(), limit })).map((tire) => ({
        label: belowMinimumText(tire),
        since: tire.since,
      })),
  },
  ...chargeQueues,
  ...fraudQueues,
  {
    slug: 'uncaptured',
    title: 'Payments processing too long',
    permission: 'money.watch',
    read: async (app, limit) => {
      const now = app.clock.now()
      return (await listUncapturedOrders(app, { now, minutes: captureMinutes, limit })).map(orderEntry)
    },
  },
  refundQueue,
  {
    slug: 'shop-pay',
    title: 'Failed shop payouts',
    permission: 'pay.read',
    path: officePaths.officeShopPays(),
    read: async ({ db }, limit) =>
      (await listRefusedPay(db, limit)).map(({ code, name, amountCents, at }) => ({
        label: `${formatCents(amountCents)} to ${name}`,
        since: at,
        path: officePaths.officeShopPay(code),
      })),
  },
  {
    slug: 'guarantees',
    title: 'Price guarantee requests',
    permission: 'guarantees.read',
    path: officePaths.officeGuarantees(),
    withinHours: 48,
    read: async (app, limit) =>
      (await listOpenGuarantees(app, limit)).map(({ id, tire, competitor, createdAt }) => ({
        label: `${guaranteeNumber(id)}, ${tire}, lower at ${competitor}`,
        since: createdAt,
        path: officePaths.officeGuarantee(guaranteeNumber(id)),
      })),
  },
  {
    slug: 'claims',
    title: 'Coverage claims',
    permission: 'claims.read',
    path: officePaths.officeClaims(),
    withinHours: 48,
    read: async (app, limit) =>
      (await listOpenClaims(app, limit)).map(({ id, tire, cause, createdAt }) => ({
        label: `${claimNumber(id)}, ${tire}, ${causeLabels[cause].toLowerCase()}`,
        since: createdAt,
        path: officePaths.officeClaim(claimNumber(id)),
      })),
  },
  {
    slug: 'requests',
    title: 'Messages to answer',
    permission: 'requests.read',
    path: officePaths.officeMessages(),
    withinHours: 24,
    read: async (app, limit) =>
      (await listRequests(app, waitingRequests)).requests
        .slice(0, limit)
        .map(({ id, name, subject, waitingSince, createdAt }) => ({
          label: `${requestNumber(id)}, ${name}: ${subject}`,
          since: waitingSince ?? createdAt,
          path: `${officePaths.officeMessage(id)}#body`,
        })),
  },
  {
    slug: 'bounces',
    title: 'Bounced emails',
    permission: 'requests.read',
    path: officePaths.officeBounces(),
    read: async (app, limit) =>
      (await listBounces(app)).slice(0, limit).map(({ email, orderId, blockedAt }) => ({
        label: orderId === null ? email : `${email}, order ${orderNumber(orderId)}`,
        since: blockedAt,
      })),
  },
  {
    slug: 'companies',
    title: 'Company applications',
    permission: 'companies.read',
    path: officePaths.officeCompanies(),
    read: async (app) =>
      (await listCompanies(app, 'applied')).map(({ id, name, kind, appliedAt }) => ({
        label: `${name}, ${kindNames[kind]}`,
        since: appliedAt,
        path: officePaths.officeCompany(id),
      })),
  },
  {
    slug: 'partners',
    title: 'Partner applications',
    permission: 'partners.read',
    path: officePaths.officePartners(),
    read: async (app) =>
      (await listApplications(app)).map(({ kind, business, people, received_at: since }) => ({
        label: kind === 'affiliate' ? `${business}, affiliate` : `${business}, ${countOf(people, 'person', 'people')}`,
        since,
      })),
  },
  {
    slug: 'shop-applications',
    title: 'Shop applications',
    permission: 'shop-applications.read',
    path: officePaths.officeShopApplications(),
    withinHours: 48,
    read: async (app, limit) =>
      (await listWaitingShopApplications(app, limit)).map(({ id, asked, waitingSince }) => ({
        label: `${shopApplicationNumber(id)}, ${asked.company}, ${asked.city}, ${asked.state}`,
        since: waitingSince,
        path: officePaths.officeShopApplication(shopApplicationNumber(id)),
      })),
  },
  {
    slug: 'shop-profiles',
    title: 'Shop names and addresses to approve',
    permission: 'shops.edit',
    path: officePaths.officeShops(),
    withinHours: 48,
    read: async (app, limit) =>
      (await listProfileRequests(app, limit)).map(({ code, shopName, name, city, requestedAt }) => ({
        label: name === shopName ? `${shopName}: new address in ${city}` : `${shopName}: new name ${name}`,
        since: requestedAt,
        path: officePaths.officeShop(code),
      })),
  },
  {
    slug: 'shop-closings',
    title: 'Appointments of closing shops',
    permission: 'shops.close',
    path: officePaths.officeShops(),
    read: async (app, limit) =>
      (await listUndecidedClosings(app, limit)).map(({ code, name, lastDay, timeZone, setAt, undecided }) => ({
        label: `${name}: ${countOf(undecided, 'appointment')} to decide`,
        since: setAt,
        due: Temporal.PlainDate.from(lastDay).add({ days: 1 }).toZonedDateTime(timeZone).toInstant(),
        path: officePaths.officeShop(code),
      })),
  },
  {
    slug: 'shop-reports',
    title: 'Shop reports',
    permission: 'shop-reports.read',
    path: officePaths.officeShopReports(),
    withinHours: 24,
    read: async (app, limit) =>
      (await listOpenShopReports(app, limit)).map(({ id, kind, pieces, shop: name, reportedAt }) => ({
        label: `${shopReportNumber(id)}, ${name}: ${pieces} ${shopReportKinds[kind].toLowerCase()}`,
        since: reportedAt,
        path: officePaths.officeShopReport(shopReportNumber(id)),
      })),
  },
  {
    slug: 'undone-jobs',
    title: 'Jobs not completed',
    permission: 'undone-jobs.read',
    withinHours: 4,
    read: async (app, limit) =>
      (await selectUndoneJobs(app.db, limit)).map(({ orderId, state, shop: name, since }) => ({
        label: `${orderNumber(orderId)}, ${name}: ${workOrderStateWords[state].toLowerCase()}`,
        since,
        path: officePaths.officeOrder(orderId),
      })),
  },
  {
    slug: 'tire-registrations',
    title: 'Tire registrations to send',
    permission: 'tire-registrations.read',
    path: officePaths.officeTireRegistrations(),
    withinHours: 24 * exportWithinDays,
    read: async (app, limit) => {
      const dueSince = app.clock.now().subtract({ hours: 24 * remindExportAfterDays })
      return (await listWaitingMakers(app, limit))
        .filter(({ since }) => Temporal.Instant.compare(since, dueSince) <= 0)
        .map(({ brand, tires, since }) => ({
          label: `${brand}, ${countOf(tires, 'tire')}`,
          since,
          path: officePaths.officeTireRegistrations({ maker: brand }),
        }))
    },
  },
  {
    slug: 'certificates',
    title: 'Tax certificates to check',
    permission: 'certificates.read',
    path: officePaths.officeCompanies(),
    read: async (app) =>
      (await listWaitingExemptions(app)).map(({ companyId, company, state, sentAt }) => ({
        label: `${company}, ${state}`,
        since: sentAt,
        path: officePaths.officeCompany(companyId),
      })),
  },
  {
    slug: 'reviews',
    title: 'Reviews to check',
    permission: 'reviews.read',
    path: officePaths.officeReviews(),
    withinHours: 72,
    read: async (app, limit) =>
      (await listWaitingReviews(app, limit)).map(({ brandName, lineName, summary, writtenAt }) => ({
        label: `${brandName} ${lineName}: ${summary}`,
        since: writtenAt,
      })),
  },
  {
    slug: 'emails',
    title: 'Rejected emails',
    permission: 'orders.read',
    read: async (app, limit) => {
      const since = app.clock.now().subtract({ hours: 24 * refusedEmailDays })
      return (await listRefusedMessages(app, { since, limit })).map(({ kind, to, orderId, createdAt }) => ({
        label: `${kind.replaceAll('-', ' ')} to ${to}`,
        since: createdAt,
        ...(orderId === null ? {} : { path: officePaths.officeOrder(orderId) }),
      }))
    },
  },
  ...approvalQueues,
  {
    slug: 'quotes-ending',
    title: 'Quotes expiring within a day',
    permission: 'quotes.write',
    path: officePaths.officeQuotes(),
    read: async (app, limit) =>
      (await listEndingQuotes(app, limit)).map(({ id, name, expiresAt, since }) => ({
        label: `${quoteNumber(id)}, ${name}`,
        since,
        path: officePaths.officeQuote(id),
        ...(expiresAt && { due: expiresAt }),
      })),
  },
  ...purchasingQueues,
  {
    slug: 'jobs',
    title: 'Failed background jobs',
    permission: 'jobs.read',
    read: async (app, limit) =>
      (await listFailedJobs(app, limit)).map(({ name, error, createdAt }) => ({
        label: `${name}: ${error.slice(0, 120)}`,
        since: createdAt,
      })),
  },
]

/** The queue with this slug, if there is one. */
export function findQueue(slug: string): Queue | undefined {
  return officeQueues.find((queue) => queue.slug === slug)
}

/** Returns an entry's deadline, its own or by its queue's rule; undefined without one. */
export function dueOf({ withinHours }: Queue, { since, due }: Entry): Temporal.Instant | undefined {
  return due ?? (withinHours === undefined ? undefined : since.add({ hours: withinHours }))
}

type DueOrder = { id: number; customer: string; since: Temporal.Instant; due: Temporal.Instant }

function orderEntry({ id, customer, since, due }: DueOrder): Entry {
  return { label: orderNumber(id), customer, since, due, path: officePaths.officeOrder(id) }
}
