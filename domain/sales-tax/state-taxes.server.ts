/** The base rate, tire fee and taxability of each state, with the changes that staff made to the built-in values. */
import { stateTaxRules, taxedIn, taxRuleFor, type StateTaxRule, type TaxableKind } from '#domain/pricing/pricing.ts'
import { recordAct, requirePermission, type Actor } from '#domain/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { selectRates } from './rates.sql.server.ts'
import type { StateTaxDraft } from './state-tax-form.ts'
import {
  cancelStateTaxRow,
  countStateTaxes,
  insertStateTax,
  lockStateTaxes,
  selectLatestStart,
  selectStateTax,
  selectStateTaxChanges,
  selectStateTaxes,
  type StateTaxRow,
} from './state-taxes.sql.server.ts'
import { tireFeeText } from './tire-fee-text.ts'

type Deps = { db: Database; clock: Clock }

/** A state as the office shows it today. */
export type StateTaxView = {
  state: string
  name: string
  ratePpm: number
  /** The imported rate of the whole state, which is charged in place of `ratePpm`; null without one. */
  importedPpm: number | null
  tireFee: StateTaxRule['tireFee']
  /** The name on receipts that staff set; null for the usual one. */
  tireFeeName: string | null
  taxed: readonly TaxableKind[]
  source: string
  startsOn: string
  checkedOn: string | null
  isVerified: boolean
  /** Whether the built-in values apply. */
  isBuiltIn: boolean
}

/** The most changes of one state, and the latest start of a scheduled one in days from now. */
const maxChanges = 500
const maxDaysAhead = 730

/** A change without a start day starts on the day of this zone, where each day begins last. */
const latestZone = 'Pacific/Pago_Pago'
/** A scheduled change has started once its day begins in this zone, where each day begins first. */
const earliestZone = 'Pacific/Guam'

/** Every state and territory we ship to as it is today, by code. */
export async function listStateTaxes({ db, clock }: Deps): Promise<StateTaxView[]> {
  const day = storeDay(clock.now())
  const rules = stateTaxRules(day)
  const [rows, imported] = await Promise.all([
    selectStateTaxes(db, day.toString()),
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
      imported.find(({ state }) => state === rule.stateCode)?.statePpm ?? null,
    ),
  )
}

/** A state with its changes, newest first; `seen` is the newest one's number. Undefined for a state without rates. */
export async function findStateTax(
  deps: Deps,
  state: string,
): Promise<{ view: StateTaxView; builtIn: StateTaxRule; changes: StateTaxRow[]; seen: number } | undefined> {
  const builtIn = taxRuleFor(state, storeDay(deps.clock.now()))
  if (!builtIn) return undefined
  const [all, changes] = await Promise.all([listStateTaxes(deps), selectStateTaxChanges(deps.db, state, 50)])
  const view = all.find((each) => each.state === state)
  return view && { view, builtIn, changes, seen: changes[0]?.id ?? 0 }
}

function viewOf(builtIn: StateTaxRule, row: StateTaxRow | undefined, importedPpm: number | null): StateTaxView {
  const { stateCode: state, stateName: name } = builtIn
  const shared = { state, name, importedPpm, isBuiltIn: row === undefined }
  if (row) {
    const { ratePpm, tireFee, tireFeeName, taxed, source, startsOn, checkedOn, isVerified } = row
    return { ...shared, ratePpm, tireFee, tireFeeName, taxed, source, startsOn, checkedOn, isVerified }
  }
  const { ratePpm, tireFee, source, validFrom: startsOn } = builtIn
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
    // The lock waits for orders in progress, which keep the earlier rates.
    const at = clock.now()
    const today = storeDay(at)
    if (!taxRuleFor(state, today)) return refused('no-state')
    if (newest !== seen) return refused('changed-meanwhile')
    if (draft.checkedOn !== null && draft.checkedOn > dayIn(earliestZone, at)) return refused('checked-later')
    const isScheduled = draft.startsOn !== null && draft.startsOn > today.toString()
    const latest = today.add({ days: maxDaysAhead }).toString()
    if (draft.startsOn !== null && (draft.startsOn < today.toString() || draft.startsOn > latest))
      return refused('starts-in-past')
    if ((await countStateTaxes(tx, state)) >= maxChanges) return refused('too-many')
    const startsOn = isScheduled ? (draft.startsOn ?? latest) : await startOfNow(tx, state, at)
    const before = await currentOf(tx, state, startsOn)
    await insertStateTax(tx, state, { ...draft, startsOn, by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'state-tax.changed',
      subject: state,
      before: recorded(before),
      after: { ...recorded(draft), from: startsOn },
      at,
    })
    return ok({ isScheduled })
  })
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
    taxed: taxed.join(' '),
    source,
    checkedOn,
    isVerified,
  }
}
