import { z } from 'zod'
import { fileFaults } from '#app/office/decision.server.ts'
import { defineActions, formAction, plainAction } from '#app/office/define-actions.server.ts'
import { readSentText } from '#app/office/sent-file.server.ts'
import { addRedirect, importRedirects, readRedirect, removeRedirect } from '#domain/kernel/content/content.server.ts'
import { maxRedirectBytes, redirectForm, removalForm } from '#domain/kernel/content/content.ts'
import { ok, refused } from '#platform/outcome.ts'

export const redirectActions = defineActions({
  resource: 'redirects',
  noun: 'redirect',
  permission: 'redirects.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add or change a redirect',
        description: 'The ID is the old address. `version` is the version that was read, 0 for a new redirect.',
        form: redirectForm,
      },
      async ({ app, by }, pair) => {
        const added = await addRedirect(app, by, pair)
        return added.ok ? { ...added, value: pair } : added
      },
      ({ from }) => from,
    ),
    remove: formAction(
      {
        summary: 'Remove a redirect',
        description:
          'Encode the old address in the URL, such as `%2Fold-page`. `version` is the version that was read.',
        form: removalForm,
      },
      ({ app, by, id }, { version }) => removeRedirect(app, by, { from: id, version }),
    ),
  },
  refusals: {
    gone: 'This redirect was already removed.',
    'changed-meanwhile': 'Another team member added or changed this redirect. Reload the page.',
    chain: { field: 'to', text: 'This would lead to another redirect. Enter the page that it ends at.', status: 409 },
  },
  read: (app, id) => readRedirect(app, id),
})

export const redirectFileActions = defineActions({
  resource: 'redirects',
  noun: 'redirect file',
  permission: 'redirects.edit',
  hasNoId: true,
  actions: {
    import: plainAction(
      {
        summary: 'Import redirects',
        description:
          'CSV with the columns `from` and `to`, up to 100,000 rows and 8 MB. If a row has an error, no rows are added. An old address that has a redirect gets the new target.',
        file: ['text/csv'],
        result: z.object({ redirects: z.int() }),
      },
      async ({ app, by, file }) => {
        if (!file) return refused('no-file')
        const text = await readSentText(file, maxRedirectBytes)
        if (text === undefined) return refused('too-large')
        const imported = await importRedirects(app, by, text)
        return imported.ok ? ok({ redirects: imported.value }) : imported
      },
    ),
  },
  refusals: {
    'no-file': { field: 'file', text: 'Choose a CSV file.' },
    'too-large': { field: 'file', text: 'The file is larger than 8 MB. Split it.' },
    'bad-file': fileFaults,
  },
})
