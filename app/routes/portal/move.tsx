import { data, type RouterContextProvider } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireShop, whoOf } from '#app/server/portal.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { dropOffWindowNames, dropOffWindows } from '#domain/scheduling/booking/booking.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readShopAppointment } from '#domain/ordering/orders/orders.server.ts'
import { moveAsShop } from '#domain/installer-portal/portal/portal.server.ts'
import { moveForm, moveReasons, readDay, uuidShape } from '#domain/installer-portal/portal/portal.ts'
import { dayText } from '#platform/day-text.ts'
import { clockOf, clockRangeText } from '#platform/time-text.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/move.ts'
import { bayChoices } from './own-job-acts.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Move', portalPaths.portal())

/** An appointment of this shop; one of another shop does not exist here. */
async function requireAppointment(
  context: Readonly<RouterContextProvider>,
  { shopCode, bookingId }: { shopCode: string; bookingId: string },
) {
  const at = await requireShop(context, 'appointment.move', { shopCode, path: portalPaths.move(shopCode, bookingId) })
  const isId = uuidShape.safeParse(bookingId).success
  const found = isId ? await readShopAppointment(at.app.db, { shopId: at.place.shopId, bookingId }) : undefined
  if (!found) throw data(null, { status: 404 })
  return { at, ...found }
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { at, booking, order } = await requireAppointment(context, params)
  const { timeZone } = at.place
  const start = booking.start.toZonedDateTimeISO(timeZone)
  const day = start.toPlainDate()
  const asked = url.searchParams
  const askedAt = asked.get('at') ?? ''
  return {
    who: `${order.firstName} ${order.lastName.slice(0, 1)}.`,
    order: orderNumber(order.id),
    from: `${dayText(day)}, ${clockRangeText(booking.start, booking.end, timeZone)}`,
    isMovable: booking.state === 'confirmed' && order.state === 'confirmed',
    isDropOff: booking.dropOff !== null,
    bays: await bayChoices(at),
    zone: clockOf(timeZone, day).zone,
    back: portalPaths.day(params.shopCode, { on: day.toString() }),
    values: {
      bay: /^\d{1,9}$/.test(asked.get('bay') ?? '') ? (asked.get('bay') ?? '') : String(booking.bayId),
      on: (readDay(asked.get('on')) ?? day).toString(),
      at:
        booking.dropOff?.window ??
        (/^\d{2}:\d{2}$/.test(askedAt) ? askedAt : start.toPlainTime().toString({ smallestUnit: 'minute' })),
    },
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { at, booking } = await requireAppointment(context, params)
  const { app, actor, place, session } = at
  const fields = await readForm(request)
  const checked = checkForm(moveForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { timeZone } = place
  const typed = checked.value
  const moved = await moveAsShop(app, actor, {
    bookingId: booking.id,
    typed,
    timeZone,
    who: session ? whoOf(session) : '',
  })
  if (moved.ok) {
    const done = moved.value.isMailed ? 'moved-mailed' : 'moved'
    return seeOther(portalPaths.day(params.shopCode, { on: typed.on.toString(), done }))
  }
  switch (moved.reason) {
    case 'reason-missing':
      return refuseForm(
        formRefusal(fields, 'Another time needs a reason.', {
          reason: 'Choose why. The customer is emailed the time.',
        }),
      )
    case 'not-possible':
      return refuseForm(formRefusal(fields, moved.detail.why, { at: moved.detail.why }), 409)
    case 'not-allowed':
      return refuseForm(formRefusal(fields, 'You no longer have permission to do this.'), 403)
    case 'not-found':
      throw data(null, { status: 404 })
  }
}

const labels = { bay: 'Bay', on: 'Day', at: 'Time', reason: 'Reason, kept with the order' }

export default function Move({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { who, order, from, isMovable, isDropOff, bays, zone, back, values } = loaderData
  return (
    <div className="wrap portal narrow">
      <p className="portal-back">
        <a href={back}>Back to the day</a>
        <span>{order}</span>
      </p>
      <h1>Move {who}</h1>
      <p className="tabular">Now: {from}</p>
      {isMovable ? (
        <>
          <ErrorSummary reply={reply} labels={labels} />
          <form method="post" className="portal-form" noValidate>
            <div className="portal-when">
              <SelectField name="bay" label={labels.bay} reply={reply} value={values.bay}>
                {bays.map(({ id, label }) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </SelectField>
              <Field name="on" label={labels.on} reply={reply} value={values.on} type="date" autoComplete="off" />
              {isDropOff ? (
                <SelectField name="at" label={labels.at} reply={reply} value={values.at}>
                  {dropOffWindowNames.map((window) => (
                    <option key={window} value={window}>
                      {dropOffWindows[window].name}
                    </option>
                  ))}
                </SelectField>
              ) : (
                <Field
                  name="at"
                  label={`${labels.at} (${zone})`}
                  reply={reply}
                  value={values.at}
                  type="time"
                  step={900}
                  autoComplete="off"
                />
              )}
            </div>
            <SelectField
              name="reason"
              label={labels.reason}
              reply={reply}
              value=""
              hint="Required if you change the time, because we email it to the customer. Not needed to change only the bay."
            >
              <option value="">No reason (bay change only)</option>
              {Object.entries(moveReasons).map(([reason, words]) => (
                <option key={reason} value={reason}>
                  {words}
                </option>
              ))}
            </SelectField>
            <button className="btn primary large wide">Move</button>
          </form>
        </>
      ) : (
        <p className="portal-news">This appointment is over or canceled, so it stays where it is.</p>
      )}
    </div>
  )
}
