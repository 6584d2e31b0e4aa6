import { serverPaths } from '#content/server-paths.ts'
import { listOwnQuotes } from '#domain/ordering/quotes/quotes.server.ts'
import { quoteFates, type QuoteFate } from '#domain/ordering/quotes/quotes.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { countOf } from '#platform/count-text.ts'
import { AccountPage } from './account-page.tsx'
import { requireSalesTool } from './require-sales-tool.server.ts'
import { salesQuoteRows } from './sales-quote-view.server.ts'
import type { Route } from './+types/sales-tool.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Sales tool',
    description: 'Quotes you’ve sent and their status.',
    path: serverPaths.salesTool(),
    isIndexed: false,
  })

/** Loads the quotes sent by this account. Ignores unknown states and cursors. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, by } = await requireSalesTool(context, serverPaths.salesTool())
  const asked = url.searchParams.get('state') ?? ''
  const fate = Object.hasOwn(quoteFates, asked) ? (asked as QuoteFate) : null
  const place = url.searchParams.get('before') ?? ''
  const before = /^[1-9]\d{0,14}$/.test(place) ? Number(place) : null
  const { quotes, next } = await listOwnQuotes(app, { accountId: by.accountId, fate, before })
  const state = fate ?? undefined
  return {
    fate,
    tabs: [
      { words: 'All', href: serverPaths.salesTool(), isOn: fate === null },
      ...Object.entries(quoteFates).map(([name, { words }]) => ({
        words,
        href: serverPaths.salesTool({ state: name }),
        isOn: name === fate,
      })),
    ],
    quotes: await salesQuoteRows(app, quotes),
    older: next === null ? null : serverPaths.salesTool({ state, before: next }),
  }
}

export default function SalesTool({ loaderData: { fate, tabs, quotes, older } }: Route.ComponentProps) {
  return (
    <AccountPage title="Sales tool" at="sales-tool">
      <p className="row wrap-row">
        <a className="btn primary" href={serverPaths.newSalesQuote()}>
          New quote
        </a>
        <span className="small muted">Fill your cart for a customer first, then send it as a quote.</span>
      </p>
      <nav aria-label="Quotes by state" className="company-nav">
        <ul>
          {tabs.map(({ words, href, isOn }) => (
            <li key={href}>
              <a href={href} aria-current={isOn ? 'page' : undefined}>
                {words}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {quotes.length === 0 ? (
        <p className="muted">{fate ? 'No quotes here.' : 'You have not sent a quote yet.'}</p>
      ) : (
        <ul className="account-list">
          {quotes.map((quote) => (
            <QuoteInList key={quote.number} quote={quote} />
          ))}
        </ul>
      )}
      {older ? (
        <p>
          <a className="btn" href={older}>
            Older quotes
          </a>
        </p>
      ) : null}
    </AccountPage>
  )
}

function QuoteInList({ quote }: { quote: Route.ComponentProps['loaderData']['quotes'][number] }) {
  const { number, href, name, email, tires, total, sent, goodThrough, words, tone, order } = quote
  return (
    <li className="panel padded order-line">
      <div className="order-line-head">
        <h2 className="tabular">
          <a href={href}>{number}</a>
        </h2>
        <p className="strong tabular">{total}</p>
      </div>
      <p>
        <span className={`tag ${tone}`}>{words}</span>
      </p>
      <p>
        {name} <span className="muted">{email}</span>
      </p>
      <p className="small muted tabular">
        {countOf(tires, 'tire')}, sent {sent}
        {goodThrough ? `, good through ${goodThrough}` : ''}
      </p>
      {order ? (
        <p className="tabular">
          Order {order.number}, {order.total}. {order.state}.
        </p>
      ) : null}
    </li>
  )
}
