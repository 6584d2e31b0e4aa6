/** The list of quotes, newest first. */
import { defineList, idPlace, money, placeOfId, time } from '#app/office/define-list.server.ts'
import { labelText } from '#app/views/office/quote.server.ts'
import { stateTones } from '#app/views/office/quote-vehicles.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listQuotes } from '#domain/ordering/quotes/quotes.server.ts'
import { authorText, quoteNumber, quoteStateNames, quoteStates } from '#domain/ordering/quotes/quotes.ts'

export const quotes = defineList({
  name: 'quotes',
  title: 'Quotes',
  path: officePaths.officeQuotes(),
  permission: 'quotes.write',
  caption: 'Quotes, newest first',
  nouns: ['quote', 'quotes'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [['', 'All'], ...quoteStates.map((state) => [state, quoteStateNames[state]] as const)],
  },
  find: { name: 'email', label: 'Find by email' },
  columns: [
    { key: 'quote', label: 'Quote', isFixed: true },
    { key: 'customer', label: 'Customer', isFixed: true, revealedBy: 'customers.read' },
    { key: 'email', label: 'Email', isFileOnly: true, revealedBy: 'customers.read' },
    { key: 'by', label: 'By' },
    { key: 'tires', label: 'Tires', kind: 'count' },
    { key: 'prices', label: 'Prices' },
    { key: 'state', label: 'State' },
    { key: 'total', label: 'Out the door', kind: 'money' },
    { key: 'ends', label: 'Expires', kind: 'time' },
    { key: 'order', label: 'Order' },
  ],
  links: [{ label: 'New quote', path: officePaths.officeNewQuote(), isPrimary: true, hotkey: 'n' }],
  read: async ({ app, customers }, { filters, after, before }) => {
    const { quotes: found, next } = await listQuotes(app, {
      state: quoteStates.find((state) => state === filters['state']) ?? null,
      email: filters['email']?.toLowerCase() ?? null,
      before: idPlace(after ?? before),
    })
    return {
      rows: found.map((quote) => ({
        id: String(quote.id),
        label: quoteNumber(quote.id),
        path: officePaths.officeQuote(quote.id),
        cells: {
          quote: quoteNumber(quote.id),
          customer: {
            text: customers.show(quote.name),
            note: customers.isShown ? quote.email : null,
          },
          email: customers.show(quote.email),
          by: authorText(quote.author),
          tires: quote.tires,
          prices: labelText(quote.label),
          state: { text: quoteStateNames[quote.state], tone: stateTones[quote.state] },
          total: money(quote.totalCents),
          ends: time(quote.expiresAt),
          order:
            quote.vehicles > 1 && quote.ordered > 0
              ? `${quote.ordered} of ${quote.vehicles} ordered`
              : quote.orderId === null
                ? null
                : orderNumber(quote.orderId),
        },
      })),
      next: placeOfId(next),
    }
  },
})
