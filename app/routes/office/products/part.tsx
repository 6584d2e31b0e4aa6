import { partActions } from '#app/office/actions/parts.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormPanel, RowForm } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { readPart } from '#app/views/office/part.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/part.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Parts', officePaths.officeParts())

const news = {
  saved: 'Saved. Customers see it right away.',
  added: 'Added. Set its stock below.',
  counted: 'Stock saved.',
}

export async function loader({ context, params: { sku }, url }: Route.LoaderArgs) {
  const path = officePaths.officePart(sku)
  const { app, session } = await requireStaff(context, sku === 'new' ? 'catalog.edit' : 'catalog.read', path)
  const view = found(await readPart(app, { sku, kind: url.searchParams.get('kind') }))
  return {
    ...view,
    mayEdit: staffCan(session.roles, 'catalog.edit'),
    news: doneNews(url, news),
  }
}

/** `add`, `change`, or `count`. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: args.params.sku,
      path: (done) => officePaths.officePart(args.params.sku, { done }),
      done: {
        add: (_id, { sku }) => officePaths.officePart(sku, { done: 'added' }),
        change: 'saved',
        count: 'counted',
      },
    },
    partActions,
  )

type Shown = Route.ComponentProps['loaderData']

export default function PartPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { part, title, mayEdit, stock, fields } = loaderData
  return (
    <DetailPage
      title={title}
      crumbs={[{ label: 'Parts', path: officePaths.officeParts() }]}
      tags={part && !part.isOnSale ? <Tag>Not for sale</Tag> : undefined}
      news={loaderData.news}
      reply={reply}
      body={
        mayEdit ? (
          <PartForm {...loaderData} reply={reply} />
        ) : (
          <FactsPanel id="part" title="Part" rows={fields.map(({ label, shown }) => [label, shown])} />
        )
      }
      side={
        part ? (
          <Panel id="stock" title="Available">
            <PanelBody>
              <ul className="office-list">
                {stock.map((place) => (
                  <li key={place.warehouseId}>
                    <span>{place.name}</span>
                    <Units place={place} mayEdit={mayEdit} reply={reply} />
                  </li>
                ))}
              </ul>
            </PanelBody>
          </Panel>
        ) : undefined
      }
    />
  )
}

/** A warehouse's units, with their form for staff who can count them. */
function Units({
  place: { warehouseId, name, units },
  mayEdit,
  reply,
}: { place: Shown['stock'][number] } & Pick<Shown, 'mayEdit'> & { reply: Route.ComponentProps['actionData'] }) {
  if (!mayEdit) return countOf(units ?? 0, 'unit')
  return (
    <RowForm
      reply={reply}
      about={{ warehouse: warehouseId }}
      hidden={{ seen: units ?? 0 }}
      fields={{ units: { label: `Available units at ${name}`, max: 6, value: String(units ?? 0) } }}
      buttons={[button('count', 'Save', 'quiet', { name: `Save stock of ${name}` })]}
    />
  )
}

function PartForm({ part, values, kinds, fields, reply }: Shown & { reply: Route.ComponentProps['actionData'] }) {
  const isNew = part === null
  const kindFields = fields.flatMap(({ key, label, options }): [string, FormField][] =>
    options ? [[key, { label, kind: 'choice', options, value: values[key] }]] : [],
  )
  return (
    <FormPanel
      id="part"
      title="Part"
      reply={reply}
      hidden={{ version: values['version'] ?? '0', ...(isNew ? {} : { kind: part.kind, sku: part.sku }) }}
      fields={{
        ...(isNew && {
          kind: { label: 'Kind', kind: 'choice', options: kinds, value: values['kind'] },
          sku: { label: 'SKU', max: 40, value: '', hint: 'It stays the same later.' },
        }),
        brand: { label: 'Brand', max: 60, value: values['brand'] },
        name: { label: 'Name', max: 80, value: values['name'] },
        ...Object.fromEntries(kindFields),
        price: { label: 'Price', kind: 'money', value: values['price'] },
        cost: { label: 'Cost', kind: 'money', value: values['cost'], isOptional: true, hint: 'For reports.' },
        sale: {
          label: 'For sale',
          kind: 'choice',
          options: [
            ['on', 'Yes'],
            ['off', 'No'],
          ],
          value: values['sale'] ?? 'on',
        },
      }}
      buttons={[isNew ? button('add', 'Add part', 'primary') : button('change', 'Save', 'primary')]}
    />
  )
}
