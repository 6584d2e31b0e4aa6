/** Adds, changes, and removes shipping zones and exceptions. Changes apply immediately. */
import type { ShippingPlan } from '#domain/kernel/rates/rates.ts'
import { recordAct, requireFreshOrScope, type Actor, type FreshOrScoped } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { lockTerms } from './business-terms.sql.server.ts'
import type { ExceptionInput, ZoneInput } from './shipping-plan-form.ts'
import {
  emptyPlan,
  planAt,
  planDifferences,
  withException,
  withZone,
  zoneKey,
  type EditedPlan,
  type PlanDifference,
  type PlanEditRefusal,
} from './shipping-plan.ts'
import { insertPlan, maxPlanChanges, selectPlans } from './shipping-plan.sql.server.ts'

type Deps = { db: Database; clock: Clock }

export type PlanRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-fresh'>
  | Refused<'changed-meanwhile'>
  | Refused<'zone-in-use'>
  | PlanEditRefusal

/** The current plan, with the version to send with a change. */
export async function readShippingPlan({ db, clock }: Deps): Promise<{ plan: ShippingPlan; version: number }> {
  const [{ version }, plans] = await Promise.all([
    db.selectFrom('store_state').select('terms_version as version').executeTakeFirstOrThrow(),
    selectPlans(db),
  ])
  return { plan: planAt(plans.at(-1)?.plan ?? emptyPlan, clock.now()), version }
}

/** A row of the plan's history. */
export type PlanRow = PlanDifference & { setAt: Temporal.Instant; setBy: string }

/** Plan changes after `after` and up to `upTo`, newest first. Null means no limit. */
export async function readPlanRows(
  db: Database,
  { after, upTo }: { after: Temporal.Instant | null; upTo: Temporal.Instant | null },
): Promise<PlanRow[]> {
  const plans = await selectPlans(db)
  return plans
    .flatMap(({ plan, validFrom, setBy }, index) => {
      const previous = planAt(plans[index - 1]?.plan ?? emptyPlan, validFrom)
      return planDifferences(previous, plan).map((difference) => ({ ...difference, setAt: validFrom, setBy }))
    })
    .filter(
      ({ setAt }) =>
        (after === null || Temporal.Instant.compare(setAt, after) > 0) &&
        (upTo === null || Temporal.Instant.compare(setAt, upTo) <= 0),
    )
    .toReversed()
}

/** Edits the current plan after orders in progress are placed. */
function changePlan<Saved>(
  { db, clock }: Deps,
  by: Actor,
  seen: number,
  edit: (
    plan: ShippingPlan,
    at: { nextId: number; today: Temporal.PlainDate },
  ) => Outcome<EditedPlan<Saved>, PlanRefusal>,
): Promise<Outcome<Saved, PlanRefusal>> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requireFreshOrScope(tx, by, 'settings.manage', clock.now())
    if (!permitted.ok) return permitted
    const version = await lockTerms(tx)
    const at = clock.now()
    const plans = await selectPlans(tx)
    const plan = planAt(plans.at(-1)?.plan ?? emptyPlan, at)
    // IDs are never reused, because the audit log has them.
    const ids = plans.flatMap((earlier) => [...earlier.plan.zones, ...earlier.plan.exceptions].map(({ id }) => id))
    const edited = edit(plan, { nextId: Math.max(0, ...ids) + 1, today: storeDay(at) })
    if (!edited.ok) return edited
    const { saved } = edited.value
    const differences = planDifferences(plan, edited.value.plan)
    if (differences.length === 0) return ok(saved)
    if (seen !== version) return refused('changed-meanwhile')
    if (plans.length >= maxPlanChanges) return refused('too-many', maxPlanChanges)
    await insertChangedPlan(tx, by, { plan: edited.value.plan, differences }, { at, fresh: permitted.value })
    return ok(saved)
  })
}

type ChangedPlan = { plan: ShippingPlan; differences: readonly PlanDifference[] }

/** Saves a plan, with an entry in the audit log per difference. */
async function insertChangedPlan(
  tx: Tx,
  by: Actor,
  { plan, differences }: ChangedPlan,
  { at, fresh }: { at: Temporal.Instant; fresh: FreshOrScoped },
): Promise<void> {
  await insertPlan(tx, plan, { by: by.name, at })
  for (const { subject, before, after } of differences) {
    await recordAct(tx, {
      by,
      act: 'terms.changed',
      fresh,
      subject,
      before: { value: before ?? 'None' },
      after: { value: after ?? 'None', from: at.toString() },
      at,
    })
  }
}

/**
 * Returns the plan that applied at `from`, without the exceptions that have ended at `at`, and how it differs from the
 * current one. Null for the current plan. `isFull`: no more plans can be saved.
 */
export async function findRestoredPlan(
  db: Database,
  from: Temporal.Instant | null,
  at: Temporal.Instant,
): Promise<ChangedPlan & { isFull: boolean }> {
  const plans = await selectPlans(db)
  const current = planAt(plans.at(-1)?.plan ?? emptyPlan, at)
  if (from === null) return { plan: current, differences: [], isFull: false }
  const earlier = plans.findLast(({ validFrom }) => Temporal.Instant.compare(validFrom, from) <= 0)
  const plan = planAt(earlier?.plan ?? emptyPlan, at)
  const differences = planDifferences(current, plan)
  return { plan, differences, isFull: differences.length > 0 && plans.length >= maxPlanChanges }
}

/** Saves a restored plan, if it differs. */
export async function insertRestoredPlan(
  tx: Tx,
  by: Actor,
  restored: ChangedPlan,
  act: { at: Temporal.Instant; fresh: FreshOrScoped },
): Promise<void> {
  if (restored.differences.length > 0) await insertChangedPlan(tx, by, restored, act)
}

/**
 * Adds a zone, or changes it with an `id`. Its states leave their earlier zones; `moved` has those. Refuses the last
 * states of another zone (`zone-emptied`) and ZIP codes in another zone (`zips-taken`).
 */
export function saveShippingZone(
  deps: Deps,
  by: Actor,
  { seen, ...zone }: ZoneInput,
  id: number | null,
): Promise<Outcome<{ id: number; moved: readonly string[] }, PlanRefusal>> {
  return changePlan(deps, by, seen, (plan, { nextId }) => withZone(plan, { ...zone, id, nextId }))
}

/** Removes a zone. Regional rates apply in its states again. Refuses a zone with exceptions. */
export function removeShippingZone(
  deps: Deps,
  by: Actor,
  { seen, id }: { seen: number; id: number },
): Promise<Outcome<number, PlanRefusal>> {
  return changePlan(deps, by, seen, (plan) => {
    const zone = plan.zones.find((other) => other.id === id)
    if (!zone) return refused('not-found')
    if (plan.exceptions.some(({ where }) => where === zoneKey(zone))) return refused('zone-in-use')
    return ok({ plan: { ...plan, zones: plan.zones.filter((other) => other !== zone) }, saved: id })
  })
}

/** Adds an exception, or changes it with an `id`. */
export function saveShippingException(
  deps: Deps,
  by: Actor,
  { seen, ...exception }: ExceptionInput,
  id: number | null,
): Promise<Outcome<number, PlanRefusal>> {
  return changePlan(deps, by, seen, (plan, { nextId, today }) =>
    withException(plan, { ...exception, id, nextId }, today),
  )
}

/** Removes an exception. */
export function removeShippingException(
  deps: Deps,
  by: Actor,
  { seen, id }: { seen: number; id: number },
): Promise<Outcome<number, PlanRefusal>> {
  return changePlan(deps, by, seen, (plan) => {
    const exception = plan.exceptions.find((other) => other.id === id)
    if (!exception) return refused('not-found')
    return ok({ plan: { ...plan, exceptions: plan.exceptions.filter((other) => other !== exception) }, saved: id })
  })
}
