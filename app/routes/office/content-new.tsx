import { randomUUID } from 'node:crypto'
import { whyNotText } from '#app/content/check-text.server.ts'
import { isTakenAddress } from '#app/content/taken-addresses.server.ts'
import { decide, step } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { draftContent } from '#domain/kernel/content/content.server.ts'
import { longestBody, longestSent, newPageForm, ownPath } from '#domain/kernel/content/content.ts'
import { refused } from '#platform/outcome.ts'
import { contentRefusals } from './content-acts.server.ts'
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
    ({ shop, by }) => ({
      draft: step(
        newPageForm,
        async ({ formKey, slug, ...text }) => {
          if (await isTakenAddress(slug)) return refused('address-taken')
          const path = ownPath(slug)
          const whyNot = await whyNotText(path, text)
          if (whyNot) return refused('wrong-text', whyNot)
          const drafted = await draftContent(shop, by, { path, formKey, text })
          return drafted.ok ? { ok: true, value: { slug, id: drafted.value } } : drafted
        },
        ({ slug, id }) => officePaths.officeContentVersion(slug, id, { done: 'drafted' }),
      ),
    }),
    { ...contentRefusals, 'address-taken': { field: 'slug', text: 'The store uses this address already.' } },
  )

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
