import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import { ok } from '#platform/outcome.ts'
import { employerForm } from '#domain/customers/programs/programs.ts'
import {
  addEmployer,
  approvePartner,
  refusePartner,
  removeEmployer,
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
