import { defineActions, formAction, plainAction } from '#app/office/define-actions.server.ts'
import { addRedirect, removeRedirect } from '#domain/kernel/content/content.server.ts'
import { redirectForm } from '#domain/kernel/content/content.ts'

export const redirectActions = defineActions({
  resource: 'redirects',
  noun: 'redirect',
  permission: 'redirects.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a redirect',
        description: 'Replaces the redirect from the same old address. The ID is the old address.',
        form: redirectForm,
      },
      async ({ app, by }, pair) => {
        const added = await addRedirect(app, by, pair)
        return added.ok ? { ...added, value: pair } : added
      },
      ({ from }) => from,
    ),
    remove: plainAction(
      { summary: 'Remove a redirect', description: 'Encode the old address in the URL, such as `%2Fold-page`.' },
      ({ app, by, id }) => removeRedirect(app, by, id),
    ),
  },
  refusals: {
    gone: 'This redirect was already removed.',
    chain: { field: 'to', text: 'This would lead to another redirect. Enter the page that it ends at.', status: 409 },
  },
})
