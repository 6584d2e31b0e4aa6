/** The list of products at Google Merchant Center, with their problems. */
import { defineList, idPlace, placeOfId, rowAtId, time, type ListReader } from '#app/office/define-list.server.ts'
import { sendingStatus } from '#app/views/office/google-listings.ts'
import { officePaths } from '#content/office-paths.ts'
import { listListings, readListingSummary } from '#domain/catalog/google-listings/google-listings.server.ts'
import { listingViews, type ListingState } from '#domain/catalog/google-listings/google-listings.ts'
import { grouped } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'

const stateTexts = {
  listed: { text: 'Sent', tone: 'go' },
  waiting: { text: 'Waiting', tone: 'plain' },
  removing: { text: 'Waiting to be removed', tone: 'plain' },
  refused: { text: 'Refused', tone: 'stop' },
} as const satisfies Record<ListingState, unknown>
/** Sent, and not shown by Google. */
const disapproved = { text: 'Disapproved', tone: 'stop' } as const

export const googleListings = defineList({
  name: 'google-listings',
  title: 'Google listings',
  path: officePaths.officeGoogleListings(),
  permission: 'catalog.read',
  caption: 'Products at Google by item number',
  empty: 'No product has problems.',
  nouns: ['product', 'products'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [
      ['', 'Problems'],
      ['waiting', 'Waiting'],
      ['all', 'All products'],
    ],
  },
  columns: [
    { key: 'tire', label: 'Tire', isFixed: true },
    { key: 'state', label: 'State', isFixed: true },
    { key: 'problem', label: 'Problem', isFixed: true },
    { key: 'help', label: 'Help', isOff: true },
    { key: 'changed', label: 'Changed', kind: 'time' },
    { key: 'sent', label: 'Last sent', kind: 'time' },
  ],
  news: { 'sent-again': 'Sending all products again.' },
  facts: readFacts,
  rowAt: (_reader, id) => rowAtId(id, 'lowest first'),
  read: async ({ app }, { filters, after, before, limit }) => {
    const view = listingViews.find((each) => each === filters['state']) ?? 'problems'
    const { listings, next } = await listListings(app, { view, after: idPlace(after ?? before) ?? 0 }, limit)
    return {
      rows: listings.map(({ itemId, title, state, problem, issues, changedAt, sentAt }) => {
        const problems = [
          ...(problem === null ? [] : [problem]),
          ...issues.map(({ severity, text }) => (severity === 'disapproved' ? `Disapproved: ${text}` : text)),
        ]
        const details = issues.flatMap(({ detail }) => detail ?? [])
        return {
          id: String(itemId),
          label: title,
          path: officePaths.officeItem(itemId),
          cells: {
            tire: title,
            state: issues.some(({ severity }) => severity === 'disapproved') ? disapproved : stateTexts[state],
            problem: { text: problems.join('; ') || null, note: details.join(' ') || null },
            help: issues.flatMap(({ help }) => help ?? []).join(' ') || null,
            changed: time(changedAt),
            sent: time(sentAt),
          },
        }
      }),
      next: placeOfId(next),
    }
  },
})

async function readFacts({ app }: ListReader) {
  const summary = await readListingSummary(app)
  const status = { label: 'Status', value: sendingStatus(summary).status }
  if (!summary) return [status]
  const { listed, waiting, refused, disapproved: notShown, lastSentAt, calls, limit } = summary
  return [
    status,
    { label: 'Last sent', value: lastSentAt ? timeText(lastSentAt, storeZone) : 'Never' },
    { label: 'Up to date', value: grouped(listed) },
    { label: 'Waiting', value: grouped(waiting) },
    { label: 'Refused', value: grouped(refused) },
    { label: 'Disapproved', value: grouped(notShown) },
    { label: 'Calls today', value: `${grouped(calls)} of ${grouped(limit)}` },
  ]
}
