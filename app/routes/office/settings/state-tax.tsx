import { stateOf, stateTaxActions } from '#app/office/actions/taxes.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import type { FormReply } from '#app/forms/form.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormInputs, FormPanel, RowForm } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { readStateTax } from '#app/views/office/state-tax.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import type { Route } from './+types/state-tax.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.name ?? 'Taxes and fees', officePaths.officeTaxes())

const news = {
  saved: 'Saved. New orders use it immediately.',
  scheduled: 'Scheduled. Cancel it below any time before it starts.',
  canceled: 'Scheduled change canceled.',
  reset: 'Saved. New orders use the built-in taxes and fees, with their updates.',
}

export async function loader({ context, params: { state }, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'sales-tax.read', officePaths.officeTax(state))
  return {
    mayEdit: staffCan(session.roles, 'sales-tax.edit'),
    news: doneNews(url, news),
    ...found(await readStateTax(app, stateOf(state))),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { state } = args.params
  return decideActions(
    args,
    {
      id: state,
      path: (done) => officePaths.officeTax(state, done),
      done: {
        change: (_, { isScheduled }) => (isScheduled ? 'scheduled' : 'saved'),
        cancel: 'canceled',
        reset: 'reset',
      },
    },
    stateTaxActions,
  )
}

export default function StateTaxPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, isVerified, mayEdit, seen, fields, taxed, facts, imported, builtIn, changes } = loaderData
  return (
    <OfficePage
      title={name}
      crumbs={[{ label: 'Taxes and fees', path: officePaths.officeTaxes() }]}
      tags={
        <>
          {isVerified ? <Tag tone="go">Verified</Tag> : <Tag tone="signal">Unverified</Tag>}
          {builtIn?.isUpdated ? <Tag tone="signal">Built-in updated</Tag> : null}
        </>
      }
      news={loaderData.news}
      reply={reply}
    >
      {mayEdit ? (
        <FormPanel
          id="tax"
          title="Rates and fees"
          lead={imported ?? undefined}
          isPair
          reply={reply}
          hidden={{ seen }}
          fields={{
            ...fields,
            taxed: <TaxedFields taxed={taxed} reply={reply} />,
            isVerified: {
              label: 'Verified with the source',
              kind: 'tick',
              hint: 'Store setup counts unverified states.',
              isTicked: isVerified,
            },
          }}
          buttons={[button('change', 'Save', 'primary')]}
          note="Orders keep the rates and fees they were placed under."
        />
      ) : (
        <FactsPanel id="tax" title="Rates and fees" rows={facts} />
      )}
      <BuiltIn builtIn={builtIn} seen={mayEdit ? seen : null} reply={reply} />
      <TablePanel
        id="history"
        title="History"
        note="Times are Eastern"
        caption="Changes, newest first"
        empty="No changes yet. The rates that come with the store apply."
        columns={{
          at: 'When',
          by: 'Who',
          rate: 'State rate',
          fee: 'Tire fee',
          checked: 'Checked',
          from: 'Starts',
          act: '',
        }}
        rows={changes.map(({ id, cells, isCancelable }) => ({
          id,
          cells: {
            ...cells,
            act:
              isCancelable && mayEdit ? (
                <RowForm
                  about={{ change: id }}
                  reply={reply}
                  buttons={[
                    button('cancel', 'Cancel', 'quiet', { name: `Cancel the change that starts ${cells.from}` }),
                  ]}
                />
              ) : null,
          },
        }))}
      />
    </OfficePage>
  )
}

/** The built-in values, if staff set others. `seen` is null for readers without the permission to change them. */
function BuiltIn({
  builtIn,
  seen,
  reply,
}: Pick<Route.ComponentProps['loaderData'], 'builtIn'> & { seen: number | null; reply: FormReply | undefined }) {
  if (!builtIn) return null
  return (
    <FactsPanel
      id="built-in"
      title="Built-in taxes and fees"
      note={
        builtIn.isUpdated
          ? 'They changed after you set yours. Compare them.'
          : 'They come with the store, and differ from yours.'
      }
      rows={builtIn.rows}
    >
      {seen === null ? null : (
        <RowForm reply={reply} hidden={{ seen }} buttons={[button('reset', 'Use the built-in taxes and fees')]} />
      )}
    </FactsPanel>
  )
}

/** The charges that the state taxes. */
function TaxedFields({
  taxed,
  reply,
}: Pick<Route.ComponentProps['loaderData'], 'taxed'> & { reply: FormReply | undefined }) {
  return (
    <fieldset className="office-ticks field-wide">
      <legend>Taxed</legend>
      <FormInputs
        reply={reply}
        fields={Object.fromEntries(
          taxed.map(({ kind, label, isTicked }): [string, FormField] => [
            `taxed-${kind}`,
            { label, kind: 'tick', isTicked },
          ]),
        )}
      />
    </fieldset>
  )
}
