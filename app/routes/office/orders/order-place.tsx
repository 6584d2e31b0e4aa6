import { data } from 'react-router'
import type { FormReply } from '#app/forms/form.ts'
import { decide } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { SlotField } from '#app/ui/office/slot-field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { KeyValues, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import {
  orderPlaceRefusals,
  orderPlaceSteps,
  readOrderPlace,
  type OrderPlaceView,
  type PreviewView,
} from '#app/views/office/order-place.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffOrderActs } from '#domain/ordering/orders/orders.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import type { Route } from './+types/order-place.ts'

const { name: title, permission } = staffOrderActs.place

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, title, loaderData?.path ?? officePaths.office())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const orderId = orderIdOf(params.orderId)
  const path = officePaths.officeOrderPlace(orderId)
  const staff = await requireStaff(context, permission, path + url.search)
  const order = await readOrder(staff.app.db, orderId)
  if (!order) throw data(null, { status: 404 })
  const asked = { to: url.searchParams.get('to') ?? '', zip: url.searchParams.get('zip') ?? '' }
  return {
    path,
    orderPath: officePaths.officeOrder(orderId),
    view: await readOrderPlace(staff, order, asked),
  }
}

export const action = (args: Route.ActionArgs) => {
  const orderId = orderIdOf(args.params.orderId)
  return decide(
    args,
    { noun: 'order', permission, path: () => officePaths.officeOrderPlace(orderId) },
    (posted) => orderPlaceSteps(posted, orderId),
    orderPlaceRefusals,
  )
}

const labels = { to: 'To', zip: 'Near ZIP', slot: 'Time', reason: 'Reason', waive: 'Waiver' } as const

export default function OrderPlace({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { orderPath, view } = loaderData
  return (
    <OfficePage title={title} crumbs={[{ label: `Order ${view.number}`, path: orderPath }]}>
      {view.whyNot !== null ? (
        <Notice tone="signal" title={`${title} is not possible now`}>
          <p>{view.whyNot}</p>
        </Notice>
      ) : null}
      {view.open ? <OpenChange open={view.open} reply={reply} /> : null}
      {view.whyNot === null && !view.open ? <Places view={view} /> : null}
      {view.previewFault !== null ? (
        <Notice tone="signal" title="We can’t deliver the order there">
          <p>{view.previewFault}</p>
        </Notice>
      ) : null}
      {view.preview ? <Preview view={view} preview={view.preview} reply={reply} /> : null}
    </OfficePage>
  )
}

/** Renders the choice of destination. Read-only until submitted. */
function Places({ view }: { view: OrderPlaceView }) {
  return (
    <Panel id="places" title="Where to">
      <PanelBody>
        <KeyValues rows={[['Now', view.now]]} />
      </PanelBody>
      <PanelBody>
        <form method="get" className="stack">
          <Field
            name="zip"
            label={labels.zip}
            reply={view.zipFault === null ? undefined : { values: { zip: view.zip }, errors: { zip: view.zipFault } }}
            value={view.zip}
            inputMode="numeric"
            maxLength={5}
            required={false}
            hint="Shops and pickup locations near it are listed."
          />
          <SelectField name="to" label={labels.to} reply={undefined} value={view.to}>
            <option value="">Choose</option>
            {view.groups.map(({ name, places }) => (
              <optgroup key={name} label={name}>
                {places.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </optgroup>
            ))}
          </SelectField>
          <p>
            <button className="btn">Show the change</button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

const columns = [
  { key: 'label', label: 'What', isRowHeader: true },
  { key: 'before', label: 'Now', isAmount: true },
  { key: 'after', label: 'After', isAmount: true },
]

function Preview({
  view,
  preview,
  reply,
}: {
  view: OrderPlaceView
  preview: PreviewView
  reply: FormReply | undefined
}) {
  const total = preview.rows.find(({ key }) => key === 'total')
  return (
    <Panel id="preview" title={`What changes: ${preview.name}`} isOpen>
      <DataTable
        caption="The price now and after the change"
        columns={columns}
        rows={preview.rows.filter(({ key }) => key !== 'total').map((cells) => ({ id: cells.key, cells }))}
        footer={total ? [total] : []}
      />
      <PanelBody>
        <KeyValues
          rows={[
            ['Difference', preview.settled],
            ['Tires arrive by', preview.arrival],
          ]}
        />
      </PanelBody>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={labels} />
          <input type="hidden" name="to" value={view.to} />
          <input type="hidden" name="agreed" value={preview.agreed} />
          <input type="hidden" name="once" value={reply?.values['once'] ?? preview.once} />
          {preview.isInstalled ? <SlotField label={labels.slot} times={preview.times} reply={reply} /> : null}
          {preview.waiver !== null ? (
            <label className="row top">
              <input
                type="checkbox"
                id="waive"
                name="waive"
                value="1"
                defaultChecked={reply?.values['waive'] === '1'}
              />
              <span>{preview.waiver}</span>
            </label>
          ) : null}
          <Reason reply={reply} />
          <p>
            <button className="btn primary" name="intent" value="place">
              {preview.button}
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

/** Renders an order edit that awaits the customer's payment. */
function OpenChange({ open, reply }: { open: NonNullable<OrderPlaceView['open']>; reply: FormReply | undefined }) {
  return (
    <Panel id="open" title="A change awaits payment" isOpen>
      <PanelBody>
        <KeyValues
          rows={[
            ['Change', open.place],
            ['To pay', open.amount],
            ['Until', open.until],
          ]}
        />
      </PanelBody>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={labels} />
          <Reason reply={reply} />
          <p>
            <button className="btn stop" name="intent" value="withdraw">
              Withdraw the change
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

function Reason({ reply }: { reply: FormReply | undefined }) {
  return (
    <TextAreaField
      name="reason"
      label={labels.reason}
      reply={reply}
      rows={3}
      maxLength={400}
      hint="Recorded in the audit log. Customers can’t see it."
    />
  )
}
