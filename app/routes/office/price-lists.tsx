import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { newListForm } from '#domain/price-tiers/price-tiers.ts'
import { listPriceLists, makePriceList } from '#domain/price-tiers/price-tiers.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { OfferTabs } from './offer-tabs.tsx'
import type { Route } from './+types/price-lists.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Price lists', officePaths.officePriceLists())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'price-lists.read', officePaths.officePriceLists())
  const after = /^\d{1,9}$/.exec(url.searchParams.get('after') ?? '')
  const { items, next } = await listPriceLists(shop, after && Number(after[0]))
  return {
    mayEdit: staffCan(session.roles, 'price-lists.edit'),
    rows: items.map(({ id, slug, name, accountType, rules }) => ({
      id: String(id),
      cells: {
        name,
        slug,
        type: accountType ?? 'No accounts',
        rules: rules.toLocaleString('en-US'),
      },
    })),
    next: next && officePaths.officePriceLists({ after: next }),
  }
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

export default function PriceListsPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayEdit, rows, next } = loaderData
  const labels = { name: 'Name', slug: 'Name in addresses' }
  return (
    <OfficePage
      title="Price lists"
      end={
        <a className="btn" href={officePaths.officePriceListsCsv()}>
          Export CSV
        </a>
      }
    >
      <OfferTabs on="price-lists" />
      <Panel
        id="price-lists"
        title="Lists"
        note="Each is for one type of accounts. Without a list, a type buys at retail."
      >
        <DataTable
          caption="Lists"
          columns={[
            { key: 'name', label: 'List', isRowHeader: true },
            { key: 'slug', label: 'In addresses' },
            { key: 'type', label: 'For' },
            { key: 'rules', label: 'Rules', isAmount: true },
          ]}
          rows={rows.map(({ id, cells }) => ({
            id,
            cells: { ...cells, name: <a href={officePaths.officePriceList(cells.slug)}>{cells.name}</a> },
          }))}
        />
      </Panel>
      {next ? (
        <p>
          <a className="btn quiet" href={next} rel="next">
            More lists
          </a>
        </p>
      ) : null}
      {mayEdit ? (
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
      ) : null}
    </OfficePage>
  )
}
