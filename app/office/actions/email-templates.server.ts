import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { readReleasedTemplate } from '#app/views/office/email-template.server.ts'
import { findEmailTemplate, resetEmailTemplate, saveEmailTemplate } from '#domain/messaging/messages/messages.server.ts'
import { emailTemplateForm, isMessageKind, resetForm } from '#domain/messaging/messages/messages.ts'
import { refused } from '#platform/outcome.ts'

export const emailTemplateActions = defineActions({
  resource: 'email-templates',
  noun: 'email template',
  permission: 'email-templates.manage',
  actions: {
    change: formAction(
      {
        summary: 'Change an email template',
        description: 'The text is Markdown. The next email uses it.',
        form: emailTemplateForm,
      },
      async ({ app: { db, clock }, by, id }, draft) =>
        isMessageKind(id)
          ? saveEmailTemplate({ db, clock, readTemplate: readReleasedTemplate }, by, id, draft)
          : refused('not-found'),
    ),
    reset: formAction(
      { summary: 'Reset an email template', description: 'To the released subject and text.', form: resetForm },
      async ({ app, by, id }, form) =>
        isMessageKind(id) ? resetEmailTemplate(app, by, id, form) : refused('not-found'),
    ),
  },
  refusals: { 'template-wrong': (errors) => ({ fields: { ...errors } }) },
  read: async ({ db }, id) => {
    if (!isMessageKind(id)) return undefined
    const { template, version } = await findEmailTemplate({ db, readTemplate: readReleasedTemplate }, id)
    return { version, subject: template.subject, body: template.body }
  },
})
