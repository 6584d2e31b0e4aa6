/** Shipping zones of states and ZIP codes, and exceptions that come before all zones. */
import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import {
  readShippingPlan,
  removeShippingException,
  removeShippingZone,
  saveShippingException,
  saveShippingZone,
} from '#domain/kernel/settings/settings.server.ts'
import { exceptionForm, removeRuleForm, tiresText, whereText, zoneForm } from '#domain/kernel/settings/settings.ts'
import { oldSignIn, showSettings } from './settings.server.ts'

const shared = { permission: 'settings.manage', readPermission: 'settings.read' } as const

const seen = '`seen` is the version that was read.'

const refusals = {
  'not-fresh': oldSignIn,
  'too-many': (limit: number) => `The store has reached the limit of ${limit.toLocaleString('en-US')}.`,
  'name-taken': { field: 'name', text: 'Another zone has this name.', status: 409 },
  'zone-empty': { field: 'states', text: 'Enter states or ZIP codes.' },
  'zone-emptied': (zone: string) => ({
    field: 'states',
    text: `The zone ${zone} would have no states. Remove it first.`,
    status: 409,
  }),
  'zips-taken': (taken: string) => ({
    field: 'zips',
    text: `${taken} overlaps. Use more digits for an exception within it, or change that zone first.`,
    status: 409,
  }),
  'zone-in-use': 'An exception is for this zone. Remove the exception first.',
  'zone-unknown': { field: 'where', text: 'This zone was removed. Choose another one.', status: 409 },
  'ends-in-past': { field: 'until', text: 'Choose today or a later day.' },
} as const

export const shippingZoneActions = defineActions({
  ...shared,
  resource: 'shipping-zones',
  noun: 'shipping zone',
  actions: {
    add: formAction(
      {
        summary: 'Add a shipping zone',
        description: `A zone has states or ZIP codes with different rates than their regions, from now on. Its states leave their earlier zones. ZIP codes come before states, and more digits before fewer. ${seen}`,
        form: zoneForm,
      },
      ({ app, by }, input) => showSettings(app, saveShippingZone(app, by, input, null)),
      ({ id }) => String(id),
    ),
    change: formAction(
      { summary: 'Change a shipping zone', description: seen, form: zoneForm },
      ({ app, by, id }, input) => showSettings(app, saveShippingZone(app, by, input, numberedId(id))),
    ),
    remove: formAction(
      {
        summary: 'Remove a shipping zone',
        description: `Regional rates apply there again. ${seen}`,
        form: removeRuleForm,
      },
      ({ app, by, id }, input) => showSettings(app, removeShippingZone(app, by, { ...input, id: numberedId(id) })),
    ),
  },
  refusals,
  async list(app) {
    const { plan } = await readShippingPlan(app)
    return plan.zones.map(({ id, name }) => ({ id: String(id), label: name }))
  },
  async read(app, id) {
    const { plan, version } = await readShippingPlan(app)
    const zone = plan.zones.find((other) => other.id === numberedId(id))
    return (
      zone && {
        name: zone.name,
        states: zone.states.join(', '),
        zips: zone.zips.join(', '),
        tire: zone.perTireCents,
        oversize: zone.oversizePerTireCents,
        handling: zone.handlingCents,
        free: zone.freeFromCents,
        seen: version,
      }
    )
  },
})

export const shippingExceptionActions = defineActions({
  ...shared,
  resource: 'shipping-exceptions',
  noun: 'shipping exception',
  actions: {
    add: formAction(
      {
        summary: 'Add a shipping exception',
        description: `Comes before the zones, from now on. A \`rate\` replaces the amounts per tire, and \`less\` lowers them. ${seen}`,
        form: exceptionForm,
      },
      ({ app, by }, input) => showSettings(app, saveShippingException(app, by, input, null)),
      String,
    ),
    change: formAction(
      { summary: 'Change a shipping exception', description: seen, form: exceptionForm },
      ({ app, by, id }, input) => showSettings(app, saveShippingException(app, by, input, numberedId(id))),
    ),
    remove: formAction(
      { summary: 'Remove a shipping exception', description: seen, form: removeRuleForm },
      ({ app, by, id }, input) => showSettings(app, removeShippingException(app, by, { ...input, id: numberedId(id) })),
    ),
  },
  refusals,
  async list(app) {
    const { plan } = await readShippingPlan(app)
    return plan.exceptions.map((exception) => ({
      id: String(exception.id),
      label: `${tiresText(exception)}, ${whereText(exception.where, plan)}`,
    }))
  },
  async read(app, id) {
    const { plan, version } = await readShippingPlan(app)
    const exception = plan.exceptions.find((other) => other.id === numberedId(id))
    return (
      exception && {
        above: exception.aboveLb,
        where: exception.where,
        kind: exception.kind,
        amount: exception.cents,
        until: exception.until,
        seen: version,
      }
    )
  },
})
