/** The list of catalog imports, newest first. */
import { defineList, idPlace, time, type ListReader } from '#app/office/define-list.server.ts'
import { importState, kindWords } from '#app/views/office/import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { listImports } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { readSizeProvider, type SizeProviderUse } from '#domain/catalog/vehicles/vehicles.server.ts'
import { grouped } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'

export const imports = defineList({
  name: 'imports',
  title: 'Imports',
  path: officePaths.officeImports(),
  permission: 'catalog.read',
  caption: 'Imports, newest first',
  nouns: ['import', 'imports'],
  columns: [
    { key: 'run', label: 'Import', isFixed: true },
    { key: 'state', label: 'State' },
    { key: 'kind', label: 'Contents' },
    { key: 'file', label: 'File' },
    { key: 'rows', label: 'Rows', kind: 'count' },
    { key: 'refused', label: 'Refused', kind: 'count' },
    { key: 'started', label: 'Started', kind: 'time' },
    { key: 'by', label: 'By' },
  ],
  facts: readFacts,
  read: async ({ app }, { after, before, limit }) => {
    const found = await listImports(app, { limit: limit + 1, before: idPlace(after ?? before) })
    const runs = found.slice(0, limit)
    return {
      rows: runs.map((run) => {
        const { words, tone } = importState(run)
        return {
          id: String(run.id),
          label: `Import ${run.id}`,
          path: officePaths.officeImport(run.id),
          cells: {
            run: { text: `Import ${run.id}`, file: run.id },
            state: { text: words, tone },
            kind: kindWords[run.kind],
            file: { text: run.fileName.split('/').at(-1) ?? '', file: run.fileName },
            rows: run.rowCount,
            refused: run.refusedCount,
            started: time(run.startedAt),
            by: run.startedBy,
          },
        }
      }),
      next: found.length > limit ? String(runs.at(-1)?.id) : null,
    }
  },
})

/** The list of original sizes that isn't imported, but requested for each vehicle. */
async function readFacts({ app }: ListReader) {
  const use = await readSizeProvider(app)
  if (!use) return [{ label: 'Wheel-Size', value: 'Off' }]
  const { calls, callsPerDay, vehicles, answeredAt } = use
  return [
    { label: 'Wheel-Size', value: statusOf(use) },
    { label: 'Calls today', value: `${grouped(calls)} of ${grouped(callsPerDay)}` },
    { label: 'Vehicles in 24 hours', value: grouped(vehicles) },
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
