/** Adds, changes, and removes shipping zones and exceptions. Changes apply immediately. */
import type { ShippingException, ShippingPlan, StoreZone } from '#domain/kernel/rates/rates.ts'
import { recordAct, requireFreshOrScope, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { lockTerms } from './business-terms.sql.server.ts'
import type { ExceptionInput, ZoneInput } from './shipping-plan-form.ts'
import {
  emptyPlan,
  exceptionRateText,
  maxExceptions,
  maxZones,
  planAt,
  tiresText,
  whereText,
  zoneKey,
} from './shipping-plan.ts'
import { insertPlan, maxPlanChanges, selectPlans } from './shipping-plan.sql.server.ts'

type Deps = { db: Database; clock: Clock }

export type PlanRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-fresh'>
  | Refused<'not-found'>
  | Refused<'changed-meanwhile'>
  | Refused<'too-many', number>
  | Refused<'name-taken'>
  | Refused<'state-taken', { states: readonly string[]; zone: string }>
  | Refused<'zone-in-use'>
  | Refused<'zone-unknown'>
  | Refused<'ends-in-past'>

/** The current plan, with the version to send with a change. */
export async function readShippingPlan({ db, clock }: Deps): Promise<{ plan: ShippingPlan; version: number }> {
  const [{ version }, plans] = await Promise.all([
    db.selectFrom('store_state').select('terms_version as version').executeTakeFirstOrThrow(),
    selectPlans(db),
  ])
  return { plan: planAt(plans.at(-1)?.plan ?? emptyPlan, clock.now()), version }
}

type Edited = { plan: ShippingPlan; id: number; subject: string; before: string | null; after: string | null }

/** Edits the current plan after orders in progress are placed. Returns the rule's ID. */
function changePlan(
  { db, clock }: Deps,
  by: Actor,
  seen: number,
  edit: (plan: ShippingPlan, nextId: number, today: Temporal.PlainDate) => Outcome<Edited, PlanRefusal>,
): Promise<Outcome<number, PlanRefusal>> {
  return db.transaction().execute(async (tx) => {
    const permitted = await requireFreshOrScope(tx, by, 'settings.manage', clock.now())
    if (!permitted.ok) return permitted
    const version = await lockTerms(tx)
    const at = clock.now()
    const plans = await selectPlans(tx)
    const plan = planAt(plans.at(-1)?.plan ?? emptyPlan, at)
    // An ID is never used twice, because the audit log and scheduled changes have it.
    const ids = plans.flatMap((earlier) => [...earlier.plan.zones, ...earlier.plan.exceptions].map(({ id }) => id))
    const edited = edit(plan, Math.max(0, ...ids) + 1, storeDay(at))
    if (!edited.ok) return edited
    const { id, subject, before, after } = edited.value
    if (before === after) return ok(id)
    if (seen !== version) return refused('changed-meanwhile')
    if (plans.length >= maxPlanChanges) return refused('too-many', maxPlanChanges)
    await insertPlan(tx, edited.value.plan, { by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'terms.changed',
      fresh: permitted.value,
      subject,
      before: { value: before ?? 'None' },
      after: { value: after ?? 'None', from: at.toString() },
      at,
    })
    return ok(id)
  })
}

/** Adds a zone, or changes it with an `id`. Refuses states of another zone. */
export function saveShippingZone(
  deps: Deps,
  by: Actor,
  { seen, ...input }: ZoneInput,
  id: number | null,
): Promise<Outcome<number, PlanRefusal>> {
  return changePlan(deps, by, seen, (plan, nextId) => {
    const before = plan.zones.find((zone) => zone.id === id)
    if (id !== null && !before) return refused('not-found')
    const others = plan.zones.filter((zone) => zone.id !== id)
    if (others.length >= maxZones) return refused('too-many', maxZones)
    if (others.some(({ name }) => name.toLowerCase() === input.name.toLowerCase())) return refused('name-taken')
    const taken = others.find(({ states }) => states.some((state) => input.states.includes(state)))
    if (taken)
      return refused('state-taken', {
        zone: taken.name,
        states: taken.states.filter((state) => input.states.includes(state)),
      })
    const zone: StoreZone = {
      id: id ?? nextId,
      name: input.name,
      states: input.states,
      perTireCents: input.tire,
      oversizePerTireCents: input.oversize,
      handlingCents: input.handling,
      freeFromCents: input.free,
    }
    const zones = before ? plan.zones.map((other) => (other === before ? zone : other)) : [...plan.zones, zone]
    return ok({
      plan: { ...plan, zones },
      id: zone.id,
      subject: `Shipping zone ${zone.name}`,
      before: before ? zoneText(before) : null,
      after: zoneText(zone),
    })
  })
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
    return ok({
      plan: { ...plan, zones: plan.zones.filter((other) => other !== zone) },
      id,
      subject: `Shipping zone ${zone.name}`,
      before: zoneText(zone),
      after: null,
    })
  })
}

/** Adds an exception, or changes it with an `id`. */
export function saveShippingException(
  deps: Deps,
  by: Actor,
  { seen, above, where, kind, amount, until }: ExceptionInput,
  id: number | null,
): Promise<Outcome<number, PlanRefusal>> {
  return changePlan(deps, by, seen, (plan, nextId, today) => {
    const before = plan.exceptions.find((exception) => exception.id === id)
    if (id !== null && !before) return refused('not-found')
    if (!before && plan.exceptions.length >= maxExceptions) return refused('too-many', maxExceptions)
    if (where?.startsWith('zone-') && !plan.zones.some((zone) => zoneKey(zone) === where))
      return refused('zone-unknown')
    if (until !== null && Temporal.PlainDate.compare(until, today) < 0) return refused('ends-in-past')
    const exception: ShippingException = { id: id ?? nextId, aboveLb: above, where, kind, cents: amount, until }
    const exceptions = before
      ? plan.exceptions.map((other) => (other === before ? exception : other))
      : [...plan.exceptions, exception]
    return ok({
      plan: { ...plan, exceptions },
      id: exception.id,
      subject: 'Shipping exception',
      before: before ? exceptionText(before, plan) : null,
      after: exceptionText(exception, plan),
    })
  })
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
    return ok({
      plan: { ...plan, exceptions: plan.exceptions.filter((other) => other !== exception) },
      id,
      subject: 'Shipping exception',
      before: exceptionText(exception, plan),
      after: null,
    })
  })
}

function zoneText({
  states,
  perTireCents,
  oversizePerTireCents,
  handlingCents,
  freeFromCents,
  name,
}: StoreZone): string {
  const free = freeFromCents === null ? 'never free' : `free from ${formatCents(freeFromCents)}`
  return `${name} (${states.join(', ')}): ${formatCents(perTireCents)} per tire, ${formatCents(oversizePerTireCents)} per oversize tire, ${formatCents(handlingCents)} per order, ${free}`
}

function exceptionText(exception: ShippingException, plan: ShippingPlan): string {
  const end = exception.until === null ? '' : ` until ${exception.until}`
  return `${tiresText(exception)}, ${whereText(exception.where, plan)}: ${exceptionRateText(exception)}${end}`
}
