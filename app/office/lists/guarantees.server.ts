/** The list of price guarantee requests, newest first. */
import { guaranteeRecord } from '#app/office/records/requests.server.ts'
import { defineList, idPlace, money, placeOfId, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listGuarantees } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { caseStates } from '#domain/aftercare/cases/cases.ts'
import { guaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'

export const guarantees = defineList({
  name: 'guarantees',
  title: 'Price guarantee',
  path: officePaths.officeGuarantees(),
  permission: 'guarantees.read',
  caption: 'Price guarantee requests, newest first',
  nouns: ['request', 'requests'],
  view: statesView(caseStates, { open: 'To decide', approved: 'Approved', refused: 'Refused' }),
  columns: [
    { key: 'number', label: 'Request', isFixed: true },
    { key: 'received', label: 'Received', kind: 'time' },
    { key: 'order', label: 'Order' },
    { key: 'tire', label: 'Tires' },
    { key: 'quantity', label: 'Quantity', kind: 'count' },
    { key: 'competitor', label: 'Seen at' },
    { key: 'amount', label: 'Difference', kind: 'money' },
  ],
  record: guaranteeRecord,
  read: async ({ app }, query) => {
    const { requests, next } = await listGuarantees(app, {
      state: stateOf(caseStates, query),
      before: idPlace(query.after ?? query.before),
    })
    return {
      rows: requests.map((one) => ({
        id: guaranteeNumber(one.id),
        label: guaranteeNumber(one.id),
        path: officePaths.officeGuarantee(guaranteeNumber(one.id)),
        cells: {
          number: guaranteeNumber(one.id),
          received: time(one.createdAt),
          order: { text: one.orderId === null ? 'Before buying' : orderNumber(one.orderId) },
          tire: one.tire,
          quantity: one.quantity,
          competitor: one.competitor,
          amount: money(one.differenceCents ?? one.suggestedCents),
        },
      })),
      next: placeOfId(next),
    }
  },
})
