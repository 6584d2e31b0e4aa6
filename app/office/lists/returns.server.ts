/** The list of returns, newest first. */
import { returnRecord } from '#app/office/records/requests.server.ts'
import { readReturnPreview } from '#app/office/previews/return.server.ts'
import { returnActs } from '#app/office/bulk/returns.server.ts'
import { defineList, idPlace, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { selectReturns } from '#domain/ordering/returns/returns.server.ts'
import {
  refundTimer,
  returnNumber,
  returnReasonWords,
  returnStateWords,
  returnTireStates,
} from '#domain/ordering/returns/returns.ts'

const states = ['requested', 'labeled', 'shipped', 'received', 'accepted', 'refused', 'refunded'] as const

export const returns = defineList({
  name: 'returns',
  title: 'Returns',
  path: officePaths.officeReturns(),
  permission: 'returns.read',
  caption: 'Returns, newest first',
  nouns: ['return', 'returns'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [['', 'All'], ...states.map((state) => [state, returnStateWords[state]] as const)],
    more: returnTireStates
      .filter((state) => !(states as readonly string[]).includes(state))
      .map((state) => [state, returnStateWords[state]] as const),
  },
  columns: [
    { key: 'number', label: 'Return', isFixed: true },
    { key: 'order', label: 'Order' },
    { key: 'name', label: 'Customer', isFixed: true, revealedBy: 'customers.read' },
    { key: 'tires', label: 'Tires', kind: 'count' },
    { key: 'reason', label: 'Reason' },
    { key: 'states', label: 'States' },
    { key: 'timer', label: 'Refund' },
    { key: 'requested', label: 'Requested', kind: 'time' },
  ],
  bulk: returnActs,
  preview: async (reader, id) => {
    const row = idPlace(id)
    return row === null ? undefined : readReturnPreview(reader, row)
  },
  record: returnRecord,
  read: async ({ app, customers, now }, { filters, after, before, limit }) => {
    const found = await selectReturns(app.db, {
      state: returnTireStates.find((state) => state === filters['state']) ?? null,
      before: idPlace(after ?? before),
      limit: limit + 1,
    })
    const page = found.slice(0, limit)
    return {
      rows: page.map(({ id, orderId, name, states: own, reason, requestedAt, waitingSince, isHeld }) => {
        const timer = waitingSince && refundTimer(waitingSince, now)
        return {
          id: String(id),
          label: returnNumber(id),
          path: officePaths.officeReturn(id),
          unfit: own.includes('accepted') && !isHeld ? [] : ['refund-returns'],
          cells: {
            number: returnNumber(id),
            order: orderNumber(orderId),
            name: customers.show(name),
            tires: own.length,
            reason: returnReasonWords[reason],
            states: [...[...new Set(own)].map((state) => returnStateWords[state]), ...(isHeld ? ['Held'] : [])].join(
              ', ',
            ),
            timer: { text: null, timer: timer && { tone: timer.isLate ? 'stop' : 'signal', words: timer.text } },
            requested: time(requestedAt),
          },
        }
      }),
      next: found.length > limit ? String(page.at(-1)?.id) : null,
    }
  },
})
