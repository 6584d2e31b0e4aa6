import { customerMergeActions, customerPairActions } from '#app/office/actions/customers.server.ts'
import { actionStep, decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { button, OfficeForm } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { FilterText, ListFilters } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { comparePeople, findPerson, findPersonNamed, nameOf } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listMerges } from '#domain/customers/customers/customers.server.ts'
import { undoMergeDays } from '#domain/customers/customers/customers.ts'
import { countOf } from '#platform/count-text.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Route } from './+types/customer-merge.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Merge customers', officePaths.officeCustomers())

/** Shows a customer next to a possible duplicate, and the reversible merges. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'customers.manage', officePaths.officeCustomerMerge(params.id))
  const person = found(await findPerson(app, params.id))
  const customer = found(person.customer)
  const named = url.searchParams.get('with')?.trim().slice(0, 254) ?? ''
  const other = named === '' ? undefined : await findPersonNamed(app, named)
  const isOther = other?.customer && other.id !== customer.id
  return {
    id: customer.id,
    name: nameOf(person),
    named,
    other: isOther ? { id: other.id, name: nameOf(other) } : null,
    rows: isOther ? await comparePeople(app, [person, other]) : [],
    merges: (await listMerges(app, customer.id)).map((merge) => ({
      id: merge.id,
      text: `${merge.email} was merged ${storeDateText(merge.mergedAt)} by ${merge.mergedBy}`,
    })),
    news: doneNews(url, news),
  }
}

const news = { undone: 'Merge undone. Both customers are restored.' }

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeCustomerMerge(id, { done }),
      done: {
        merge: () => officePaths.officeCustomer(id, 'merged'),
        apart: () => officePaths.officeCustomer(id, 'apart'),
      },
      more: {
        steps: ({ app, by, fields }) => ({
          undo: actionStep(customerMergeActions.actions.undo, { app, by, id: fields.get('merge') ?? '' }, 'undone'),
        }),
        refusals: customerMergeActions.refusals,
      },
    },
    customerPairActions,
  )
}

export default function MergeCustomers({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, name, named, other, rows, merges, news: done } = loaderData
  return (
    <OfficePage
      title="Merge customers"
      crumbs={[
        { label: 'Customers', path: officePaths.officeCustomers() },
        { label: name, path: officePaths.officeCustomer(id) },
      ]}
      news={done}
      reply={reply}
    >
      <ListFilters label="Find the other customer" action={officePaths.officeCustomerMerge(id)} clear={null}>
        <FilterText name="with" label="Email of the other customer" value={other ? '' : named} most={254} />
      </ListFilters>
      {other === null && named !== '' ? (
        <Notice tone="signal" title="No other customer found">
          <p>Enter the email that the other customer ordered with.</p>
        </Notice>
      ) : null}
      {other ? <Comparison names={[name, other.name]} otherId={other.id} rows={rows} reply={reply} /> : null}
      <Panel id="merges" title="Recent merges" note={`Can be undone for ${countOf(undoMergeDays, 'day')}`}>
        {merges.length === 0 ? (
          <PanelBody>
            <p>No recent merges into {name}.</p>
          </PanelBody>
        ) : (
          merges.map((merge) => (
            <PanelBody key={merge.id}>
              <OfficeForm
                about={{ merge: merge.id }}
                reply={reply}
                text={merge.text}
                buttons={[button('undo', 'Undo merge')]}
              />
            </PanelBody>
          ))
        )}
      </Panel>
    </OfficePage>
  )
}

function Comparison({
  names: [name, otherName],
  otherId,
  rows,
  reply,
}: {
  names: readonly [string, string]
  otherId: string
  rows: Route.ComponentProps['loaderData']['rows']
  reply: Route.ComponentProps['actionData']
}) {
  return (
    <Panel id="compare" title="Compare" isOpen>
      <DataTable
        caption="Both customers side by side"
        columns={[
          { key: 'label', label: 'Field', isRowHeader: true },
          { key: 'one', label: `Keep: ${name}` },
          { key: 'other', label: `Merge: ${otherName}` },
        ]}
        rows={rows.map(({ label, one, other }) => ({ id: label, cells: { label, one, other } }))}
      />
      <PanelBody>
        <OfficeForm
          about={{ other: otherId }}
          reply={reply}
          text="Merging shows the orders, vehicles and messages of both as one customer. Accounts, sign-ins and consent don’t change."
          buttons={[button('merge', 'Merge customers', 'primary'), button('apart', 'Not the same person', 'quiet')]}
        />
      </PanelBody>
    </Panel>
  )
}
