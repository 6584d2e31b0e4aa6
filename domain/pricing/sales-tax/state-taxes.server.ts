/** The base rate, tire fee and taxability of each state, with the changes that staff made to the built-in values. */
import { isDeepStrictEqual } from 'node:util'
import {
  stateTaxRules,
  taxedIn,
  taxRuleFor,
  type StateTaxRule,
  type TaxableKind,
} from '#domain/pricing/pricing/pricing.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { countOf } from '#platform/count-text.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { selectRates } from './rates.sql.server.ts'
import { readStateTaxFile } from './read-state-taxes.server.ts'
import type { StateTaxFileRow } from './state-tax-file.ts'
import { taxableKindNames, type StateTaxDraft } from './state-tax-form.ts'
import {
  cancelStateTaxRow,
  countStateTaxes,
  insertStateTax,
  lockStateTaxes,
  selectLatestStart,
  selectNewestChanges,
  selectStateTax,
  selectStateTaxChanges,
  selectStateTaxes,
  type BuiltInTax,
  type StateTaxRow,
} from './state-taxes.sql.server.ts'
import { tireFeeText } from './tire-fee-text.ts'

type Deps = { db: Database; clock: Clock }

/** A state as the office shows it today. */
export type StateTaxView = {
  state: string
  name: string
  ratePpm: number
  /** The imported rate of the whole state. It replaces `ratePpm`; null without one. */
  importedPpm: number | null
  tireFee: StateTaxRule['tireFee']
  /** The name on receipts that staff set; null for the usual one. */
  tireFeeName: string | null
  taxed: readonly TaxableKind[]
  source: string
  startsOn: string
  checkedOn: string | null
  isVerified: boolean
  /** Whether staff set the values. */
  isEdited: boolean
  /** The number of its newest change; 0 without one. */
  seen: number
  /**
   * The built-in values, if staff set others; null otherwise. `isUpdated` is whether they changed after staff set
   * theirs.
   */
  builtIn: (BuiltInTax & Pick<StateTaxRule, 'source' | 'validFrom'> & { isUpdated: boolean }) | null
}

/** A state can have this many changes, each scheduled up to this many days ahead. */
const maxChanges = 500
const maxDaysAhead = 730

/** A change without a start day starts on the current day in this zone, where each day starts last. */
const latestZone = 'Pacific/Pago_Pago'
/** A scheduled change has started once its day starts in this zone, where each day starts first. */
const earliestZone = 'Pacific/Guam'

/** Every state and territory we ship to as it is today, by code. */
export async function listStateTaxes({ db, clock }: Deps): Promise<StateTaxView[]> {
  const day = storeDay(clock.now())
  const rules = stateTaxRules(day)
  const [rows, newest, imported] = await Promise.all([
    selectStateTaxes(db, day.toString()),
    selectNewestChanges(db),
    selectRates(
      db,
      rules.map(({ stateCode }) => ({ zip: '', state: stateCode })),
      day.toString(),
    ),
  ])
  return rules.map((rule) =>
    viewOf(
      rule,
      rows.find(({ state }) => state === rule.stateCode),
      {
        importedPpm: imported.find(({ state }) => state === rule.stateCode)?.statePpm ?? null,
        seen: newest.get(rule.stateCode) ?? 0,
      },
    ),
  )
}

/** A state with its changes, newest first; `seen` is the newest one's number. Undefined for a state without rates. */
export async function findStateTax(
  deps: Deps,
  state: string,
): Promise<{ view: StateTaxView; changes: StateTaxRow[]; seen: number } | undefined> {
  if (!taxRuleFor(state, storeDay(deps.clock.now()))) return undefined
  const [all, changes] = await Promise.all([listStateTaxes(deps), selectStateTaxChanges(deps.db, state, 50)])
  const view = all.find((each) => each.state === state)
  return view && { view, changes, seen: view.seen }
}

function viewOf(
  rule: StateTaxRule,
  row: StateTaxRow | undefined,
  known: Pick<StateTaxView, 'importedPpm' | 'seen'>,
): StateTaxView {
  const { stateCode: state, stateName: name } = rule
  const shared = { state, name, ...known, isEdited: row !== undefined, builtIn: differingBuiltIn(rule, row) }
  if (row) {
    const { ratePpm, tireFee, tireFeeName, taxed, source, startsOn, checkedOn, isVerified } = row
    return { ...shared, ratePpm, tireFee, tireFeeName, taxed, source, startsOn, checkedOn, isVerified }
  }
  const { ratePpm, tireFee, source, validFrom: startsOn } = rule
  const taxed = taxedIn(state)
  return {
    ...shared,
    ratePpm,
    tireFee,
    tireFeeName: null,
    taxed,
    source,
    startsOn,
    checkedOn: null,
    isVerified: false,
  }
}

function builtInOf({ stateCode, ratePpm, tireFee }: StateTaxRule): BuiltInTax {
  return { ratePpm, tireFee, taxed: sorted(taxedIn(stateCode)) }
}

function sorted(taxed: readonly TaxableKind[]): TaxableKind[] {
  return taxableKindNames.filter((kind) => taxed.includes(kind))
}

function differingBuiltIn(rule: StateTaxRule, row: StateTaxRow | undefined): StateTaxView['builtIn'] {
  if (!row) return null
  const builtIn = builtInOf(rule)
  const { ratePpm, tireFee, taxed } = row
  if (isDeepStrictEqual(builtIn, { ratePpm, tireFee, taxed: sorted(taxed) })) return null
  const isUpdated = row.builtIn !== null && !isDeepStrictEqual(builtIn, row.builtIn)
  return { ...builtIn, source: rule.source, validFrom: rule.validFrom, isUpdated }
}

export type StateTaxRefusal =
  | Refused<'not-allowed'>
  | Refused<'no-state'>
  | Refused<'changed-meanwhile'>
  | Refused<'starts-in-past'>
  | Refused<'checked-later'>
  | Refused<'too-many'>

/**
 * Changes a state's rate, fee and taxability from a day on; null for now. `seen` is the newest change that the form was
 * filled from. Refuses `no-state` for one without rates, `changed-meanwhile` after another change, `starts-in-past`
 * also for a day more than two years ahead, and `checked-later` for a check on a day to come.
 */
export async function changeStateTax(
  { db, clock }: Deps,
  by: Actor,
  { state, draft, seen }: { state: string; draft: StateTaxDraft; seen: number },
): Promise<Outcome<{ isScheduled: boolean }, StateTaxRefusal>> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'sales-tax.edit', clock.now())
    if (!permitted.ok) return permitted
    const newest = await lockStateTaxes(tx, state)
    // The lock blocks until orders in progress end. They use the earlier rates.
    const at = clock.now()
    const today = storeDay(at)
    if (!taxRuleFor(state, today)) return refused('no-state')
    if (newest !== seen) return refused('changed-meanwhile')
    const checked = checkDays(draft, at)
    if (!checked.ok) return checked
    if ((await countStateTaxes(tx, state)) >= maxChanges) return refused('too-many')
    await addChange(tx, by, { state, draft, at })
    return ok({ isScheduled: isScheduled(draft, today) })
  })
}

/**
 * Returns a state to the rate, fee and taxability that come with the store, from now on and with their updates. Refuses
 * as `changeStateTax` does, and `has-built-in` for a state that has them.
 */
export async function useBuiltInTax(
  { db, clock }: Deps,
  by: Actor,
  { state, seen }: { state: string; seen: number },
): Promise<
  Outcome<
    null,
    Exclude<StateTaxRefusal, Refused<'starts-in-past'> | Refused<'checked-later'>> | Refused<'has-built-in'>
  >
> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'sales-tax.edit', clock.now())
    if (!permitted.ok) return permitted
    const newest = await lockStateTaxes(tx, state)
    const at = clock.now()
    const rule = taxRuleFor(state, storeDay(at))
    if (!rule) return refused('no-state')
    if (newest !== seen) return refused('changed-meanwhile')
    const edits = await selectStateTaxes(tx, storeDay(at).toString())
    if (!edits.some((row) => row.state === state)) return refused('has-built-in')
    if ((await countStateTaxes(tx, state)) >= maxChanges) return refused('too-many')
    const { source } = rule
    const unnamed = { tireFeeName: null, checkedOn: null, isVerified: false, startsOn: null }
    await addChange(tx, by, { state, draft: { ...builtInOf(rule), source, ...unnamed }, at, isBuiltIn: true })
    return ok(null)
  })
}

/** Checks when a change starts, and when it was checked. */
function checkDays(
  { startsOn, checkedOn }: StateTaxDraft,
  at: Temporal.Instant,
): Outcome<null, Refused<'starts-in-past'> | Refused<'checked-later'>> {
  if (checkedOn !== null && checkedOn > dayIn(earliestZone, at)) return refused('checked-later')
  const today = storeDay(at)
  const latest = today.add({ days: maxDaysAhead }).toString()
  const isOut = startsOn !== null && (startsOn < today.toString() || startsOn > latest)
  return isOut ? refused('starts-in-past') : ok(null)
}

function isScheduled({ startsOn }: Pick<StateTaxDraft, 'startsOn'>, today: Temporal.PlainDate): boolean {
  return startsOn !== null && startsOn > today.toString()
}

/** Adds a change of a locked state unless it already has these values. Returns whether it was added. */
async function addChange(
  tx: Tx,
  by: Actor,
  {
    state,
    draft,
    at,
    skipsSame = false,
    isBuiltIn = false,
  }: {
    state: string
    draft: Omit<StateTaxDraft, 'taxed' | 'tireFee'> & Pick<StateTaxRow, 'taxed' | 'tireFee'>
    at: Temporal.Instant
    skipsSame?: boolean
    isBuiltIn?: boolean
  },
): Promise<boolean> {
  const startsOn =
    draft.startsOn !== null && isScheduled(draft, storeDay(at)) ? draft.startsOn : await startOfNow(tx, state, at)
  const [before, after] = [recorded(await currentOf(tx, state, startsOn)), recorded(draft)]
  if (skipsSame && isDeepStrictEqual(before, after)) return false
  const rule = taxRuleFor(state, storeDay(at))
  const builtIn = rule && builtInOf(rule)
  await insertStateTax(tx, state, { ...draft, startsOn, builtIn, isBuiltIn, by: by.name, at })
  const act = isBuiltIn ? 'state-tax.reset' : 'state-tax.changed'
  await recordAct(tx, { by, act, subject: state, before, after: { ...after, from: startsOn }, at })
  return true
}

const maxChangesText = `has reached the limit of ${countOf(maxChanges, 'change')}.`

/**
 * Imports a CSV file with the columns of the list's export. Either all rows apply, or the file is refused. Returns how
 * many rows changed a state. Refuses `faults` with an error for each wrong line, including states that changed after
 * the export.
 */
export async function importStateTaxes(
  { db, clock }: Deps,
  by: Actor,
  text: string,
): Promise<Outcome<{ changed: number }, Refused<'not-allowed'> | Refused<'faults', string[]>>> {
  const read = readStateTaxFile(text)
  if (!read.ok) return read
  // A change from now on is saved first, because a scheduled one may be of the same state.
  const rows = read.value.toSorted((a, b) => ((a.draft.startsOn ?? '') < (b.draft.startsOn ?? '') ? -1 : 1))
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'sales-tax.edit', clock.now())
    if (!permitted.ok) return permitted
    await lockStateTaxes(tx, '')
    const at = clock.now()
    const faults = await findFaults(tx, read.value, at)
    if (faults.length > 0) return refused('faults', faults)
    let changed = 0
    for (const { state, draft } of rows) if (await addChange(tx, by, { state, draft, at, skipsSame: true })) changed++
    return ok({ changed })
  })
}

/** What is wrong with valid rows in this store, now. */
async function findFaults(tx: Tx, rows: readonly StateTaxFileRow[], at: Temporal.Instant): Promise<string[]> {
  const newest = await selectNewestChanges(tx)
  const faults: string[] = []
  for (const { line, state, draft, seen } of rows) {
    const add = (fault: string) => void faults.push(`Line ${line}: ${fault}`)
    const checked = checkDays(draft, at)
    if (!taxRuleFor(state, storeDay(at))) add(`we don’t ship to a state ${state}.`)
    else if (seen !== null && seen !== (newest.get(state) ?? 0))
      add(`${state} was changed after the export. Export the file again.`)
    else if (!checked.ok)
      add(
        checked.reason === 'checked-later'
          ? 'Checked is a day to come.'
          : 'Starts must be from today to two years ahead.',
      )
    else if ((await countStateTaxes(tx, state)) + rows.filter((row) => row.state === state).length > maxChanges)
      add(`${state} ${maxChangesText}`)
  }
  return faults
}

/** Cancels a change that has not started anywhere. Refuses `gone` for one that was canceled, and `started`. */
export async function cancelStateTaxChange(
  { db, clock }: Deps,
  by: Actor,
  { state, change }: { state: string; change: number },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'> | Refused<'started'>>> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'sales-tax.edit', clock.now())
    if (!permitted.ok) return permitted
    await lockStateTaxes(tx, state)
    const at = clock.now()
    const row = await selectStateTax(tx, change)
    if (row?.state !== state) return refused('gone')
    if (row.startsOn <= dayIn(earliestZone, at)) return refused('started')
    await cancelStateTaxRow(tx, change, { by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'state-tax.change-canceled',
      subject: state,
      before: { ...recorded(row), from: row.startsOn },
      at,
    })
    return ok(null)
  })
}

function dayIn(zone: string, at: Temporal.Instant): string {
  return at.toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** Returns the first day of a change without a start day. It replaces a change that started later. */
async function startOfNow(tx: Tx, state: string, at: Temporal.Instant): Promise<string> {
  const day = dayIn(latestZone, at)
  const started = await selectLatestStart(tx, state, dayIn(earliestZone, at))
  return started !== null && started > day ? started : day
}

async function currentOf(tx: Tx, state: string, day: string) {
  const row = (await selectStateTaxes(tx, day)).find((each) => each.state === state)
  if (row) return row
  const { ratePpm = 0, tireFee = [], source = '' } = taxRuleFor(state, Temporal.PlainDate.from(day)) ?? {}
  return { ratePpm, tireFee, tireFeeName: null, taxed: taxedIn(state), source, checkedOn: null, isVerified: false }
}

type Recorded = Pick<
  StateTaxRow,
  'ratePpm' | 'tireFee' | 'tireFeeName' | 'taxed' | 'source' | 'checkedOn' | 'isVerified'
>

function recorded({ ratePpm, tireFee, tireFeeName, taxed, source, checkedOn, isVerified }: Recorded) {
  return {
    ratePpm,
    tireFee: tireFeeText(tireFee),
    tireFeeName,
    taxed: taxableKindNames.filter((kind) => taxed.includes(kind)).join(' '),
    source,
    checkedOn,
    isVerified,
  }
}
