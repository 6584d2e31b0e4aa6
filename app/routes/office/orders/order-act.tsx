import { data } from 'react-router'
import type { FormReply } from '#app/forms/form.ts'
import { orderActForms, orderActRefusals, type OrderActRefusal } from '#app/office/actions/orders.server.ts'
import { actionStep, callOf, submit } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { CancelLineFields, cancelLineLabels } from '#app/ui/cancel-lines.tsx'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { SlotField } from '#app/ui/office/slot-field.tsx'
import { ConfirmButton } from '#app/ui/office/confirm-button.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Acts, KeyValues, Notice, Panel, PanelBody, RefusedActs, Tag } from '#app/ui/office/office-parts.tsx'
import { StateField } from '#app/ui/state-field.tsx'
import { orderActs, readOrderAct, type FormAct, type OrderActView } from '#app/views/office/order-acts.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { isStaffOrderAct, staffOrderActs } from '#domain/ordering/orders/orders.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { ChosenTime, TimeLinks } from './order-times.tsx'
import type { Route } from './+types/order-act.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.view.name ?? 'Order', loaderData?.path ?? officePaths.office())

/** The act an address names; a 404 for any other word. */
function actOf(params: { orderId: string; act: string }): { act: FormAct; orderId: number; path: string } {
  const { act } = params
  const orderId = orderIdOf(params.orderId)
  if (!isStaffOrderAct(act) || act === 'place' || orderId === 0) throw data(null, { status: 404 })
  return { act, orderId, path: officePaths.officeOrderAct(orderId, act) }
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { act, orderId, path } = actOf(params)
  const { app, session } = await requireStaff(context, staffOrderActs[act].permission, path)
  const order = await readOrder(app.db, orderId)
  if (!order) throw data(null, { status: 404 })
  const others = orderActs(order, session.roles, app.clock.now()).filter(({ key }) => key !== act)
  return { path, others, slot: url.searchParams.get('slot'), view: await readOrderAct(app, order, act) }
}

export const action = (args: Route.ActionArgs) => {
  const { act, orderId, path } = actOf(args.params)
  return submit<OrderActRefusal>(
    args,
    { noun: 'order', permission: staffOrderActs[act].permission, path: () => path },
    (posted) =>
      actionStep<unknown, OrderActRefusal>(
        orderActForms[act],
        callOf(posted, String(orderId)),
        officePaths.officeOrder(orderId, { done: act }),
      ),
    orderActRefusals,
  )
}

export default function OrderAct({
  loaderData: { path, others, slot, view },
  actionData: reply,
}: Route.ComponentProps) {
  const { name, number, orderPath, progress, whyNot } = view
  return (
    <OfficePage title={name} crumbs={[{ label: `Order ${number}`, path: orderPath }]} tags={<Tag>{progress}</Tag>}>
      {whyNot !== null && !reply ? (
        <Notice tone="signal" title={`${name} is not possible now`}>
          <p>{whyNot}</p>
        </Notice>
      ) : (
        <ActPanel view={view} reply={reply} path={path} slot={reply ? reply.values['slot'] : slot} />
      )}
      <Panel id="others" title="Other actions">
        <PanelBody>
          <Acts
            acts={[
              { label: `Order ${number}`, path: orderPath },
              ...others.filter(({ whyNot: why }) => why === null).map(({ name: label, path }) => ({ label, path })),
            ]}
          />
          <RefusedActs
            refused={others.flatMap(({ name: other, whyNot: why }) => (why === null ? [] : [{ act: other, why }]))}
          />
        </PanelBody>
      </Panel>
    </OfficePage>
  )
}

const labels = {
  reason: 'Reason',
  address1: 'Street',
  address2: 'Apartment or unit',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  slot: 'New time',
  message: 'Email',
} as const

type ActProps = {
  view: OrderActView
  reply: FormReply | undefined
  path: string
  /** The value of the time to confirm, for an appointment. */
  slot: string | null | undefined
}

function ActPanel(props: ActProps) {
  const { view, reply, path, slot } = props
  const isUnchosen = view.act === 'appointment' && !reply && !findTime(view, slot)
  return (
    <Panel
      id="act"
      title={view.name}
      isOpen
      end={!isUnchosen && view.act === 'appointment' ? <a href={path}>Other times</a> : undefined}
    >
      <PanelBody>
        <Change view={view} />
      </PanelBody>
      {isUnchosen ? (
        <TimeLinks times={view.times} path={(time) => `${path}?slot=${encodeURIComponent(time)}#reason`} />
      ) : (
        <PanelBody>
          <ActForm {...props} />
        </PanelBody>
      )}
    </Panel>
  )
}

/** The offered time with this value; undefined if it isn't offered. */
function findTime({ times }: OrderActView, slot: string | null | undefined) {
  return times
    .flatMap(({ zone, times: ofDay }) => ofDay.map(({ value, label }) => ({ value, text: `${label}, in ${zone}` })))
    .find(({ value }) => value === slot)
}

function Change({ view: { before, after } }: { view: OrderActView }) {
  const sentences = (lines: readonly string[]) => lines.map((line) => <p key={line}>{line}</p>)
  return (
    <KeyValues
      rows={[...(before.length > 0 ? [['Now', sentences(before)] as const] : []), ['After', sentences(after)] as const]}
    />
  )
}

function ActForm({ view, reply, slot }: ActProps) {
  const { act, name, after } = view
  return (
    <form method="post" className="stack" noValidate>
      <ErrorSummary reply={reply} labels={{ ...labels, ...(view.lines && cancelLineLabels(view.lines)) }} />
      <ActFields view={view} reply={reply} slot={slot} />
      {act === 'resend' ? (
        <input type="hidden" name="once" value={reply?.values['once'] ?? view.once} />
      ) : (
        <TextAreaField
          name="reason"
          label={act === 'check-fit' ? 'Result' : labels.reason}
          reply={reply}
          rows={3}
          maxLength={400}
          hint="Recorded in the audit log. Customers can’t see it."
        />
      )}
      <p>
        {act === 'cancel' || act === 'lines' ? (
          <ConfirmButton
            className="btn stop"
            ask={{
              title: act === 'lines' ? `Cancel lines of ${view.number}?` : `Cancel order ${view.number}?`,
              text: after.join(' '),
              answer: act === 'lines' ? 'Yes, cancel them' : `Yes, cancel ${view.number}`,
              isStop: true,
            }}
          >
            {name}
          </ConfirmButton>
        ) : (
          <button className="btn primary" aria-keyshortcuts={act === 'appointment' ? 'Control+Enter' : undefined}>
            {name}
          </button>
        )}
      </p>
    </form>
  )
}

function ActFields({ view, reply, slot }: Omit<ActProps, 'path'>) {
  if (view.lines) return <CancelLineFields view={view.lines} reply={reply} />
  if (view.address) return <AddressFields address={view.address} reply={reply} />
  if (view.act === 'appointment') {
    const time = reply?.errors['slot'] ? undefined : findTime(view, slot)
    return time ? (
      <ChosenTime label={labels.slot} time={time} />
    ) : (
      <SlotField label={labels.slot} times={view.times} reply={reply} />
    )
  }
  if (view.act === 'resend')
    return (
      <SelectField name="message" label={labels.message} reply={reply}>
        <option value="">Choose</option>
        {view.mails.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
    )
  return null
}

function AddressFields({
  address,
  reply,
}: {
  address: NonNullable<OrderActView['address']>
  reply: FormReply | undefined
}) {
  return (
    <>
      <Field name="address1" label={labels.address1} reply={reply} value={address.address1} maxLength={100} required />
      <Field
        name="address2"
        label={labels.address2}
        reply={reply}
        value={address.address2}
        maxLength={100}
        required={false}
      />
      <Field name="city" label={labels.city} reply={reply} value={address.city} maxLength={60} required />
      <StateField reply={reply} value={address.state} autoComplete="off" />
      <Field
        name="zip"
        label={labels.zip}
        reply={reply}
        value={address.zip}
        inputMode="numeric"
        maxLength={10}
        required
      />
    </>
  )
}
