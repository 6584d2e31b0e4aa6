/** Files of drafts that staff export, edit, and import. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { headOf, uploadedCell } from '#platform/csv-text.ts'

export const maxDraftFileBytes = 256 * 1024
export const maxDraftFileRows = 500
export const draftFileLimits = `up to ${countOf(maxDraftFileRows, 'row')} and ${maxDraftFileBytes / 1024} kB`

/** How one kind of draft is written in files. */
export type DraftFile<Field extends string, Change> = {
  noun: 'coupon' | 'rebate'
  /** The heading of each field, in the export and the import. */
  columns: Readonly<Record<Field | 'id' | 'version', string>>
  /** The fields of columns that a file can lack. */
  optional: readonly Field[]
  form: z.ZodType<Change>
  /** The field that differs between all drafts, and its value. */
  key: Field
  keyOf: (change: Change) => string
}

/** Returns the columns that a file needs, and the others. */
export function draftFileColumns({
  columns,
  optional,
}: {
  columns: Readonly<Record<string, string>>
  optional: readonly string[]
}): { required: string[]; optional: string[] } {
  const others = new Set<string>(['id', 'version', ...optional])
  const headings = (isOptional: boolean) =>
    Object.entries(columns).flatMap(([field, heading]) => (others.has(field) === isOptional ? [heading] : []))
  return { required: headings(false), optional: headings(true) }
}

/** `id` is null for a row that drafts a new one. */
export type DraftFileRow<Change> = { line: number; id: number | null; change: Change }

/** "Line 3, Amount: Enter a whole percentage from 1 to 100." */
export function draftFileFault(
  { columns }: { columns: Readonly<Record<string, string>> },
  line: number,
  { field, message }: { field: string; message: string },
): string {
  return `Line ${line}, ${columns[field] ?? field}: ${message}`
}

/** Parses the rows, by `headOf` of their columns, and reports every error by line and column. */
export function readDraftFile<Field extends string, Change>(
  file: DraftFile<Field, Change>,
  table: readonly { line: number; cells: Readonly<Record<string, string>> }[],
): { rows: DraftFileRow<Change>[]; faults: string[] } {
  const idForm = z
    .string()
    .regex(/^\d{0,9}$/, `Leave this as exported, or empty for a new ${file.noun}.`)
    .transform((text) => (text === '' ? null : Number(text)))
  const faults: string[] = []
  const rows: DraftFileRow<Change>[] = []
  const lines = new Map<string, number>()
  for (const { line, cells } of table) {
    const fault = (field: string, message: string) => faults.push(draftFileFault(file, line, { field, message }))
    const typed = typedOf(file.columns, cells)
    const id = idForm.safeParse(typed['id'] ?? '')
    const isNew = id.success && id.data === null
    const change = file.form.safeParse(isNew ? { ...typed, version: '1' } : typed)
    for (const [field, message] of firstIssues(change.error)) fault(field, message)
    if (!id.success) fault('id', id.error.issues[0]?.message ?? '')
    if (!id.success || !change.success) continue
    const key = isNew ? `key ${file.keyOf(change.data)}` : `id ${id.data}`
    const before = lines.get(key)
    if (before === undefined) rows.push({ line, id: id.data, change: change.data })
    else fault(isNew ? file.key : 'id', `Line ${before} has the same one.`)
    lines.set(key, before ?? line)
  }
  return { rows, faults }
}

/** The filled fields of a row, as the form has them. */
function typedOf(
  columns: Readonly<Record<string, string>>,
  cells: Readonly<Record<string, string>>,
): Partial<Record<string, string>> {
  const typed = Object.entries(columns).map(
    ([field, heading]) => [field, uploadedCell(cells[headOf(heading)] ?? '')] as const,
  )
  return Object.fromEntries(typed.filter(([, text]) => text !== ''))
}

/** The first message for each field. */
function firstIssues(error: z.ZodError | undefined): [string, string][] {
  const found = new Map<string, string>()
  for (const { path, message } of error?.issues ?? []) {
    const field = String(path[0])
    if (!found.has(field)) found.set(field, message)
  }
  return [...found]
}
