/** Shipping zones of states and exceptions that a store sets. Safe in the browser. */
import type { ShippingException, ShippingPlan, ShippingZoneKey, StoreZone } from '#domain/kernel/rates/rates.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'
import { isSameZips } from '#platform/zip-ranges.ts'
import type { ExceptionInput, ZoneInput } from './shipping-plan-form.ts'
import { shippingZones } from './shipping-terms.ts'

export const emptyPlan: ShippingPlan = { zones: [], exceptions: [] }

const maxZones = 20
const maxExceptions = 50

/** The key of a zone in exceptions. */
export function zoneKey({ id }: Pick<StoreZone, 'id'>): ShippingZoneKey {
  return `zone-${id}`
}

/** The end of an exception's last day; null for no end. */
function endOf({ until }: ShippingException): Temporal.Instant | null {
  return until === null
    ? null
    : Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime({ timeZone: storeZone }).toInstant()
}

/** When the exceptions of a plan end. */
export function endsOf({ exceptions }: ShippingPlan): Temporal.Instant[] {
  return exceptions.flatMap((exception) => endOf(exception) ?? [])
}

/** A plan without the exceptions that have ended at `at`. */
export function planAt({ zones, exceptions }: ShippingPlan, at: Temporal.Instant): ShippingPlan {
  return {
    zones,
    exceptions: exceptions.filter((exception) => {
      const end = endOf(exception)
      return end === null || Temporal.Instant.compare(end, at) > 0
    }),
  }
}

const regionLabels = Object.fromEntries(Object.values(shippingZones).map(({ region, label }) => [region, label]))

/** "Alaska", "Midwest", or "Everywhere". */
export function whereText(where: ShippingZoneKey | null, { zones }: Pick<ShippingPlan, 'zones'>): string {
  if (where === null) return 'Everywhere'
  return regionLabels[where] ?? zones.find((zone) => zoneKey(zone) === where)?.name ?? where
}

/** "Tires over 100 lb" or "All tires". */
export function tiresText({ aboveLb }: Pick<ShippingException, 'aboveLb'>): string {
  return aboveLb === null ? 'All tires' : `Tires over ${aboveLb} lb`
}

/** "$18.00 per tire" or "$10.00 less per tire". */
export function exceptionRateText({ kind, cents }: Pick<ShippingException, 'kind' | 'cents'>): string {
  return `${formatCents(cents)} ${kind === 'less' ? 'less ' : ''}per tire`
}

/** "IL, WI, ZIP codes 530-534" */
export function zonePlaces({ states, zips }: Pick<StoreZone, 'states' | 'zips'>): string {
  return [...states, ...(zips.length > 0 ? [`ZIP codes ${zips.join(', ')}`] : [])].join(', ')
}

function zoneText(zone: StoreZone): string {
  const free = zone.freeFromCents === null ? 'never free' : `free from ${formatCents(zone.freeFromCents)}`
  return `${zone.name} (${zonePlaces(zone)}): ${formatCents(zone.perTireCents)} per tire, ${formatCents(zone.oversizePerTireCents)} per oversize tire, ${formatCents(zone.handlingCents)} per order, ${free}`
}

function exceptionText(exception: ShippingException, plan: Pick<ShippingPlan, 'zones'>): string {
  const end = exception.until === null ? '' : ` until ${exception.until}`
  return `${tiresText(exception)}, ${whereText(exception.where, plan)}: ${exceptionRateText(exception)}${end}`
}

/** A zone or exception that was added (`before` is null), changed, or removed (`after` is null). */
export type PlanDifference = { subject: string; before: string | null; after: string | null }

/** Returns the zones and exceptions that differ between two successive plans. */
export function planDifferences(before: ShippingPlan, after: ShippingPlan): PlanDifference[] {
  // Renaming a zone doesn't change its exceptions.
  const names = { zones: [...after.zones, ...before.zones] }
  const textOf = (exception: ShippingException) => exceptionText(exception, names)
  return [
    ...differencesOf(before.zones, after.zones, zoneText).map(({ rule, ...texts }) => ({
      subject: `Shipping zone ${rule.name}`,
      ...texts,
    })),
    ...differencesOf(before.exceptions, after.exceptions, textOf).map((texts) => ({
      subject: 'Shipping exception',
      before: texts.before,
      after: texts.after,
    })),
  ]
}

/** Pairs rules by ID and returns those whose texts differ. */
function differencesOf<Rule extends { id: number }>(
  before: readonly Rule[],
  after: readonly Rule[],
  textOf: (rule: Rule) => string,
) {
  const ids = new Set([...before, ...after].map(({ id }) => id))
  return [...ids].flatMap((id) => {
    const [old, current] = [before, after].map((rules) => rules.find((rule) => rule.id === id))
    const rule = current ?? old
    const texts = { before: old ? textOf(old) : null, after: current ? textOf(current) : null }
    return rule && texts.before !== texts.after ? [{ rule, ...texts }] : []
  })
}

export type PlanEditRefusal =
  | Refused<'not-found'>
  | Refused<'too-many', number>
  | Refused<'name-taken'>
  | Refused<'zone-empty'>
  | Refused<'zone-emptied', string>
  | Refused<'zips-taken', string>
  | Refused<'zone-unknown'>
  | Refused<'ends-in-past'>

export type EditedPlan<Saved> = { plan: ShippingPlan; saved: Saved }

/** `id` is null for a new rule, which gets `nextId`. */
type RuleId = { id: number | null; nextId: number }

/**
 * Returns the plan with a new or changed zone. `moved` has the states that leave other zones. Refuses ZIP codes that
 * another zone has with the same number of digits (`zips-taken`).
 */
export function withZone(
  plan: ShippingPlan,
  { id, nextId, ...input }: Omit<ZoneInput, 'seen'> & RuleId,
): Outcome<EditedPlan<{ id: number; moved: readonly string[] }>, PlanEditRefusal> {
  const before = plan.zones.find((zone) => zone.id === id)
  if (id !== null && !before) return refused('not-found')
  const others = plan.zones.filter((zone) => zone !== before)
  if (others.length >= maxZones) return refused('too-many', maxZones)
  if (others.some(({ name }) => name.toLowerCase() === input.name.toLowerCase())) return refused('name-taken')
  if (input.states.length + input.zips.length === 0) return refused('zone-empty')
  const taken = takenZips(others, input.zips)
  if (taken !== undefined) return refused('zips-taken', taken)
  const moved = others.flatMap(({ states }) => states).filter((state) => input.states.includes(state))
  const zone: StoreZone = {
    id: id ?? nextId,
    name: input.name,
    states: input.states,
    zips: input.zips,
    perTireCents: input.tire,
    oversizePerTireCents: input.oversize,
    handlingCents: input.handling,
    freeFromCents: input.free,
  }
  const left = others.map((other) => ({ ...other, states: other.states.filter((state) => !moved.includes(state)) }))
  const emptied = left.find(({ states, zips }) => states.length + zips.length === 0)
  if (emptied) return refused('zone-emptied', emptied.name)
  const zones = before ? plan.zones.map((other) => left.find((kept) => kept.id === other.id) ?? zone) : [...left, zone]
  return ok({ plan: { ...plan, zones }, saved: { id: zone.id, moved } })
}

/** "995-999 in the zone Alaska", for the first range that shares ZIP codes with `zips`. */
function takenZips(zones: readonly StoreZone[], zips: readonly string[]): string | undefined {
  return zones
    .flatMap((zone) => zone.zips.map((zip) => ({ zip, name: zone.name })))
    .filter((theirs) => zips.some((zip) => isSameZips(zip, theirs.zip)))
    .map(({ zip, name }) => `${zip} in the zone ${name}`)[0]
}

/** Returns the plan with a new or changed exception. Refuses a last day before `today`. */
export function withException(
  plan: ShippingPlan,
  { id, nextId, above, where, kind, amount, until }: Omit<ExceptionInput, 'seen'> & RuleId,
  today: Temporal.PlainDate,
): Outcome<EditedPlan<number>, PlanEditRefusal> {
  const before = plan.exceptions.find((exception) => exception.id === id)
  if (id !== null && !before) return refused('not-found')
  if (!before && plan.exceptions.length >= maxExceptions) return refused('too-many', maxExceptions)
  if (where?.startsWith('zone-') && !plan.zones.some((zone) => zoneKey(zone) === where)) return refused('zone-unknown')
  if (until !== null && Temporal.PlainDate.compare(until, today) < 0) return refused('ends-in-past')
  const exception: ShippingException = { id: id ?? nextId, aboveLb: above, where, kind, cents: amount, until }
  const exceptions = before
    ? plan.exceptions.map((other) => (other === before ? exception : other))
    : [...plan.exceptions, exception]
  return ok({ plan: { ...plan, exceptions }, saved: exception.id })
}
