import { ListPage } from '#app/office/list-page.tsx'
import { priceLists } from '#app/office/lists/price-lists.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { newListForm } from '#domain/price-tiers/price-tiers.ts'
import { makePriceList } from '#domain/price-tiers/price-tiers.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/price-lists.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Price lists', officePaths.officePriceLists())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, priceLists)
  const { session } = await requireStaff(args.context, 'price-lists.read', officePaths.officePriceLists())
  return { data, mayEdit: staffCan(session.roles, 'price-lists.edit') }
}

/** Makes a list. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'price-lists.edit', officePaths.officePriceLists())
  const fields = await readForm(request)
  const checked = checkForm(newListForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const made = await makePriceList(shop, actor, checked.value)
  if (made.ok) return seeOther(officePaths.officePriceList(checked.value.slug))
  return made.reason === 'not-allowed'
    ? refuseForm(formRefusal(fields, 'Your role does not allow that. Nothing was changed.'), 403)
    : refuseForm(formRefusal(fields, 'Fix 1 field:', { slug: 'Another list is called that.' }), 409)
}

export default function PriceListsPage({ loaderData: { data, mayEdit }, actionData: reply }: Route.ComponentProps) {
  return <ListPage data={data} after={mayEdit ? <NewListForm reply={reply} /> : null} />
}

const labels = { name: 'Name', slug: 'Name in addresses' }

function NewListForm({ reply }: { reply: Route.ComponentProps['actionData'] }) {
  return (
    <Panel id="new" title="New list">
      <form method="post" noValidate>
        {reply ? (
          <PanelBody>
            <ErrorSummary reply={reply} labels={labels} />
          </PanelBody>
        ) : null}
        <PanelBody isPair>
          <Field name="name" label={labels.name} reply={reply} maxLength={100} required autoComplete="off" />
          <Field
            name="slug"
            label={labels.slug}
            reply={reply}
            maxLength={60}
            required
            autoComplete="off"
            hint="Small letters, digits and hyphens, such as fleets-2027."
          />
        </PanelBody>
        <PanelBody>
          <button className="btn">Make list</button>
        </PanelBody>
      </form>
    </Panel>
  )
}
