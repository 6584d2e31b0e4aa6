/** Imports a file of rebates as drafts. */
import { selectOfficeRebates, selectRebateTwin, type OfficeRebate } from '#domain/catalog/catalog/catalog.server.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { refused, type Outcome } from '#platform/outcome.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import type { NotADraft } from './draft-kind.server.ts'
import { draftFault, importDrafts, type ImportedDrafts, type RowFault } from './import-drafts.server.ts'
import { filterValues } from './offer-fields.ts'
import { rebateFile } from './rebate-file.ts'
import type { RebateChange } from './rebate-form.ts'
import { addRebate, rebateDrafts, rebateSlug, refusingTaken, type SaveRefusal } from './rebates.server.ts'

type Refusal = NotADraft | SaveRefusal

/** Imports a file of rebates, or refuses it with its faults. */
export async function importRebates(
  deps: { db: Database; clock: Clock },
  by: Actor,
  text: string,
): Promise<ImportedDrafts> {
  const imported = await refusingTaken(() =>
    importDrafts({ file: rebateFile, find, termsOf, change, add, faultOf }, deps, by, text),
  )
  if (imported.ok || imported.reason !== 'name-taken') return imported
  // Another rebate got the name during the import.
  return refused('faults', [nameTaken])
}

const nameTaken = 'Another rebate has this name.'

const find = async (tx: Tx, id: number): Promise<OfficeRebate | undefined> =>
  (await selectOfficeRebates(tx, { id, limit: 1 }))[0]

async function change(
  tx: Tx,
  by: Actor,
  { id, change: terms, at }: { id: number; change: RebateChange; at: Temporal.Instant },
): Promise<Outcome<null, Refusal>> {
  if (await isTaken(tx, terms, id)) return refused('name-taken')
  return rebateDrafts.changeWithin(tx, by, { id, change: terms, at })
}

async function add(tx: Tx, by: Actor, typed: RebateChange, at: Temporal.Instant): Promise<Outcome<number, Refusal>> {
  const { version: _, ...terms } = typed
  return (await isTaken(tx, terms, null)) ? refused('name-taken') : addRebate(tx, by, terms, at)
}

const isTaken = (tx: Tx, { name }: { name: string }, except: number | null) =>
  selectRebateTwin(tx, { name, slug: rebateSlug(name), except })

function faultOf(refusal: Refusal): RowFault {
  switch (refusal.reason) {
    case 'name-taken':
      return { field: 'name', message: nameTaken }
    case 'no-subject':
      return { field: 'subject', message: 'Brand or model not found in the catalog.' }
    default:
      return draftFault('rebate', refusal)
  }
}

/** The terms of a rebate as a row has them. One that was ended early has its last day. */
function termsOf(rebate: OfficeRebate): RebateChange {
  const { name, amountCents, units, paidAs, subject, filter, formUrl, mailTo, lastClaimOn, version } = rebate
  const parts = Object.entries(filterValues(filter)).map(([part, value]) => [part, value === '' ? null : value])
  const lastDay = storeDay(rebate.endsAt.subtract({ nanoseconds: 1 }))
  return {
    name,
    amountCents,
    units,
    paidAs,
    subject,
    ...(Object.fromEntries(parts) as Pick<RebateChange, keyof ReturnType<typeof filterValues>>),
    formUrl,
    mailTo,
    startsAt: midnight(storeDay(rebate.startsAt)),
    endsAt: midnight(lastDay.add({ days: 1 })),
    lastClaimOn,
    version,
  }
}

const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(storeZone).toInstant()
