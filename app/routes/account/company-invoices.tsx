import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { accountTypeOf, companyCan } from '#domain/customers/companies/companies.ts'
import { creditToSpend, type CreditLine } from '#domain/payments/invoices/invoices.ts'
import { findCreditLine, listInvoices, type ListedInvoice } from '#domain/payments/invoices/invoices.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { supportDeskOf } from '#domain/pricing/price-tiers/price-tiers.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import { CompanyPage } from './company-page.tsx'
import { requireCompany } from './require-company.server.ts'
import type { Route } from './+types/company-invoices.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Invoices',
    description: 'What your company owes, and until when.',
    path: paths.companyInvoices(),
    isIndexed: false,
  })

/** Everyone sees the remaining credit; invoices are for members who can see all orders. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, company, role } = await requireCompany(context, paths.companyInvoices())
  const seesAll = companyCan(role, 'see-all-orders')
  const asked = url.searchParams.get('page') ?? ''
  const page = /^[1-9]\d{0,3}$/.test(asked) ? Number(asked) : 1
  const [line, { invoices, hasMore }] = await Promise.all([
    findCreditLine(app, company.id),
    seesAll ? listInvoices(app, company.id, page) : { invoices: [], hasMore: false },
  ])
  return {
    name: company.name,
    seesAll,
    credit: line && creditView(line),
    invoices: invoices.map(invoiceRow),
    older: hasMore ? paths.companyInvoices(page + 1) : null,
    phone: supportDeskOf(accountTypeOf[company.kind])?.phone ?? app.config.store.phone,
    today: storeDateText(app.clock.now()),
  }
}

function creditView(line: CreditLine): [string, string][] {
  return [
    ['Terms', `Net ${countOf(line.netDays, 'day')}`],
    ['Owed', formatCents(line.openCents)],
    ...(line.overdueCents > 0 ? [['Overdue', formatCents(line.overdueCents)] satisfies [string, string]] : []),
    ['Left to spend', `${formatCents(creditToSpend(line))} of ${formatCents(line.limitCents)}`],
  ]
}

function invoiceRow({ orderId, amountCents, issuedOn, dueOn, state, poNumber, isOverdue }: ListedInvoice) {
  const words = {
    open: `${isOverdue ? 'Overdue since' : 'Due'} ${dateText(dueOn)}`,
    paid: 'Paid',
    canceled: 'Not owed: the order was canceled',
  }
  return {
    number: orderNumber(orderId),
    href: paths.trackResult(orderId),
    amount: formatCents(amountCents),
    issued: dateText(issuedOn),
    poNumber,
    state: words[state],
    isOverdue,
  }
}

export default function CompanyInvoices({
  loaderData: { name, seesAll, credit, invoices, older, phone, today },
}: Route.ComponentProps) {
  return (
    <CompanyPage name={name} at="invoices">
      {credit ? (
        <section className="panel padded stack" aria-label="Terms">
          <dl className="account-details tabular">
            {credit.map(([term, words]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
          <p className="small muted">
            As of {today}. Put the order's number on your transfer or check; call {phone} with questions.
          </p>
        </section>
      ) : (
        <p className="muted">
          Your company pays when it orders. If you would rather be sent an invoice, call {phone} and ask for net terms.
        </p>
      )}
      {invoices.length > 0 ? (
        <ul className="account-list">
          {invoices.map((invoice) => (
            <li key={invoice.number} className="panel padded">
              <div className="order-line-head">
                <h2 className="tabular">
                  <a href={invoice.href}>{invoice.number}</a>
                </h2>
                <p className="strong tabular">{invoice.amount}</p>
              </div>
              <p className="small muted tabular">
                Ordered {invoice.issued}
                {invoice.poNumber ? `, PO ${invoice.poNumber}` : ''}
              </p>
              <p className={invoice.isOverdue ? 'strong tabular' : 'tabular'}>{invoice.state}</p>
            </li>
          ))}
        </ul>
      ) : credit && seesAll ? (
        <p className="muted">No invoices yet. At checkout, choose to pay on your company's terms.</p>
      ) : null}
      {older ? (
        <p>
          <a className="btn" href={older}>
            Older invoices
          </a>
        </p>
      ) : null}
    </CompanyPage>
  )
}
