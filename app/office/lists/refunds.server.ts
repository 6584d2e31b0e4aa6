/** The refunds, newest first, with their payment status. */
import { refundRecord } from '#app/office/records/payments.server.ts'
import { defineList, money, time } from '#app/office/define-list.server.ts'
import { placeText, readPlace } from '#app/office/list-place.ts'
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { instantsOf } from '#app/views/office/times.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  listedReasons,
  refundBearers,
  refundMoneyNames,
  refundTabNames,
  refundTabs,
  type RefundMoney,
} from '#domain/ordering/refunds/refunds.ts'
import { listRefunds } from '#domain/ordering/refunds/refunds.server.ts'

const tones: Readonly<Record<RefundMoney, Tone>> = {
  draft: 'signal',
  declined: 'plain',
  promised: 'plain',
  refused: 'stop',
  done: 'go',
  credited: 'go',
}

const entries = <Word extends string>(labels: Readonly<Record<Word, string>>) =>
  Object.entries(labels) as [Word, string][]
const wordOf = <Word extends string>(labels: Readonly<Record<Word, string>>, value: string | undefined): Word | null =>
  entries(labels).find(([word]) => word === value)?.[0] ?? null

export const refunds = defineList({
  name: 'refunds',
  title: 'Refunds',
  path: officePaths.officeRefunds(),
  permission: 'refunds.read',
  caption: 'Refunds, newest first',
  nouns: ['refund', 'refunds'],
  view: { name: 'state', label: 'State', tabs: refundTabs.map((tab) => [tab, refundTabNames[tab]] as const) },
  filters: [
    { kind: 'choice', name: 'reason', label: 'Reason', options: entries(listedReasons) },
    { kind: 'choice', name: 'bearer', label: 'Borne by', options: entries(refundBearers) },
    { kind: 'days', label: 'When' },
  ],
  columns: [
    { key: 'order', label: 'Order', isFixed: true },
    { key: 'at', label: 'When', kind: 'time' },
    { key: 'customer', label: 'Customer', isFixed: true, revealedBy: 'customers.read' },
    { key: 'company', label: 'Company', isFileOnly: true },
    { key: 'reason', label: 'Reason' },
    { key: 'bearer', label: 'Borne by' },
    { key: 'by', label: 'Made by' },
    { key: 'money', label: 'State' },
    { key: 'said', label: 'Provider said', isFileOnly: true },
    { key: 'amount', label: 'Amount', kind: 'money' },
  ],
  record: refundRecord,
  read: async ({ app, customers }, { filters, after, before, limit }) => {
    const { from = '', to = '' } = filters
    const query = {
      tab: refundTabs.find((tab) => tab === filters['state']) ?? 'all',
      reason: wordOf(listedReasons, filters['reason']),
      bearer: wordOf(refundBearers, filters['bearer']),
      ...instantsOf({ from, to }),
    }
    const { refunds: found, next } = await listRefunds(app, query, { after: readPlace(after ?? before), limit })
    return {
      rows: found.map((refund) => ({
        id: refund.id,
        label: `Refund of ${orderNumber(refund.orderId)}`,
        path: officePaths.officeOrder(refund.orderId),
        cells: {
          order: orderNumber(refund.orderId),
          at: time(refund.at),
          customer: {
            text: refund.company ?? customers.show(refund.customer),
            note: refund.company === null ? null : customers.show(refund.customer),
            file: customers.show(refund.customer),
          },
          company: refund.company,
          reason: listedReasons[refund.reason],
          bearer: refundBearers[refund.bearer],
          by: refund.by ?? 'The store',
          money: { text: refundMoneyNames[refund.money], tone: tones[refund.money], note: refund.said },
          said: refund.said,
          amount: money(refund.amountCents),
        },
      })),
      next: next && placeText(next.at, next.id),
    }
  },
})
