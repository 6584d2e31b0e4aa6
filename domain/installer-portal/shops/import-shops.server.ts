/** Imports a file of new and changed shops and vans. */
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import {
  lockShopImport,
  selectShopRecord,
  selectShopTwin,
  type ShopRecord,
} from '#domain/scheduling/installers/installers.server.ts'
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { readUploadedTable } from '#platform/uploaded-table.server.ts'
import { withoutFaults } from '#platform/without-faults.server.ts'
import { newShopForm, profileForm } from './profile-form.ts'
import { addWithin, changeWithin, type ProfileRefusal } from './profiles.server.ts'
import {
  maxShopFileBytes,
  maxShopFileRows,
  readShopRow,
  requiredShopColumns,
  shopFileFault,
  shopFileValues,
  typedProfile,
  unknownServices,
  type ShopFileField,
  type ShopRow,
} from './shop-file.ts'
import { shopProfileMessages, shopServices } from './shops.ts'

type Saved = 'added' | 'changed' | 'same'
type RowFault = { field: ShopFileField; message: string }
type SavedRow = Outcome<Saved, Refused<'faulty', RowFault[]>>
type By = { by: Actor; clock: Clock }

/** The fields that only a profile has. */
const profileOnly = [
  'email',
  'about',
  'services',
  'amenities',
  'rimMinIn',
  'rimMaxIn',
  'aspectMin',
  'receivingMinutes',
] as const

/**
 * Adds a shop for each row without a code and invites its owner, and changes the profiles of the others. A column that
 * the file lacks isn't changed, and a row that equals its shop has no effect. A file with a fault imports no rows;
 * `faults` has every error by line and column.
 */
export async function importShops(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  text: string,
): Promise<Outcome<{ added: number; changed: number }, Refused<'not-allowed'> | Refused<'faults', string[]>>> {
  const table = readUploadedTable(text, {
    columns: requiredShopColumns,
    maxBytes: maxShopFileBytes,
    maxRows: maxShopFileRows,
  })
  if (!table.ok) return table
  return withoutFaults(db, async (tx, faults) => {
    const permitted = await requirePermission(tx, by, 'shops.edit', clock.now())
    if (!permitted.ok) return permitted
    await lockShopImport(tx)
    const saved: Saved[] = []
    const lines = new Map<string, number>()
    for (const { line, cells } of table.value) {
      const row = readShopRow(cells)
      const key = keyOf(row)
      const before = lines.get(key)
      lines.set(key, before ?? line)
      const outcome =
        before === undefined
          ? await saveRow(tx, { by, clock }, row)
          : faulty(row.code ? 'code' : 'name', `Line ${before} has the same one.`)
      if (outcome.ok) saved.push(outcome.value)
      else for (const { field, message } of outcome.detail) faults.push(shopFileFault(line, field, message))
    }
    const count = (what: Saved) => saved.filter((each) => each === what).length
    return ok({ added: count('added'), changed: count('changed') })
  })
}

/** A shop's code, or a new shop's name and address. */
const keyOf = ({ code, name, street, zip }: ShopRow) => code || [name, street, zip].join('\n').toLowerCase()

const faulty = (field: ShopFileField, message: string): Refused<'faulty', RowFault[]> =>
  refused('faulty', [{ field, message }])

async function saveRow(tx: Tx, deps: By, row: ShopRow): Promise<SavedRow> {
  const [unknown] = unknownServices(row)
  if (unknown !== undefined)
    return faulty('services', `${unknown} isn’t a service. Enter ${Object.keys(shopServices).join(', ')}.`)
  if (!row.code) return addRow(tx, deps, row)
  const record = await selectShopRecord(tx, { code: row.code })
  if (!record) return faulty('code', 'No shop has this code. Leave it empty for a new shop.')
  if (row.version === undefined) return faulty('version', 'Enter the version of the export.')
  return changeRow(tx, deps, { record, row })
}

async function addRow(tx: Tx, deps: By, row: ShopRow): Promise<SavedRow> {
  const draft = newShopForm.safeParse(row)
  if (!draft.success) return refused('faulty', faultsOf(draft.error))
  const twin = await selectShopTwin(tx, draft.data)
  if (twin !== undefined)
    return faulty('code', `${twin} has this name and address. Enter its code and version to change it.`)
  const added = await addWithin(tx, deps.by, draft.data, deps.clock.now())
  if (!added.ok) return faulty('zip', shopProfileMessages['zip-unknown'])
  const given = Object.fromEntries(profileOnly.flatMap((field) => (row[field] ? [[field, row[field]]] : [])))
  if (Object.keys(given).length === 0) return ok('added')
  const record = await selectShopRecord(tx, { code: added.value.code })
  if (!record) throw new Error('A shop was not made.')
  const changed = await changeRow(tx, deps, { record, row: { ...given, version: String(record.version) } })
  return changed.ok ? ok('added') : changed
}

async function changeRow(
  tx: Tx,
  { by, clock }: By,
  { record, row }: { record: ShopRecord; row: ShopRow },
): Promise<SavedRow> {
  const stored = shopFileValues(record)
  const draft = profileForm.safeParse(typedProfile({ ...stored, ...row }))
  if (!draft.success) return refused('faulty', faultsOf(draft.error))
  const current = profileForm.safeParse(typedProfile(stored))
  if (isDeepStrictEqual(current.data, { ...draft.data, version: record.version })) return ok('same')
  const changed = await changeWithin(tx, { by, clock }, record.code, draft.data)
  return changed.ok ? ok('changed') : faulty(fieldOf[changed.reason], messageOf(changed.reason))
}

const fieldOf = {
  gone: 'code',
  'changed-meanwhile': 'version',
  'kind-fixed': 'kind',
  'zip-unknown': 'zip',
  'zone-moves': 'zip',
} as const satisfies Record<ProfileRefusal['reason'], ShopFileField>

function messageOf(reason: ProfileRefusal['reason']): string {
  if (reason === 'gone') return 'No shop has this code. Leave it empty for a new shop.'
  if (reason === 'changed-meanwhile') return 'This shop was changed after the export. Export the file again.'
  return shopProfileMessages[reason]
}

/** The first message for each field. */
function faultsOf(error: z.ZodError): RowFault[] {
  const found = new Map<ShopFileField, string>()
  for (const { path, message } of error.issues) {
    const field = String(path[0]) as ShopFileField
    if (!found.has(field)) found.set(field, message)
  }
  return [...found].map(([field, message]) => ({ field, message }))
}
