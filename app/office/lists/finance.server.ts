/** The shop balances by code, and the reconciled days. */
import { shopPayRecord } from '#app/office/records/shops.server.ts'
import { reconciledDayRecord } from '#app/office/records/payments.server.ts'
import { defineList, money } from '#app/office/define-list.server.ts'
import { readDay } from '#app/views/office/times.ts'
import { officePaths } from '#content/office-paths.ts'
import { listShopPay } from '#domain/installer-portal/payouts/payouts.server.ts'
import { listDays } from '#domain/aftercare/reconciliation/reconciliation.server.ts'
import { dayStates, providerNames } from '#domain/aftercare/reconciliation/reconciliation.ts'
import { dateText } from '#platform/day-text.ts'

const accounts = {
  none: { tone: 'plain', text: 'No account' },
  started: { tone: 'signal', text: 'Not complete' },
  ready: { tone: 'go', text: 'Ready' },
  restricted: { tone: 'stop', text: 'Restricted' },
} as const

export const shopPay = defineList({
  name: 'shop-pay',
  title: 'Shop pay',
  path: officePaths.officeShopPays(),
  permission: 'pay.read',
  caption: 'Shops by code, with balance owed',
  empty: 'No shops.',
  nouns: ['shop', 'shops'],
  columns: [
    { key: 'code', label: 'Shop', isFixed: true },
    { key: 'name', label: 'Name', isFixed: true },
    { key: 'account', label: 'Bank account' },
    { key: 'toDo', label: 'To answer', kind: 'count' },
    { key: 'sent', label: 'Sent', kind: 'money' },
    { key: 'owed', label: 'Owed', kind: 'money' },
  ],
  links: [{ label: 'Payout rates', path: officePaths.officePayMatrix() }],
  record: shopPayRecord,
  read: async ({ app }, { after, before, limit }) => {
    const place = /^[A-Za-z0-9-]{1,40}$/.exec(after ?? before ?? '')?.[0] ?? null
    const { shops, next } = await listShopPay(app.db, { after: place, limit })
    return {
      rows: shops.map(({ code, name, balance, account }) => ({
        id: code,
        label: name,
        path: officePaths.officeShopPay(code),
        cells: {
          code,
          name,
          account: accounts[account?.state ?? 'none'],
          toDo: balance.openDisputes + balance.proposals || null,
          sent: money(balance.sentCents),
          owed: money(balance.owedCents),
        },
      })),
      next,
    }
  },
})

const tones = { open: 'stop', resolved: 'signal', balanced: 'go' } as const

export const reconciliation = defineList({
  name: 'reconciliation',
  title: 'Reconciliation',
  path: officePaths.officeReconciliation(),
  permission: 'reconciliation.read',
  caption: 'Reconciled days, newest first. Days are UTC, as the providers count.',
  empty: 'No days reconciled yet. The first comparison runs tonight.',
  nouns: ['day', 'days'],
  columns: [
    { key: 'day', label: 'Day', isFixed: true },
    { key: 'provider', label: 'Provider', isFixed: true },
    { key: 'state', label: 'State' },
    { key: 'movements', label: 'Transactions', kind: 'count' },
    { key: 'charged', label: 'Charged', kind: 'money' },
    { key: 'refunded', label: 'Refunded', kind: 'money' },
    { key: 'disputed', label: 'Disputed', kind: 'money' },
    { key: 'fees', label: 'Fees', kind: 'money' },
    { key: 'by', label: 'Resolved by', isFileOnly: true },
    { key: 'note', label: 'Note', isFileOnly: true },
  ],
  record: reconciledDayRecord,
  read: async ({ app }, { after, before }) => {
    const place = readDay(after ?? before ?? '')
    const { days, next } = await listDays(app, place === '' ? null : Temporal.PlainDate.from(place))
    return {
      rows: days.map((one) => ({
        id: `${one.provider}-${one.day.toString()}`,
        label: dateText(one.day.toString()),
        path: officePaths.officeReconciledDay(one.provider, one.day.toString()),
        cells: {
          day: { text: dateText(one.day.toString()), file: one.day.toString() },
          provider: { text: providerNames[one.provider], file: one.provider },
          state: { text: dayStates[one.state], tone: tones[one.state] },
          movements: one.movements,
          charged: money(one.chargedCents),
          refunded: money(one.refundedCents),
          disputed: money(one.disputedCents),
          fees: money(one.feeCents),
          by: one.resolvedBy,
          note: one.note,
        },
      })),
      next: next?.toString() ?? null,
    }
  },
})
