import { csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { importState, kindWords } from '#app/views/office-import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { listImports } from '#domain/catalog-import/catalog-import.server.ts'
import type { Shop } from '#shop'
import type { Route } from './+types/imports-file.ts'

const runsPerBatch = 500

/** Every import as CSV, newest first. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { shop } = await requireStaff(context, 'catalog.read', officePaths.officeImportsFile())
  const header = ['Import', 'State', 'Holds', 'File', 'Rows', 'Refused', 'Started', 'By']
  return csvResponse('imports', header, readAll(shop))
}

async function* readAll(shop: Shop) {
  for (let before: number | null = null; ;) {
    const runs = await listImports(shop, { limit: runsPerBatch, before })
    yield runs.map((run) => [
      run.id,
      importState(run).words,
      kindWords[run.kind],
      run.fileName,
      run.rowCount,
      run.refusedCount,
      run.startedAt.toString(),
      run.startedBy ?? '',
    ])
    const last = runs.at(-1)
    if (runs.length < runsPerBatch || !last) return
    before = last.id
  }
}
