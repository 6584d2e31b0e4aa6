/** The disputes. Open ones are sorted by due date, and the others are newest first. */
import { disputeRecord } from '#app/office/records/requests.server.ts'
import { defineList, idPlace, money, placeOfId, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { timerTo } from '#app/views/office/times.ts'
import { officePaths } from '#content/office-paths.ts'
import { listDisputes, listOpenDisputes } from '#domain/aftercare/disputes/disputes.server.ts'
import {
  disputeKinds,
  disputeNumber,
  disputeStates,
  disputeStateWords,
  reasonWords,
} from '#domain/aftercare/disputes/disputes.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'

export const disputes = defineList({
  name: 'disputes',
  title: 'Disputes',
  path: officePaths.officeDisputes(),
  permission: 'disputes.read',
  caption: 'Disputes',
  nouns: ['dispute', 'disputes'],
  view: statesView(disputeStates, disputeStateWords),
  columns: [
    { key: 'number', label: 'Dispute', isFixed: true },
    { key: 'kind', label: 'Kind' },
    { key: 'reason', label: 'Reason' },
    { key: 'order', label: 'Order' },
    { key: 'opened', label: 'Opened', kind: 'time' },
    { key: 'timer', label: 'Time left' },
    { key: 'due', label: 'Answer due', kind: 'time', isOff: true },
    { key: 'amount', label: 'Amount', kind: 'money' },
  ],
  record: disputeRecord,
  read: async ({ app, now }, query) => {
    const state = stateOf(disputeStates, query)
    const { disputes: found, next } =
      state === 'needs-response'
        ? { disputes: await listOpenDisputes(app, 100), next: null }
        : await listDisputes(app, { state, before: idPlace(query.after ?? query.before) })
    return {
      rows: found.map(({ id, kind, reason, orderId, amountCents, openedAt, dueAt }) => ({
        id: disputeNumber(id),
        label: disputeNumber(id),
        path: officePaths.officeDispute(disputeNumber(id)),
        cells: {
          number: disputeNumber(id),
          kind: disputeKinds[kind],
          reason: reasonWords(reason),
          order: orderId === null ? 'Membership' : orderNumber(orderId),
          opened: time(openedAt),
          timer: { text: null, timer: state === 'needs-response' && dueAt ? timerTo(dueAt, now) : null },
          due: time(dueAt),
          amount: money(amountCents),
        },
      })),
      next: placeOfId(next),
    }
  },
})
