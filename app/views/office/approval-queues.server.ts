/** The task lists of what awaits a second person. */
import { officePaths } from '#content/office-paths.ts'
import { listConcessionRequests } from '#domain/kernel/concessions/concessions.server.ts'
import { listUnapprovedQuotes } from '#domain/ordering/quotes/quotes.server.ts'
import { quoteNumber } from '#domain/ordering/quotes/quotes.ts'
import { listWaitingCredit } from '#domain/payments/store-credit/store-credit.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Queue } from './queues.server.ts'

/** Price reductions pending a second person. Other kinds of requests have separate lists. */
const priceKinds = {
  coupon: { name: 'Coupon', path: (id: string) => officePaths.officeCoupon(Number(id)) },
  promotion: { name: 'Promotion', path: (id: string) => officePaths.officePromotion(`d${id}`) },
  'price-list': { name: 'Price list', path: () => officePaths.officePriceLists() },
  'payment-offer': { name: 'Lender offer', path: () => officePaths.officePayLater() },
} as const

function isPriceKind(kind: string): kind is keyof typeof priceKinds {
  return Object.hasOwn(priceKinds, kind)
}

export const approvalQueues: readonly Queue[] = [
  {
    slug: 'concessions',
    title: 'Discounts to approve',
    permission: 'quotes.approve',
    read: async (app, limit) =>
      (await listConcessionRequests(app.db, limit)).flatMap(({ kind, reference, requestedBy, requestedAt }) =>
        isPriceKind(kind)
          ? [
              {
                label: `${priceKinds[kind].name}, requested by ${requestedBy}`,
                since: requestedAt,
                path: priceKinds[kind].path(reference),
              },
            ]
          : [],
      ),
  },
  {
    slug: 'credit-approvals',
    title: 'Store credit to approve',
    permission: 'refunds.approve',
    read: async (app, limit) =>
      (await listWaitingCredit(app, limit)).flatMap(({ ownerId, cents, requestedBy, requestedAt }) =>
        ownerId === null
          ? []
          : [
              {
                label: `${formatCents(cents)}, requested by ${requestedBy}`,
                since: requestedAt,
                path: officePaths.officeCustomerCredit(ownerId),
              },
            ],
      ),
  },
  {
    slug: 'quote-approvals',
    title: 'Quotes below the minimum margin',
    permission: 'quotes.approve',
    path: officePaths.officeQuotes({ state: 'needs-approval' }),
    read: async (app, limit) =>
      (await listUnapprovedQuotes(app, limit)).map(({ id, name, since }) => ({
        label: `${quoteNumber(id)}, ${name}`,
        since,
        path: officePaths.officeQuote(id),
      })),
  },
]
