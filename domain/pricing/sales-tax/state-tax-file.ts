/** Parses a file of taxes and fees by state. Its columns match the list's export. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { headOf, uploadedCell } from '#platform/csv-text.ts'
import {
  isStateTaxVerifiable,
  stateTaxFields,
  taxableKindNames,
  taxableKinds,
  type StateTaxDraft,
} from './state-tax-form.ts'

export const maxStateTaxBytes = 256 * 1024
export const maxStateTaxRows = 500

/** The columns that a file needs, as the export heads them. */
export const stateTaxColumns = [
  'Code',
  'State rate',
  'Tire fee',
  'Fee name on receipts',
  'Taxed',
  'Checked',
  'Verified',
  'Source',
] as const
/** The day from which a row applies, empty for now, and the newest change when the file was exported. */
export const optionalStateTaxColumns = ['Starts', 'Last change'] as const

type Column = (typeof stateTaxColumns)[number] | (typeof optionalStateTaxColumns)[number]

/** `seen` is the newest change of the state when the file was exported; null if the file does not say. */
export type StateTaxFileRow = { line: number; state: string; draft: StateTaxDraft; seen: number | null }

const taxed = z
  .string()
  .max(400, 'List what is taxed, as in the export.')
  .transform((text, issue) => {
    const names = text
      .split(/[,;]/)
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '' && name !== 'nothing')
    const kinds = names.map((name) => taxableKindNames.find((kind) => taxableKinds[kind].toLowerCase() === name))
    if (!kinds.includes(undefined)) return taxableKindNames.filter((kind) => kinds.includes(kind))
    issue.addIssue({ code: 'custom', message: `Use ${Object.values(taxableKinds).join(', ')}, or nothing.` })
    return z.NEVER
  })

const row = z
  .object({
    ...stateTaxFields,
    state: z
      .string()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, 'Enter two letters such as TX.'),
    taxed,
    isVerified: z
      .string()
      .toLowerCase()
      .regex(/^(?:yes|no)?$/, 'Enter yes or no.')
      .transform((text) => text === 'yes'),
    seen: z
      .string()
      .regex(/^\d{0,14}$/, 'Leave this as exported.')
      .transform((text) => (text === '' ? null : Number(text))),
  })
  .superRefine(isStateTaxVerifiable)

const fields = {
  state: 'Code',
  rate: 'State rate',
  tireFee: 'Tire fee',
  tireFeeName: 'Fee name on receipts',
  taxed: 'Taxed',
  checkedOn: 'Checked',
  isVerified: 'Verified',
  source: 'Source',
  startsOn: 'Starts',
  seen: 'Last change',
} as const satisfies Record<keyof z.input<typeof row>, Column>

/** Parses the rows, by `headOf` of their columns, and reports every error by line and column. */
export function readStateTaxRows(table: readonly { line: number; cells: Readonly<Record<string, string>> }[]): {
  rows: StateTaxFileRow[]
  faults: string[]
} {
  const faults: string[] = []
  const rows: StateTaxFileRow[] = []
  const lines = new Map<string, number>()
  for (const { line, cells } of table) {
    const typed = Object.entries(fields).map(
      ([name, column]) => [name, uploadedCell(cells[headOf(column)] ?? '')] as const,
    )
    const read = row.safeParse(Object.fromEntries(typed))
    if (!read.success) {
      const first = new Map(read.error.issues.toReversed().map(({ path, message }) => [String(path[0]), message]))
      for (const [name, message] of [...first].toReversed())
        faults.push(`Line ${line}, ${fields[name as keyof typeof fields]}: ${message}`)
      continue
    }
    const { state, seen, rate, ...rest } = read.data
    const key = `${state} ${rest.startsOn ?? ''}`
    const before = lines.get(key)
    lines.set(key, line)
    if (before === undefined) rows.push({ line, state, seen, draft: { ...rest, ratePpm: rate } })
    else faults.push(`Line ${line}: line ${before} is for the same state and day.`)
  }
  return { rows, faults }
}

export const stateTaxRowLimit = countOf(maxStateTaxRows, 'row')
