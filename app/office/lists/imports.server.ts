/** The list of catalog imports, newest first. */
import { defineList, idPlace, time } from '#app/office/define-list.server.ts'
import { importState, kindWords } from '#app/views/office/import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { listImports } from '#domain/catalog/catalog-import/catalog-import.server.ts'

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
