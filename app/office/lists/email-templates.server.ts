/** The emails that the store sends, with who changed the template of each. */
import { allRows, defineList, time } from '#app/office/define-list.server.ts'
import { kindLabel, readReleasedTemplate } from '#app/views/office/email-template.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listEmailTemplates } from '#domain/messaging/messages/messages.server.ts'
import { stoppableKinds, stopKindOf } from '#domain/messaging/messages/messages.ts'

export const emailTemplates = defineList({
  name: 'email-templates',
  title: 'Email templates',
  path: officePaths.officeEmailTemplates(),
  permission: 'requests.read',
  caption: 'Emails the store sends',
  nouns: ['email', 'emails'],
  filters: [
    {
      kind: 'choice',
      name: 'edited',
      label: 'Template',
      options: [
        ['yes', 'Edited'],
        ['no', 'As released'],
      ],
    },
  ],
  columns: [
    { key: 'kind', label: 'Email', isFixed: true },
    { key: 'subject', label: 'Subject', isFixed: true },
    { key: 'stops', label: 'Unsubscribe' },
    { key: 'template', label: 'Template' },
    { key: 'changed', label: 'Changed', kind: 'time' },
    { key: 'by', label: 'Changed by' },
  ],
  read: ({ app }, { filters }) =>
    allRows(
      listEmailTemplates({ db: app.db, readTemplate: readReleasedTemplate }).then((all) =>
        filters['edited'] ? all.filter(({ isEdited }) => isEdited === (filters['edited'] === 'yes')) : all,
      ),
      ({ kind, template, isEdited, changedAt, changedBy }) => {
        const stops = stopKindOf(kind)
        return {
          id: kind,
          label: kindLabel(kind),
          path: officePaths.officeEmailTemplate(kind),
          cells: {
            kind: kindLabel(kind),
            subject: template.subject,
            stops: stops === null ? 'Always sent' : `Recipients can stop ${stoppableKinds[stops]}`,
            template: isEdited ? { text: 'Edited', tone: 'signal' } : 'As released',
            changed: time(changedAt),
            by: changedBy,
          },
        }
      },
    ),
})
