import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { FilterText, ListFilters, ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { readQuotesQuery } from '#app/views/office-quotes.ts'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { listQuotes } from '#domain/quotes/quotes.server.ts'
import { authorText, quoteNumber, quoteStateNames, quoteStates } from '#domain/quotes/quotes.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { labelText, stateTones } from './quote-view.server.ts'
import type { Route } from './+types/quotes.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Quotes', officePaths.officeQuotes())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'quotes.write', officePaths.officeQuotes() + url.search)
  const query = readQuotesQuery(url.searchParams)
  const [{ quotes, next }, views] = await Promise.all([
    listQuotes(staff.shop, query),
    readViewTabs(staff, 'quotes', url.searchParams),
  ])
  const asked = { state: query.state ?? undefined, email: query.email ?? undefined }
  return {
    asked,
    views,
    next: next === null ? null : officePaths.officeQuotes({ ...asked, before: next }),
    quotes: quotes.map((quote) => ({
      id: quote.id,
      path: officePaths.officeQuote(quote.id),
      number: quoteNumber(quote.id),
      state: quoteStateNames[quote.state],
      tone: stateTones[quote.state],
      customer: quote.name,
      email: quote.email,
      by: authorText(quote.author),
      tires: quote.tires,
      prices: labelText(quote.label),
      total: quote.totalCents === null ? '' : formatCents(quote.totalCents),
      ends: quote.expiresAt ? timeText(quote.expiresAt, storeZone) : '',
      order: quote.orderId === null ? '' : orderNumber(quote.orderId),
    })),
  }
}

const columns = [
  { key: 'quote', label: 'Quote', isRowHeader: true },
  { key: 'state', label: 'State' },
  { key: 'customer', label: 'Customer' },
  { key: 'by', label: 'By' },
  { key: 'tires', label: 'Tires', isAmount: true },
  { key: 'prices', label: 'Prices' },
  { key: 'total', label: 'Out the door', isAmount: true },
  { key: 'ends', label: 'Ends' },
  { key: 'order', label: 'Order' },
]

export default function Quotes({ loaderData: { asked, views, next, quotes } }: Route.ComponentProps) {
  return (
    <OfficePage
      title="Quotes"
      end={
        <a className="btn primary" href={officePaths.officeNewQuote()}>
          New quote
        </a>
      }
    >
      <ListTabs
        label="Quotes by state"
        tabs={[undefined, ...quoteStates].map((state) => ({
          label: state ? quoteStateNames[state] : 'All',
          path: officePaths.officeQuotes({ ...asked, state }),
          isOn: asked.state === state,
        }))}
        views={views}
      />
      <ListFilters
        label="Quotes"
        action={officePaths.officeQuotes()}
        clear={asked.email ? officePaths.officeQuotes({ state: asked.state }) : null}
      >
        {asked.state ? <input type="hidden" name="state" value={asked.state} /> : null}
        <FilterText name="email" label="Email" value={asked.email ?? ''} most={254} />
      </ListFilters>
      <Panel id="quotes" title={asked.state ? quoteStateNames[asked.state] : 'All quotes'} note="newest first">
        {quotes.length === 0 ? (
          <PanelBody>
            <p>No quote matches.</p>
          </PanelBody>
        ) : (
          <DataTable
            caption="Quotes"
            columns={columns}
            rows={quotes.map(({ id, path, number, state, tone, customer, email, ...cells }) => ({
              id: String(id),
              cells: {
                ...cells,
                quote: <a href={path}>{number}</a>,
                state: <Tag tone={tone}>{state}</Tag>,
                customer: (
                  <>
                    {customer}
                    <small>{email}</small>
                  </>
                ),
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of quotes" older={next} file={views.file} />
    </OfficePage>
  )
}
