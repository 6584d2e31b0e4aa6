/** Shipping zones and exceptions in the office. */
import type { FormField } from '#app/office/form-fields.tsx'
import { countTiresAbove, mostTiresAbove } from '#domain/catalog/catalog/catalog.server.ts'
import type { ShippingPlan, StoreZone } from '#domain/kernel/rates/rates.ts'
import { readShippingPlan } from '#domain/kernel/settings/settings.server.ts'
import {
  exceptionRateText,
  shippingZones,
  tiresText,
  whereText,
  zoneKey,
  zonePlaces,
} from '#domain/kernel/settings/settings.ts'
import { officePaths } from '#content/office-paths.ts'
import { countText } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

type Deps = Pick<Application, 'db' | 'clock'>

/** The rows of zones and exceptions on the page of rates. */
export async function readShippingRules(app: Deps) {
  const { plan } = await readShippingPlan(app)
  const tires = await countTiresAbove(
    app.db,
    plan.exceptions.flatMap(({ aboveLb }) => aboveLb ?? []),
  )
  return {
    ownZones: plan.zones.map(({ id, name, states, zips, ...rates }) => ({
      id,
      path: officePaths.officeShippingRule('zones', id),
      name,
      places: zonePlaces({ states, zips }),
      amounts: {
        tire: formatCents(rates.perTireCents),
        oversize: formatCents(rates.oversizePerTireCents),
        handling: formatCents(rates.handlingCents),
        'free-from': rates.freeFromCents === null ? 'Never' : formatCents(rates.freeFromCents),
      },
      hasHandling: rates.handlingCents > 0,
    })),
    exceptions: plan.exceptions.map((exception) => ({
      id: exception.id,
      path: officePaths.officeShippingRule('exceptions', exception.id),
      tires: tiresText(exception),
      count: exception.aboveLb === null ? null : catalogText(tires.get(exception.aboveLb) ?? 0),
      where: whereText(exception.where, plan),
      rate: exceptionRateText(exception),
      until: exception.until === null ? null : dateText(exception.until),
    })),
  }
}

function catalogText(tires: number): string {
  return tires > mostTiresAbove
    ? `Over ${countText(mostTiresAbove)} in the catalog`
    : `${countText(tires)} in the catalog`
}

/** Finds a rule by ID. Null for `new`; undefined if the rule doesn't exist. */
async function readRule<Rule extends { id: number }>(
  app: Deps,
  id: string,
  rulesOf: (plan: ShippingPlan) => readonly Rule[],
) {
  const { plan, version } = await readShippingPlan(app)
  const rule = rulesOf(plan).find((other) => String(other.id) === id) ?? null
  return rule === null && id !== 'new' ? undefined : { rule, plan, version }
}

/** A field of these forms, which have no checkboxes. */
type RuleField = Exclude<FormField, { kind: 'tick' }>

const amountText = (cents: number | null | undefined) => (cents == null ? '' : (cents / 100).toFixed(2))

export async function readShippingZone(app: Deps, id: string) {
  const read = await readRule(app, id, ({ zones }) => zones)
  if (!read) return undefined
  const { rule, plan, version } = read
  return {
    id: rule?.id ?? 0,
    isNew: rule === null,
    title: rule?.name ?? 'Add zone',
    version,
    fields: zoneFields(rule, plan),
  }
}

function zoneFields(zone: StoreZone | null, { zones }: ShippingPlan): Record<string, RuleField> {
  const others = zones.filter(({ id }) => id !== zone?.id)
  const taken = (kind: 'states' | 'zips') => {
    const texts = others.flatMap(({ name, [kind]: of }) => (of.length > 0 ? `${of.join(', ')} (${name})` : []))
    return texts.length > 0 ? [`In other zones: ${texts.join('; ')}.`] : []
  }
  return {
    name: { label: 'Name', value: zone?.name, max: 40 },
    states: {
      label: 'States',
      isOptional: true,
      value: zone?.states.join(', '),
      max: 400,
      hint: ['Two letters each, such as IL, IN, WI.', ...taken('states')].join(' '),
    },
    zips: {
      label: 'ZIP codes',
      isOptional: true,
      value: zone?.zips.join(', '),
      max: 2_000,
      hint: [
        'The first three to five digits, such as 967, 995-999, or 00601. They come before states, and more digits before fewer.',
        ...taken('zips'),
      ].join(' '),
    },
    tire: { label: 'Per tire', kind: 'money', value: amountText(zone?.perTireCents) },
    oversize: { label: 'Oversize, per tire', kind: 'money', value: amountText(zone?.oversizePerTireCents) },
    handling: { label: 'Handling, per order', kind: 'money', value: amountText(zone?.handlingCents ?? 0) },
    free: {
      label: 'Free from',
      kind: 'money',
      isOptional: true,
      value: amountText(zone?.freeFromCents),
      hint: 'Counts the tires in the order at retail. Empty for never.',
    },
  }
}

export async function readShippingException(app: Deps, id: string) {
  const read = await readRule(app, id, ({ exceptions }) => exceptions)
  if (!read) return undefined
  const { rule, plan, version } = read
  const fields: Record<string, RuleField> = {
    above: {
      label: 'Tires over',
      kind: 'number',
      max: 3,
      isOptional: true,
      value: rule?.aboveLb == null ? '' : String(rule.aboveLb),
      hint: 'Pounds. Empty for all tires.',
    },
    where: {
      label: 'Where',
      kind: 'choice',
      value: rule?.where ?? '',
      options: [
        ['', 'Everywhere'],
        ...Object.values(shippingZones).map(({ region, label }) => [region, label] as const),
        ...plan.zones.map((zone) => [zoneKey(zone), zone.name] as const),
      ],
    },
    kind: {
      label: 'Rate',
      kind: 'choice',
      value: rule?.kind ?? 'rate',
      options: [
        ['rate', 'This amount per tire'],
        ['less', 'This amount less per tire'],
      ],
    },
    amount: { label: 'Amount', kind: 'money', value: amountText(rule?.cents) },
    until: {
      label: 'Until',
      kind: 'day',
      isOptional: true,
      value: rule?.until ?? '',
      hint: 'The last day. Empty for no end.',
    },
  }
  return {
    id: rule?.id ?? 0,
    isNew: rule === null,
    title: rule ? `${tiresText(rule)}, ${whereText(rule.where, plan)}` : 'Add exception',
    version,
    fields,
  }
}
