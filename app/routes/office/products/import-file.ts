import { csvFile, csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { differenceWords } from '#app/views/office/import-words.ts'
import { officePaths } from '#content/office-paths.ts'
import type { DifferenceRow } from '#domain/catalog/catalog-import/catalog-import.ts'
import {
  findImport,
  mostDifferences,
  reportOf,
  selectDifference,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import type { Application } from '#application'
import type { Route } from './+types/import-file.ts'

const rowsPerBatch = 1_000

/** What a run changes (`changes.csv`), or the rows it refuses and why (`refused.csv`). */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const id = /^\d{1,9}$/.test(params.id) ? Number(params.id) : 0
  const { app } = await requireStaff(context, 'catalog.read', officePaths.officeImport(id))
  if (!(await findImport(app, id))) throw new Response(null, { status: 404 })
  if (params.file === 'changes.csv')
    return csvResponse(`import-${id}-changes`, ['Change', 'What', 'Before', 'After'], readChanges(app, id))
  if (params.file !== 'refused.csv') throw new Response(null, { status: 404 })
  return csvFile(`import-${id}-refused`, reportOf(app, id))
}

async function* readChanges({ db }: Application, runId: number) {
  for (let after: DifferenceRow | null = null; ;) {
    const rows: DifferenceRow[] = await selectDifference(db, runId, {
      after,
      limit: rowsPerBatch,
      perKind: mostDifferences,
    })
    yield rows.map(({ kind, what, was, becomes }) => [differenceWords[kind], what, was, becomes])
    const last = rows.at(-1)
    if (rows.length < rowsPerBatch || !last) return
    after = last
  }
}
