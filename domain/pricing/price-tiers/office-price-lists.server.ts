/**
 * Price lists in the office, with versions that are uploaded, compared, tested, scheduled and ended, but never edited.
 */
import { parse } from 'csv-parse/sync'
import {
  authorizeConcession,
  declineConcession,
  findConcessionRequest,
  inConcessionTransaction,
  type ConcessionRefusal,
  type ConcessionRequest,
} from '#domain/kernel/concessions/concessions.server.ts'
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { readTargets, type ImportDeps } from './import-price-list.server.ts'
import { columnsOf } from './import-price-list.sql.server.ts'
import { priceListAt, type AccountPricing } from './price-list.ts'
import { priceListColumns } from './price-list-rows.ts'
import { selectRules } from './price-lists.sql.server.ts'
import { mostPriceListBytes, mostPriceListRows, versionStateAt, type VersionState } from './office-price-lists.ts'
import {
  deleteVersion,
  insertEntries,
  insertList,
  insertVersion,
  keepEarlierRules,
  lockList,
  rebuildRules,
  selectBelowFloors,
  selectCompaniesOf,
  selectDeepestCutOf,
  selectDifference,
  selectEntries,
  selectList,
  selectLists,
  selectNextStart,
  selectSlug,
  selectVersion,
  selectVersionRules,
  selectVersions,
  updateAccountType,
  updateVersionEnd,
  updateVersionStart,
  type BelowFloor,
  type OfficePriceList,
  type PriceListChange,
  type PriceListEntry,
  type PriceListVersion,
} from './office-price-lists.sql.server.ts'
import { uploadedCsv } from '#platform/csv-text.ts'
import { countOf } from '#platform/count-text.ts'

export type { BelowFloor, OfficePriceList, PriceListEntry } from './office-price-lists.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>
type Gone = Refused<'gone'>
type OtherState = Refused<'other-state'>

export type StatedVersion = PriceListVersion & { state: VersionState; nextAt: Temporal.Instant | null }

const listsPerPage = 50
const entriesPerPage = 100
const versionsShown = 50
const companiesShown = 100

/** Lists a page of price lists, after the list `after`. */
export async function listPriceLists(
  { db }: Pick<Deps, 'db'>,
  after: number | null,
): Promise<{ items: OfficePriceList[]; next: number | null }> {
  const found = await selectLists(db, after ?? 0, listsPerPage + 1)
  const items = found.slice(0, listsPerPage)
  return { items, next: found.length > listsPerPage ? (items.at(-1)?.id ?? null) : null }
}

/** Finds a list with its newest versions. */
export async function findPriceList(
  { db, clock }: Deps,
  slug: string,
): Promise<(OfficePriceList & { versions: StatedVersion[] }) | undefined> {
  const list = await selectList(db, slug)
  if (!list) return undefined
  const versions = await selectVersions(db, list.id, versionsShown)
  return { ...list, versions: await Promise.all(versions.map((version) => stated(db, version, clock.now()))) }
}

/** The id of the list with this name in addresses. */
export async function findPriceListId(db: Database, slug: string): Promise<number | undefined> {
  return (await selectList(db, slug))?.id
}

/** The name in addresses of a list. */
export function findPriceListSlug(db: Database, id: number): Promise<string | undefined> {
  return selectSlug(db, id)
}

/** Lists companies with this custom price list, by name, up to a hundred. */
export function listCompaniesOfList({ db }: Pick<Deps, 'db'>, listId: number): Promise<{ id: string; name: string }[]> {
  return selectCompaniesOf(db, listId, companiesShown)
}

/** Finds a version of a list by its id, as the address has it. */
export async function findPriceListVersion(
  { db, clock }: Deps,
  slug: string,
  key: string,
): Promise<{ list: OfficePriceList; version: StatedVersion } | undefined> {
  const list = await selectList(db, slug)
  const version = /^\d{1,9}$/.test(key) ? await selectVersion(db, Number(key)) : undefined
  return list && version?.listId === list.id ? { list, version: await stated(db, version, clock.now()) } : undefined
}

async function stated(db: Database, version: PriceListVersion, now: Temporal.Instant): Promise<StatedVersion> {
  const nextAt = await selectNextStart(db, version)
  return { ...version, nextAt, state: versionStateAt(version, nextAt, now) }
}

/** Lists a page of the entries of a version, after the line `after`. */
export async function listPriceListEntries(
  { db }: Pick<Deps, 'db'>,
  versionId: number,
  after: number | null,
): Promise<{ items: PriceListEntry[]; next: number | null }> {
  const found = await selectEntries(db, versionId, after ?? 0, entriesPerPage + 1)
  const items = found.slice(0, entriesPerPage)
  return { items, next: found.length > entriesPerPage ? (items.at(-1)?.line ?? null) : null }
}

/** Makes a list without rules. Refuses a name in addresses that another list has. */
export async function makePriceList(
  { db, clock }: Deps,
  by: Actor,
  list: { slug: string; name: string },
): Promise<Outcome<null, NotAllowed | Refused<'slug-taken'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'price-lists.edit', at)
    if (!permitted.ok) return permitted
    if (!(await insertList(tx, list))) return refused('slug-taken')
    await recordAct(tx, { by, act: 'price-list.made', subject: `price list ${list.slug}`, after: list, at })
    return ok(null)
  })
}

/**
 * Makes a draft of a new version from a CSV file, and returns its id; the same form makes one only. Refuses, with every
 * fault by its line, files that are too large, cannot be read, or have rows that no list can have.
 */
export async function uploadPriceList(
  { db, clock, findCatalogIds }: Deps & ImportDeps,
  by: Actor,
  { slug, formKey, name, file }: { slug: string; formKey: string; name: string; file: Blob },
): Promise<Outcome<number, NotAllowed | Gone | Refused<'faults', string[]>>> {
  const records = await readRecords(file)
  if (!records.ok) return records
  const read = await readTargets({ db, findCatalogIds }, records.value)
  if (!read.ok) return read
  const entries = read.value.map(({ line, target, formula, since, until }) => ({
    line,
    ...target,
    ...columnsOf(formula),
    starts_at: since,
    ends_at: until,
  }))
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'price-lists.edit', at)
    if (!permitted.ok) return permitted
    const list = await selectList(tx, slug)
    if (!list) return refused('gone')
    const { id, isNew } = await insertVersion(tx, { listId: list.id, formKey, name, by: by.name, at })
    if (!isNew) return ok(id)
    await insertEntries(tx, id, entries)
    const after = { name, entries: entries.length }
    await recordAct(tx, { by, act: 'price-list.uploaded', subject: subjectOf(slug, id), after, at })
    return ok(id)
  })
}

async function readRecords(file: Blob): Promise<Outcome<Record<string, string>[], Refused<'faults', string[]>>> {
  if (file.size > mostPriceListBytes)
    return refused('faults', [`The file is larger than ${mostPriceListBytes / 1024 / 1024} MB.`])
  try {
    const text = await file.text()
    const records: Record<string, string>[] = parse(text, {
      ...uploadedCsv,
      columns: true,
      trim: true,
      to: mostPriceListRows + 1,
    })
    if (records.length === 0) return refused('faults', ['The file has no rows below its header.'])
    if (records.length > mostPriceListRows)
      return refused('faults', [`The file has more than ${countOf(mostPriceListRows, 'row')}.`])
    const missing = priceListColumns.filter((name) => !Object.hasOwn(records[0] ?? {}, name))
    return missing.length > 0 ? refused('faults', [`The header lacks ${missing.join(', ')}.`]) : ok(records)
  } catch {
    return refused('faults', ['The file cannot be read as CSV.'])
  }
}

/** What a version changes of today's rules, and the tires it sells below the minimum advertised price or our cost. */
export type Preview = {
  counts: Record<'added' | 'removed' | 'changed' | 'same', number>
  changes: PriceListChange[]
  below: BelowFloor[]
  /** Whether there are more than `below`. */
  isMore: boolean
}

const mostBelow = 20

/** Compares a version with the rules that apply at its start, or now for a draft. */
export async function previewPriceList({ db, clock }: Deps, version: PriceListVersion): Promise<Preview> {
  const at = version.startsAt ?? clock.now()
  const [{ counts, examples }, below] = await Promise.all([
    selectDifference(db, version, at),
    selectBelowFloors(db, version.id, at, mostBelow + 1),
  ])
  const count = (how: string) => counts.find((each) => each.how === how)?.count ?? 0
  return {
    counts: { added: count('added'), removed: count('removed'), changed: count('changed'), same: count('same') },
    changes: examples,
    below: below.slice(0, mostBelow),
    isMore: below.length > mostBelow,
  }
}

/** The prices of the list as they will be at `at`, and as they would be by the version then. */
export async function pricingsOf(
  { db }: Pick<Deps, 'db'>,
  { accountType, id }: OfficePriceList,
  versionId: number,
  at: Temporal.Instant,
): Promise<{ without: AccountPricing; with: AccountPricing }> {
  const type = accountType ?? 'Fleet'
  const [now, then] = await Promise.all([selectRules(db, id, at), selectVersionRules(db, versionId)])
  return { without: { type, list: priceListAt(now, at) }, with: { type, list: priceListAt(then, at) } }
}

/** What the acts on a version do with it, once they may and hold the list's lock. */
async function onVersion<Value, Refusal extends Refused<string, unknown>>(
  { db, clock }: Deps,
  by: Actor,
  id: number,
  act: (tx: Tx, version: StatedVersion, at: Temporal.Instant) => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal | NotAllowed | Gone>> {
  return inConcessionTransaction(db, async (tx): Promise<Outcome<Value, Refusal | NotAllowed | Gone>> => {
    const known = await selectVersion(tx, id)
    if (known) await lockList(tx, known.listId)
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'price-lists.edit', at)
    if (!permitted.ok) return permitted
    const version = known && (await selectVersion(tx, id))
    return version ? act(tx, await stated(tx, version, at), at) : refused('gone')
  })
}

type ScheduleOutcome = Outcome<
  { state: 'scheduled' | 'requested' },
  | NotAllowed
  | Gone
  | OtherState
  | Refused<'starts-in-past'>
  | Refused<'start-taken'>
  | Refused<'below-floor'>
  | ConcessionRefusal
>

/**
 * Schedules a draft, which replaces the previous version from its start. Refuses a start in the past, a start used by
 * another version, and, unless `acceptsBelow`, tires below their minimum advertised price or our cost. A version above
 * the approval threshold stays a draft, `requested`, until a second person schedules it.
 */
export async function schedulePriceList(
  deps: Deps,
  by: Actor,
  { id, startsAt, acceptsBelow }: { id: number; startsAt: Temporal.Instant; acceptsBelow: boolean },
): Promise<ScheduleOutcome> {
  try {
    return await onVersion(deps, by, id, async (tx, version, at): Promise<ScheduleOutcome> => {
      if (version.state !== 'draft') return refused('other-state')
      if (Temporal.Instant.compare(startsAt, at) < 0) return refused('starts-in-past')
      const below = await selectBelowFloors(tx, id, startsAt, 1)
      if (below.length > 0 && !acceptsBelow) return refused('below-floor')
      const after = { startsAt: startsAt.toString(), isBelowFloor: below.length > 0 }
      const about = { by, subject: subjectOf(version.listId, id), after, at }
      const decided = await authorizeConcession(tx, {
        kind: 'price-list',
        reference: String(id),
        by,
        amountCents: 0,
        cut: await selectDeepestCutOf(tx, id, startsAt),
        at,
      })
      if (!decided.ok) return decided
      if (decided.value.state === 'requested') {
        await recordAct(tx, { ...about, act: 'price-list.requested' })
        return ok({ state: 'requested' })
      }
      await keepEarlierRules(tx, version.listId, by.name, at)
      await updateVersionStart(tx, id, startsAt)
      await rebuildRules(tx, version.listId)
      await recordAct(tx, { ...about, act: 'price-list.scheduled', authorization: decided.value.authorization })
      return ok({ state: 'scheduled' })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'price_list_version_starts_alone') return refused('start-taken')
    throw error
  }
}

/** Finds the approval that was requested for a version; undefined without one. */
export function findPriceListRequest({ db }: Pick<Deps, 'db'>, id: number): Promise<ConcessionRequest | undefined> {
  return findConcessionRequest(db, 'price-list', String(id))
}

/** Ends a running version now, which leaves its accounts at retail, or withdraws a scheduled one. */
export async function endPriceList(
  deps: Deps,
  by: Actor,
  { id, reason }: { id: number; reason: string },
): Promise<Outcome<{ isWithdrawn: boolean }, NotAllowed | Gone | OtherState>> {
  return onVersion(deps, by, id, async (tx, version, at) => {
    const subject = subjectOf(version.listId, id)
    const isWithdrawn = version.state === 'scheduled'
    // A version that starts this instant has no time to have run in.
    if (!isWithdrawn && (version.state !== 'running' || version.startsAt?.equals(at))) return refused('other-state')
    if (isWithdrawn) await updateVersionStart(tx, id, null)
    else await updateVersionEnd(tx, id, at)
    await rebuildRules(tx, version.listId)
    await recordAct(tx, { by, act: isWithdrawn ? 'price-list.withdrawn' : 'price-list.ended', subject, reason, at })
    return ok({ isWithdrawn })
  })
}

/** Discards a draft. Refuses a version that was scheduled (`other-state`). */
export async function discardPriceList(
  deps: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, NotAllowed | Gone | OtherState>> {
  return onVersion(deps, by, id, async (tx, version, at) => {
    if (version.state !== 'draft') return refused('other-state')
    await deleteVersion(tx, id)
    await declineConcession(tx, { kind: 'price-list', reference: String(id), by: by.name, at })
    const before = { name: version.name }
    await recordAct(tx, { by, act: 'price-list.discarded', subject: subjectOf(version.listId, id), before, at })
    return ok(null)
  })
}

/** Assigns a list to an account type, replacing that type's previous list; null unassigns it. */
export async function assignPriceList(
  { db, clock }: Deps,
  by: Actor,
  { slug, type }: { slug: string; type: AccountType | null },
): Promise<Outcome<null, NotAllowed | Gone>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'price-lists.edit', at)
    if (!permitted.ok) return permitted
    const list = await selectList(tx, slug)
    if (!list) return refused('gone')
    await updateAccountType(tx, list.id, type)
    const [before, after] = [{ type: list.accountType }, { type }]
    await recordAct(tx, { by, act: 'price-list.assigned', subject: `price list ${slug}`, before, after, at })
    return ok(null)
  })
}

function subjectOf(list: string | number, version: number): string {
  return `price list ${list}, version ${version}`
}
