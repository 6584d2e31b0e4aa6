import { redirectActions, redirectFileActions } from '#app/office/actions/redirects.server.ts'
import { actionStep, callOf, decideActions } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { readRedirect } from '#domain/kernel/content/content.server.ts'
import { longestPath } from '#domain/kernel/content/content.ts'
import type { Route } from './+types/redirect.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Redirect', officePaths.officeRedirects())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'redirects.edit', officePaths.officeRedirect())
  const from = (url.searchParams.get('from') ?? '').slice(0, longestPath)
  return (await readRedirect(app, from)) ?? { from: '', to: '', version: 0 }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('from') ?? '',
      path: () => officePaths.officeRedirect(),
      file: 'file',
      done: { add: officePaths.officeRedirects('saved'), remove: officePaths.officeRedirects('removed') },
      more: {
        steps: (posted) => ({
          import: actionStep(redirectFileActions.actions.import, callOf(posted, ''), () =>
            officePaths.officeRedirects('imported'),
          ),
        }),
        refusals: redirectFileActions.refusals,
      },
    },
    redirectActions,
  )

export default function RedirectPage({ loaderData: { from, to, version }, actionData: reply }: Route.ComponentProps) {
  const isNew = from === ''
  return (
    <OfficePage
      title={isNew ? 'Add redirects' : from}
      crumbs={[{ label: 'Redirects', path: officePaths.officeRedirects() }]}
      reply={reply}
    >
      <FormPanel
        id="redirect"
        title="Redirect"
        reply={reply}
        hidden={{ version }}
        fields={{
          from: {
            label: 'Old address',
            value: from,
            max: 300,
            hint: 'Such as /tires.html. It applies while the store has no page at this address.',
          },
          to: { label: 'Leads to', value: to, max: 300, hint: 'A page of this store, such as /tire-sizes.' },
        }}
        buttons={[button('add', 'Save', 'primary'), ...(isNew ? [] : [button('remove', 'Remove', 'stop')])]}
      />
      {isNew ? (
        <FormPanel
          id="import"
          title="Import a file"
          lead="CSV with the columns from and to, up to 100,000 rows and 8 MB."
          reply={reply}
          fields={{ file: { label: 'CSV file', kind: 'file', accept: '.csv,text/csv' } }}
          buttons={[button('import', 'Import')]}
          note="If a row has an error, no rows are added. An old address that has a redirect gets the new target."
        />
      ) : null}
    </OfficePage>
  )
}
