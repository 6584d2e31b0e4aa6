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
      ({ shop, by }, template) => saveTemplate(shop, by, { id: null, ...template }),
      String,
    ),
    change: formAction({ summary: 'Change an answer template', form: templateForm }, ({ shop, by, id }, template) =>
      saveTemplate(shop, by, { id: numberedId(id), ...template }),
    ),
    retire: plainAction({ summary: 'Remove an answer template' }, ({ shop, by, id }) =>
      retireTemplate(shop, by, numberedId(id)),
    ),
  },
  refusals: {
    'name-taken': { field: 'name', text: 'Another template has this name.', status: 409 },
    gone: 'This template was already removed.',
  },
  read: async (shop, id) => {
    const template = (await listTemplates(shop)).find((each) => each.id === numberedId(id))
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
      ({ shop, by, id }) => clearBounce(shop, by, numberedId(id)),
    ),
  },
  refusals: { gone: 'Another team member already checked this address.' },
})
