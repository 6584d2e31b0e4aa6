/** The list of payments that need a person, soonest due first. */
import { chargeRecord } from '#app/office/records/payments.server.ts'
import { allRows, defineList, money, time } from '#app/office/define-list.server.ts'
import { openChargeView } from '#app/views/open-charge.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listOpenCharges } from '#domain/ordering/open-charges/open-charges.server.ts'

/** The list on the payments page. */
const mostListed = 200

export const charges = defineList({
  name: 'charges',
  title: 'Open payments',
  path: officePaths.officeCharges(),
  permission: 'money.watch',
  caption: 'Payments that need a decision',
  empty: 'No payments need a decision.',
  nouns: ['payment', 'payments'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [
      ['', 'All'],
      ['unanswered', 'No answer from the bank'],
      ['ending', 'Expiring or expired authorizations'],
    ],
  },
  columns: [
    { key: 'what', label: 'For', isFixed: true },
    { key: 'person', label: 'Customer' },
    { key: 'method', label: 'Method' },
    { key: 'owner', label: 'Owner' },
    { key: 'since', label: 'Since', kind: 'time', isOff: true },
    { key: 'state', label: 'State' },
    { key: 'amount', label: 'Amount', kind: 'money' },
  ],
  news: {
    'let-go': 'Authorization voided. If the bank holds the amount later, the hold is released automatically.',
    answered: 'The provider answered. This payment needs no decision anymore.',
    captured: 'Payment captured. The order continues.',
  },
  record: chargeRecord,
  read: ({ app, session }, { filters }) =>
    allRows(
      listOpenCharges(app, mostListed).then((all) =>
        all.filter(({ kind }) => !filters['state'] || (filters['state'] === 'unanswered') === (kind === 'no-answer')),
      ),
      (charge) => {
        const { id, path, what, person, method, owner, kindWords, timer } = openChargeView(app, session.roles, charge)
        return {
          id,
          label: what,
          path,
          cells: {
            what,
            person: person ?? 'Hidden for your role',
            method,
            owner: owner ?? 'Unassigned',
            since: time(charge.since),
            state: { text: kindWords, timer },
            amount: money(charge.amountCents),
          },
        }
      },
    ),
})
