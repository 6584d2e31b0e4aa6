import { z } from 'zod'
import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import type { UploadFault } from '#app/server/import-upload.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  askImport,
  checkImportAgain,
  discardImport,
  findImport,
  listRefusedRows,
  readImportPictures,
  startImport,
  storeUpload,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import {
  differenceKinds,
  feedKinds,
  importActForm,
  importFileForm,
  isAtWork,
  maxUploadBytes,
  pictureProblems,
} from '#domain/catalog/catalog-import/catalog-import.ts'
import { refused } from '#platform/outcome.ts'

export const importFileFaults: Readonly<Record<UploadFault, string>> = {
  none: 'Choose a file.',
  empty: 'The file is empty.',
  'too-large': `The file is larger than ${maxUploadBytes / 1024 / 1024} MB. Pack it with gzip, or split it.`,
  broken: 'The upload was interrupted. Choose the file again.',
  'too-many': 'Too many files in an hour. Try again later.',
}

/** Why the import of a file isn't started. */
export const importFileRefusals = {
  'no-file': { field: 'file', text: importFileFaults.broken },
  'bad-columns': { field: 'file', text: importFileFaults.broken },
  'still-arriving': {
    field: 'file',
    text: 'This file is still uploading from an earlier click. It will appear in the list below.',
  },
} as const

/** Programs send the file as the body. The page's file arrives before its form (`receiveImportFile`). */
export const importFileActions = defineActions({
  resource: 'imports',
  noun: 'import',
  permission: 'catalog.import',
  actions: {
    add: formAction(
      {
        summary: 'Import a file',
        description: `CSV, or ACES or PIES XML, in UTF-8, optionally packed with gzip, up to ${maxUploadBytes / 1024 / 1024} MB. \`key\` is a UUID that you choose, and sending it again returns the same import. The columns are those of a feed, or were matched for a file with the same header. Read the import until you can publish it.`,
        form: importFileForm,
        file: ['text/csv', 'application/xml', 'application/gzip'],
      },
      async ({ app, by, file }, { key: uploadId, ...upload }) => {
        if (!file) return refused('no-file')
        const taken = await app.rateLimits.take('attachment', { sender: `imports of ${by.name}` })
        if (!taken.ok) return refused('not-stored', 'too-many' as const)
        const stored = await storeUpload(app, by, { id: uploadId, fileName: file.name, bytes: file.stream() })
        if (!stored.ok) return refused('not-stored', stored.reason)
        const started = await startImport(app, by, { uploadId, ...upload, sources: 'last' })
        if (!started.ok || started.value.runId !== null) return started
        return refused('other-columns', officePaths.officeImportColumns(uploadId, upload))
      },
      ({ runId }) => String(runId),
    ),
  },
  refusals: {
    ...importFileRefusals,
    'not-stored': (fault) => ({ field: 'file', text: importFileFaults[fault] }),
    'other-columns': (path) => ({
      field: 'file',
      text: `The file has other columns. Match them once in the back office, at ${path}, or rename them.`,
    }),
  },
})

/** How many rejected rows a program reads. */
const mostProblems = 200

const acting = (act: 'publish' | 'roll-back', summary: string, description: string) =>
  formAction({ summary, description, form: importActForm }, ({ app, by, id }, asked) =>
    askImport(app, by, { runId: numberedId(id), act, ...asked }),
  )

export const importActions = defineActions({
  resource: 'imports',
  noun: 'import',
  permission: 'catalog.import',
  actions: {
    publish: acting(
      'publish',
      'Publish an import',
      '`seen` is its `previewedAt`. With `warnings` it also takes a `reason`, and the permission `catalog.publish`.',
    ),
    'roll-back': acting('roll-back', 'Roll back a published import', 'All changed rows are restored.'),
    'check-again': plainAction({ summary: 'Check the file of an import again' }, ({ app, by, id }) =>
      checkImportAgain(app, by, numberedId(id)),
    ),
    discard: formAction({ summary: 'Cancel an import', form: importActForm }, ({ app, by, id }, { reason }) =>
      discardImport(app, by, { runId: numberedId(id), reason }),
    ),
  },
  refusals: {
    'not-found': null,
    'no-reason': { field: 'reason', text: 'Explain why these changes are right.' },
    'not-allowed': 'Your role can’t publish imports with warnings.',
    'no-file': 'The file is no longer stored. Upload it again.',
    'asked-already': 'Another team member already requested something else for this import. Reload the page.',
    'not-now': 'This import changed after you opened it. Reload the page.',
    'shown-another': 'A new preview was made after you opened this page. Check it, then publish.',
  },
  async read(app, id) {
    const run = await findImport(app, numberedId(id))
    if (!run) return undefined
    const { kind, mode, state, rowCount, refusedCount, summary } = run
    const pictures = await readImportPictures(app.db, run.id, mostProblems)
    return {
      kind,
      mode,
      state,
      isAtWork: isAtWork(run),
      rows: rowCount,
      rejected: refusedCount,
      previewedAt: summary.previewedAt ?? null,
      warnings: (summary.warnings ?? []).map((warning) => warning.kind),
      difference: (summary.difference ?? []).map(({ kind: change, count }) => ({ change, count })),
      picturesAdded: pictures.added,
      picturesWaiting: pictures.waiting,
      picturesFailed: pictures.failed,
      pictureProblems: pictures.failures,
      problems: (await listRefusedRows(app, { runId: run.id, count: mostProblems })).map(({ rowNo, ...problem }) => ({
        row: rowNo,
        ...problem,
      })),
    }
  },
  facts: z.object({
    kind: z.enum(feedKinds),
    mode: z.enum(['all-or-nothing', 'per-row']),
    state: z.string().meta({ description: '`waiting-for-yes` once it can be published' }),
    isAtWork: z.boolean().meta({ description: 'Whether it is running' }),
    rows: z.int(),
    rejected: z.int(),
    previewedAt: z.string().nullable().meta({ description: 'What `publish` sends as `seen`' }),
    warnings: z.array(z.string()),
    difference: z.array(z.object({ change: z.enum(differenceKinds), count: z.int() })),
    picturesAdded: z.int(),
    picturesWaiting: z.int(),
    picturesFailed: z.int(),
    pictureProblems: z
      .array(z.object({ url: z.string(), problem: z.enum(pictureProblems) }))
      .max(mostProblems)
      .meta({ description: `The first ${mostProblems} pictures that could not be loaded` }),
    problems: z
      .array(
        z.object({ row: z.int(), column: z.string(), value: z.string(), problem: z.string(), expected: z.string() }),
      )
      .max(mostProblems)
      .meta({ description: `The first ${mostProblems} of the rejected rows` }),
  }),
})
