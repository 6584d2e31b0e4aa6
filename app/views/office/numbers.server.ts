/** Finds returns, messages, quotes and other records by their numbers, such as M-1001, R-1, Q-2001 and PO-5004. */
import { officePaths } from '#content/office-paths.ts'
import { findClaim } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { claimNumber } from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import { findDispute } from '#domain/aftercare/disputes/disputes.server.ts'
import { disputeNumber, disputeStateWords } from '#domain/aftercare/disputes/disputes.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { findGuarantee } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { guaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import { findQuote } from '#domain/ordering/quotes/quotes.server.ts'
import { quoteNumber, quoteStateNames } from '#domain/ordering/quotes/quotes.ts'
import { readReturn } from '#domain/ordering/returns/returns.server.ts'
import { returnNumber } from '#domain/ordering/returns/returns.ts'
import { findShopApplication } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import {
  shopApplicationNumber,
  shopApplicationStateWords,
} from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { findPurchaseOrder } from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderNumber, purchaseOrderStateNames } from '#domain/supply/stock/stock.ts'
import { findRequest } from '#domain/messaging/support/support.server.ts'
import { match } from '#platform/search-text.ts'
import { requestNumber } from '#domain/messaging/support/support.ts'
import { findShopReport } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { shopReportNumber, shopReportStateWords } from '#domain/installer-portal/work-orders/work-orders.ts'
import type { Application } from '#application'
import type { FoundLine } from './search.server.ts'

type Numbered = {
  /** What its numbers begin with. */
  prefix: string
  kind: string
  permission: Permission
  number(id: number): string
  path(id: number): string
  /** Returns its state and order for every role with access to its page. Undefined if it doesn't exist. */
  find(app: Application, id: number): Promise<readonly string[] | undefined>
}

/** Describes a kind of record by its lookup and notes. */
function record<Found>({
  find,
  notes = () => [],
  ...kind
}: Omit<Numbered, 'find'> & {
  find(app: Application, id: number): Promise<Found | undefined>
  notes?(found: Found): readonly string[]
}): Numbered {
  return {
    ...kind,
    find: async (app, id) => {
      const found = await find(app, id)
      return found && notes(found)
    },
  }
}

/** Every kind of numbered record except orders, which `searchOrders` finds. */
const numbered: readonly Numbered[] = [
  record({
    prefix: 'M',
    kind: 'Return',
    permission: 'returns.read',
    number: returnNumber,
    path: officePaths.officeReturn,
    find: ({ db }, id) => readReturn(db, id),
    notes: (found) => [orderNumber(found.orderId)],
  }),
  record({
    prefix: 'R',
    kind: 'Message',
    permission: 'requests.read',
    number: requestNumber,
    path: officePaths.officeMessage,
    find: findRequest,
  }),
  record({
    prefix: 'R',
    kind: 'Shop report',
    permission: 'shop-reports.read',
    number: shopReportNumber,
    path: (id) => officePaths.officeShopReport(shopReportNumber(id)),
    find: findShopReport,
    notes: (found) => [shopReportStateWords[found.state], orderNumber(found.orderId)],
  }),
  record({
    prefix: 'Q',
    kind: 'Quote',
    permission: 'quotes.write',
    number: quoteNumber,
    path: officePaths.officeQuote,
    find: findQuote,
    notes: (found) => [quoteStateNames[found.quote.state]],
  }),
  record({
    prefix: 'PO',
    kind: 'Purchase order',
    permission: 'suppliers.read',
    number: purchaseOrderNumber,
    path: officePaths.officePurchaseOrder,
    find: ({ db }, id) => findPurchaseOrder(db, id),
    notes: (found) => [purchaseOrderStateNames[found.state], orderNumber(found.orderId)],
  }),
  record({
    prefix: 'C',
    kind: 'Coverage claim',
    permission: 'claims.read',
    number: claimNumber,
    path: (id) => officePaths.officeClaim(claimNumber(id)),
    find: findClaim,
    notes: (found) => [orderNumber(found.orderId)],
  }),
  record({
    prefix: 'G',
    kind: 'Price guarantee request',
    permission: 'guarantees.read',
    number: guaranteeNumber,
    path: (id) => officePaths.officeGuarantee(guaranteeNumber(id)),
    find: findGuarantee,
  }),
  record({
    prefix: 'A',
    kind: 'Shop application',
    permission: 'shop-applications.read',
    number: shopApplicationNumber,
    path: (id) => officePaths.officeShopApplication(shopApplicationNumber(id)),
    find: findShopApplication,
    notes: (found) => [shopApplicationStateWords[found.state]],
  }),
  record({
    prefix: 'D',
    kind: 'Dispute',
    permission: 'disputes.read',
    number: disputeNumber,
    path: (id) => officePaths.officeDispute(disputeNumber(id)),
    find: findDispute,
    notes: (found) => [disputeStateWords[found.dispute.state]],
  }),
]

/** Reads "M-1001", "m1001", "PO-5004-2" as a supplier has it, or "1001" with no prefix; undefined for anything else. */
export function readRecordNumber(text: string): { prefix: string | null; id: number } | undefined {
  const [, prefix, id] = /^(?:([a-z]{1,2})[ -]?)?([1-9]\d{0,8})(?:-\d{1,2})?$/i.exec(text) ?? []
  return id === undefined ? undefined : { prefix: prefix?.toUpperCase() ?? null, id: Number(id) }
}

/** Returns records with the number `text`, with or without prefix, with pages accessible to these roles. */
export async function findNumbered(app: Application, text: string, roles: readonly StaffRole[]): Promise<FoundLine[]> {
  const read = readRecordNumber(text)
  if (!read) return []
  const kinds = numbered.filter(
    ({ prefix, permission }) => (read.prefix === null || prefix === read.prefix) && staffCan(roles, permission),
  )
  const found = await Promise.all(
    kinds.map(async ({ kind, number, path, find }) => {
      const notes = await find(app, read.id)
      return (
        notes && {
          key: `${kind} ${read.id}`,
          title: `${kind} ${number(read.id)}`,
          path: path(read.id),
          notes: [...notes],
          match: read.prefix === null ? match.edge : match.whole,
        }
      )
    }),
  )
  return found.filter((line) => line !== undefined)
}
