import { randomUUID } from 'node:crypto'
import { contentPageActions } from '#app/office/actions/content.server.ts'
import { actionStep, decide } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { longestBody, longestSent, newPageForm } from '#domain/kernel/content/content.ts'
import type { Route } from './+types/content-new.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'New page', officePaths.officeContentNew())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'content.edit', officePaths.officeContentNew())
  return { formKey: randomUUID() }
}

export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'page',
      permission: 'content.edit',
      path: () => officePaths.officeContentNew(),
      longest: longestSent,
    },
    ({ app, by, fields }) => ({
      draft: actionStep(contentPageActions.actions.add, { app, by, id: '' }, (id) =>
        officePaths.officeContentVersion(slugIn(fields), Number(id), { done: 'drafted' }),
      ),
    }),
    contentPageActions.refusals,
  )

/** The slug in a form that was accepted. */
const slugIn = (fields: URLSearchParams) => newPageForm.shape.slug.parse(fields.get('slug'))

export default function NewContentPage({ loaderData: { formKey }, actionData: reply }: Route.ComponentProps) {
  return (
    <OfficePage title="New page" crumbs={[{ label: 'Pages', path: officePaths.officeContent() }]} reply={reply}>
      <FormPanel
        id="write"
        title="Page"
        lead="Saved as a draft. Preview it before you publish it."
        reply={reply}
        hidden={{ formKey }}
        fields={{
          title: { label: 'Title', max: 80 },
          slug: {
            label: 'Address',
            max: 80,
            hint: 'After the store’s own address, such as winter-tire-storage. It can’t be changed later.',
          },
          description: { label: 'Description', max: 160, hint: 'Below the title, and in search results.' },
          body: {
            label: 'Text',
            kind: 'area',
            rows: 24,
            max: longestBody,
            hint: 'Markdown. A {{value}} is replaced by the store’s own value, {{value day}} also by its noun.',
          },
        }}
        buttons={[button('draft', 'Save draft', 'primary')]}
      />
    </OfficePage>
  )
}
