import { z } from 'zod'
import { groupRefusals } from '#app/office/decision.server.ts'
import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import { ok, type Outcome, type Refused } from '#platform/outcome.ts'
import { employerForm, rateForm } from '#domain/customers/programs/programs.ts'
import {
  addEmployer,
  approvePartner,
  closeWidget,
  listRates,
  listWidgets,
  refusePartner,
  removeEmployer,
  setRate,
} from '#domain/customers/programs/programs.server.ts'

const decided = 'Another team member already decided on this application.'

export const partnerActions = defineActions({
  resource: 'partners',
  noun: 'partner application',
  permission: 'partners.decide',
  actions: {
    approve: plainAction(
      {
        summary: 'Approve a partner application',
        description: 'Emails the partner its code. An applicant with a site gets a widget.',
      },
      ({ app, by, id }) => approvePartner(app, { id: numberedId(id), by }),
    ),
    refuse: plainAction(
      { summary: 'Refuse a partner application', description: 'Emails the applicant.' },
      ({ app, by, id }) => refusePartner(app, { id: numberedId(id), by }),
    ),
  },
  refusals: { 'not-waiting': decided, 'not-found': decided },
})

export const employerActions = defineActions({
  resource: 'employers',
  noun: 'employer',
  permission: 'partners.decide',
  actions: {
    add: formAction(
      {
        summary: 'Add an employer',
        description: 'People with a verified email address at its domain get employee prices.',
        form: employerForm,
      },
      async ({ app, by }, employer) => {
        const added = await addEmployer(app, { ...employer, by })
        return added.ok ? ok(employer) : added
      },
      ({ domain }) => domain,
    ),
    remove: plainAction(
      {
        summary: 'Remove an employer',
        description: 'Employee prices already granted stay valid until they expire.',
      },
      ({ app, by, id: domain }) => removeEmployer(app, { domain, by }),
    ),
  },
  refusals: {
    'not-found': 'This widget or domain is no longer listed.',
    known: { field: 'domain', text: 'This domain is already listed.' },
    'free-mail': { field: 'domain', text: 'Anyone can get a mailbox there.' },
  },
})

/** A closed widget is not found. */
const found = <Value, Refusal extends Refused<string>>(outcome: Outcome<Value, Refusal>) =>
  groupRefusals(outcome, ['not-allowed', 'not-ahead'], 'not-found')

/** Widgets on partner sites. */
export const widgetActions = defineActions({
  resource: 'partner-widgets',
  noun: 'partner widget',
  permission: 'partners.decide',
  readPermission: 'partners.read',
  actions: {
    rate: formAction(
      {
        summary: 'Set the commission rate of a partner widget',
        description: 'Applies to orders from the day `from`, tomorrow at the earliest.',
        form: rateForm.omit({ widget: true }),
      },
      async ({ app, by, id: widgetId }, { percent: commissionBp, from: fromDay }) =>
        found(await setRate(app, { widgetId, fromDay, commissionBp, by })),
    ),
    close: plainAction(
      { summary: 'Close a partner widget', description: 'It no longer shows tires.' },
      async ({ app, by, id }) => found(await closeWidget(app, { id, by })),
    ),
  },
  refusals: {
    'not-found': 'This widget or domain is no longer listed.',
    'not-ahead': { field: 'from', text: 'Choose a day starting tomorrow.' },
  },
  list: async (app) => (await listWidgets(app)).map(({ id, name }) => ({ id, label: name })),
  async read(app, id) {
    const widget = (await listWidgets(app)).find((each) => each.id === id)
    if (!widget) return undefined
    const rates = (await listRates(app, [id])).get(id) ?? []
    const { name, email, origins } = widget
    return { name, email, origins, rates: rates.map(({ commissionBp, fromDay }) => ({ commissionBp, fromDay })) }
  },
  facts: z.object({
    name: z.string(),
    email: z.string(),
    origins: z.string().meta({ description: 'One per line' }),
    rates: z.array(
      z.object({ commissionBp: z.int().meta({ description: 'In hundredths of a percent' }), fromDay: z.string() }),
    ),
  }),
})
