/** Actions that import a CSV file, on a page and in the admin API. */
import type { Application } from '#application'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { fileFaults } from './decision.server.ts'
import { plainAction, type Described } from './define-actions.server.ts'
import { readSentText } from './sent-file.server.ts'

/** Declares the import of a file of up to `maxBytes`. */
export function importAction<Value, Refusal extends Refused<string, unknown>>(
  described: Pick<Described, 'summary' | 'description' | 'result'>,
  maxBytes: number,
  importFile: (app: Application, by: Actor, text: string, id: string) => Promise<Outcome<Value, Refusal>>,
) {
  return plainAction<Value, Refusal | Refused<'no-file'> | Refused<'too-large'>>(
    { ...described, file: ['text/csv'] },
    async ({ app, by, id, file }) => {
      if (!file) return refused('no-file')
      const text = await readSentText(file, maxBytes)
      return text === undefined ? refused('too-large') : importFile(app, by, text, id)
    },
  )
}

/** Why the file of an `importAction` is refused. */
export const importRefusals = (maxBytes: number) =>
  ({
    'no-file': { field: 'file', text: 'Choose a CSV file.' },
    'too-large': { field: 'file', text: `The file is larger than ${maxBytes / 1024} kB.` },
    faults: fileFaults,
  }) as const
