import { defineActions, formAction, numberedId, plainAction } from '#app/office/define-actions.server.ts'
import { clearBounce } from '#domain/messaging/messages/messages.server.ts'
import { listTemplates, retireTemplate, saveTemplate, templateForm } from '#domain/messaging/support/support.server.ts'

/** Answer templates of the inbox. */
export const messageTemplateActions = defineActions({
  resource: 'templates',
  noun: 'template',
  permission: 'templates.manage',
  actions: {
    add: formAction(
      { summary: 'Add an answer template', form: templateForm },
      ({ app, by }, template) => saveTemplate(app, by, { id: null, ...template }),
      String,
    ),
    change: formAction({ summary: 'Change an answer template', form: templateForm }, ({ app, by, id }, template) =>
      saveTemplate(app, by, { id: numberedId(id), ...template }),
    ),
    retire: plainAction({ summary: 'Remove an answer template' }, ({ app, by, id }) =>
      retireTemplate(app, by, numberedId(id)),
    ),
  },
  refusals: {
    'name-taken': { field: 'name', text: 'Another template has this name.', status: 409 },
    gone: 'This template was already removed.',
  },
  read: async (app, id) => {
    const template = (await listTemplates(app)).find((each) => each.id === numberedId(id))
    return template && { name: template.name, body: template.body, version: template.version }
  },
})

/** Bounced email addresses. */
export const bounceActions = defineActions({
  resource: 'bounces',
  noun: 'address',
  permission: 'requests.answer',
  actions: {
    clear: plainAction(
      { summary: 'Mark a bounced address as checked', description: 'Emails are sent to it again.' },
      ({ app, by, id }) => clearBounce(app, by, numberedId(id)),
    ),
  },
  refusals: { gone: 'Another team member already checked this address.' },
})
