/** The file of coupons that staff export, edit, and import. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { headOf, uploadedCell } from '#platform/csv-text.ts'
import { couponChangeForm, type CouponChange } from './coupon-form.ts'

export const maxCouponBytes = 256 * 1024
export const maxCouponRows = 500
export const couponFileLimits = `up to ${countOf(maxCouponRows, 'row')} and ${maxCouponBytes / 1024} kB`

/** The heading of each field, in the export and the import. */
export const couponFileColumns = {
  id: 'ID',
  version: 'Version',
  code: 'Code',
  name: 'Name',
  kind: 'Kind',
  amount: 'Amount',
  subject: 'Subject',
  type: 'Tire type',
  category: 'Category',
  size: 'Size',
  season: 'Season',
  vehicleClass: 'Vehicle class',
  supplier: 'Supplier',
  fundedBy: 'Funded by',
  stacks: 'Combines with promotions',
  minimum: 'Minimum in dollars',
  advertised: 'Suggested to customers',
  usesMost: 'Maximum uses',
  personMost: 'Maximum per customer',
} as const
export type CouponFileField = keyof typeof couponFileColumns

const optionalFields = ['id', 'version', 'type', 'category', 'size', 'season', 'vehicleClass', 'supplier'] as const
const fields = Object.keys(couponFileColumns) as CouponFileField[]
const columnsOf = (isOptional: boolean) =>
  fields
    .filter((field) => (optionalFields as readonly CouponFileField[]).includes(field) === isOptional)
    .map((field) => couponFileColumns[field])

/** The columns that a file needs, and those it may have. */
export const requiredCouponColumns = columnsOf(false)
export const optionalCouponColumns = columnsOf(true)

/** `id` is null for a row that drafts a new coupon. */
export type CouponFileRow = { line: number; id: number | null; change: CouponChange }

const idForm = z
  .string()
  .regex(/^\d{0,9}$/, 'Leave this as exported, or empty for a new coupon.')
  .transform((text) => (text === '' ? null : Number(text)))

/** "Line 3, Amount: Enter a whole percentage from 1 to 100." */
export function couponFault(line: number, field: CouponFileField, message: string): string {
  return `Line ${line}, ${couponFileColumns[field]}: ${message}`
}

/** Parses the rows, by `headOf` of their columns, and reports every error by line and column. */
export function readCouponRows(table: readonly { line: number; cells: Readonly<Record<string, string>> }[]): {
  rows: CouponFileRow[]
  faults: string[]
} {
  const faults: string[] = []
  const rows: CouponFileRow[] = []
  const lines = new Map<string, number>()
  for (const { line, cells } of table) {
    const typed = typedOf(cells)
    const id = idForm.safeParse(typed['id'] ?? '')
    const isNew = id.success && id.data === null
    const change = couponChangeForm.safeParse(isNew ? { ...typed, version: '1' } : typed)
    for (const [field, message] of firstIssues(change.error)) faults.push(couponFault(line, field, message))
    if (!id.success) faults.push(couponFault(line, 'id', id.error.issues[0]?.message ?? ''))
    if (!id.success || !change.success) continue
    const key = isNew ? `code ${change.data.code}` : `id ${id.data}`
    const before = lines.get(key)
    if (before === undefined) rows.push({ line, id: id.data, change: change.data })
    else faults.push(couponFault(line, isNew ? 'code' : 'id', `Line ${before} has the same one.`))
    lines.set(key, before ?? line)
  }
  return { rows, faults }
}

/** The filled fields of a row, as the form has them. */
function typedOf(cells: Readonly<Record<string, string>>): Partial<Record<string, string>> {
  const typed = fields.map((field) => [field, uploadedCell(cells[headOf(couponFileColumns[field])] ?? '')] as const)
  return Object.fromEntries(typed.filter(([, text]) => text !== ''))
}

/** The first message for each field. */
function firstIssues(error: z.ZodError | undefined): [CouponFileField, string][] {
  const found = new Map<CouponFileField, string>()
  for (const { path, message } of error?.issues ?? []) {
    const field = path[0] as CouponFileField
    if (!found.has(field)) found.set(field, message)
  }
  return [...found]
}
