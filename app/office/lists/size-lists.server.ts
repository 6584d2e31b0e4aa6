/** The lists of original sizes by precedence, and the use of Wheel-Size. */
import { allRows, day, defineList, type ListReader } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listSizeLists } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { readSizeProvider, type SizeProviderUse } from '#domain/catalog/vehicles/vehicles.server.ts'
import { countText } from '#platform/count-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'

export const sizeLists = defineList({
  name: 'size-lists',
  title: 'Size lists',
  path: officePaths.officeSizeLists(),
  permission: 'catalog.read',
  caption: 'Lists of original sizes by precedence',
  nouns: ['list', 'lists'],
  columns: [
    { key: 'name', label: 'List', isFixed: true },
    { key: 'precedence', label: 'Precedence', kind: 'count', isLabeled: true },
    { key: 'license', label: 'License' },
    { key: 'date', label: 'Date' },
    { key: 'vehicles', label: 'Vehicles', kind: 'count', isLabeled: true },
    { key: 'sizes', label: 'Sizes', kind: 'count', isLabeled: true },
  ],
  news: { removed: 'List removed. Shoppers see it within a second.' },
  facts: readFacts,
  read: async ({ app }) => {
    const lists = await listSizeLists(app)
    return allRows(Promise.resolve(lists), (list) => {
      const { slug, name, license, listedOn, vehicles, sizes } = list
      return {
        id: slug,
        label: name,
        path: officePaths.officeSizeList(slug),
        cells: {
          name,
          precedence: lists.indexOf(list) + 1,
          license,
          date: listedOn === null ? null : day(listedOn),
          vehicles: counted(vehicles),
          sizes: counted(sizes),
        },
      }
    })
  },
})

const counted = (count: number) => ({ text: countText(count), file: count, value: count })

/** Wheel-Size isn't imported, but called for each vehicle. */
async function readFacts({ app }: ListReader) {
  const use = await readSizeProvider(app)
  if (!use) return [{ label: 'Wheel-Size', value: 'Off' }]
  const { calls, callsPerDay, vehicles, answeredAt } = use
  return [
    { label: 'Wheel-Size', value: statusOf(use) },
    { label: 'Calls today', value: `${countText(calls)} of ${countText(callsPerDay)}` },
    { label: 'Saved vehicles', value: countText(vehicles) },
    { label: 'Last answer', value: answeredAt ? timeText(answeredAt, storeZone) : 'Never' },
  ]
}

const problemTexts = {
  'refused-key': 'Key refused',
  'over-quota': 'Limit of the plan reached',
  unavailable: 'Unavailable',
} as const satisfies Record<NonNullable<SizeProviderUse['problem']>, string>

function statusOf({ problem, resumeAt, calls, callsPerDay }: SizeProviderUse): string {
  if (problem !== null)
    return resumeAt ? `${problemTexts[problem]}, paused until ${timeText(resumeAt, storeZone)}` : problemTexts[problem]
  return calls >= callsPerDay ? 'Daily limit reached' : 'On'
}
