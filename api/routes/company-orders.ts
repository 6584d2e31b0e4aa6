/** A company's orders, invoices and tax exemption certificates. */
import { z } from 'zod'
import { ownCompany } from '#api/companies.ts'
import { answer, operation } from '#api/operation.ts'
import { orderInList, orderInListView } from '#api/order-list.ts'
import { cursor, cursorAt, numberOf } from '#api/paging.ts'
import { problem } from '#api/problem.ts'
import { cents, day, instant } from '#api/schemas.ts'
import { companyCan } from '#domain/customers/companies/companies.ts'
import { listExemptions } from '#domain/customers/companies/companies.server.ts'
import { listInvoices, type ListedInvoice } from '#domain/payments/invoices/invoices.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listCompanyOrders } from '#domain/ordering/orders/orders.server.ts'

const invoice = z
  .strictObject({
    orderId: z.int(),
    orderNumber: z.string(),
    amountCents: cents,
    netDays: z.int(),
    issuedOn: day,
    dueOn: day,
    state: z.enum(['open', 'paid', 'canceled']),
    isOverdue: z.boolean(),
    poNumber: z.string().nullable(),
    settledAt: instant.nullable(),
  })
  .meta({ id: 'CompanyInvoice' })

const paged = z.strictObject({ cursor: cursor.optional() })

/** Operations on orders, invoices and exemption certificates, in document order. */
export const companyOrderOperations = [
  operation({
    id: 'listCompanyOrders',
    method: 'get',
    path: '/company/orders',
    area: 'Companies',
    summary: 'List company orders',
    description: 'Owners and viewers see every order; buyers see their own.',
    audience: 'account',
    query: paged,
    result: z.strictObject({
      orders: z.array(
        z.strictObject({ ...orderInList.shape, poNumber: z.string().nullable(), placedBy: z.string().nullable() }),
      ),
      next: z.string().nullable(),
    }),
    refuses: ['NoCompany'],
    async handle({ app, caller, query }) {
      const own = await ownCompany(app, caller)
      if (!own.ok) return own
      const asked = {
        companyId: own.company.id,
        accountId: companyCan(own.role, 'see-all-orders') ? null : own.person.accountId,
      }
      const before = numberOf(query.cursor, asked)
      if (!before.ok) return before
      const { orders, hasMore } = await listCompanyOrders(app, asked, before.value)
      const last = orders.at(-1)
      return answer({
        orders: orders.map((each) => ({ ...orderInListView(each), poNumber: each.poNumber, placedBy: each.placedBy })),
        next: last && hasMore ? cursorAt(String(last.id), asked) : null,
      })
    },
  }),
  operation({
    id: 'listCompanyInvoices',
    method: 'get',
    path: '/company/invoices',
    area: 'Companies',
    summary: 'List company invoices',
    description: 'For owners and viewers. Open invoices come first, by due date, then the others, newest first.',
    audience: 'account',
    query: paged,
    result: z.strictObject({ invoices: z.array(invoice), next: z.string().nullable() }),
    refuses: ['NoCompany'],
    async handle({ app, caller, query }) {
      const own = await ownCompany(app, caller)
      if (!own.ok) return own
      if (!companyCan(own.role, 'see-all-orders'))
        return problem('Forbidden', 'Only owners and viewers of the company can see its invoices.')
      const asked = { invoicesOf: own.company.id }
      const at = numberOf(query.cursor, asked)
      if (!at.ok) return at
      // Invoices are few and move in the order when paid, so they are paginated by page number.
      const page = at.value ?? 1
      const { invoices, hasMore } = await listInvoices(app, own.company.id, page)
      return answer({ invoices: invoices.map(invoiceView), next: hasMore ? cursorAt(String(page + 1), asked) : null })
    },
  }),
  operation({
    id: 'listExemptions',
    method: 'get',
    path: '/company/exemptions',
    area: 'Companies',
    summary: 'List tax exemption certificates',
    description:
      'Orders shipped to the state of an accepted, unexpired certificate are exempt from sales tax. Certificates are files, uploaded on the company’s page.',
    audience: 'account',
    result: z.array(
      z.strictObject({
        id: z.string(),
        state: z.string(),
        number: z.string(),
        expiresOn: day,
        status: z.enum(['waiting', 'accepted', 'refused']),
      }),
    ),
    refuses: ['NoCompany'],
    async handle({ app, caller }) {
      const own = await ownCompany(app, caller)
      if (!own.ok) return own
      const exemptions = await listExemptions(app, own.company.id)
      return answer(exemptions.map((each) => ({ ...each, expiresOn: each.expiresOn.toString() })))
    },
  }),
]

function invoiceView({ orderId, settledAt, ...found }: ListedInvoice): z.input<typeof invoice> {
  return { orderId, orderNumber: orderNumber(orderId), ...found, settledAt: settledAt?.toString() ?? null }
}
