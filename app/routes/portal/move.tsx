import { data, type RouterContextProvider } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireShop, whoOf } from '#app/server/portal.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { slotText } from '#content/messages/times.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { dropOffWindowNames, dropOffWindows, type Booking, type Opening } from '#domain/scheduling/booking/booking.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readShopAppointment } from '#domain/ordering/orders/orders.server.ts'
import { moveAsShop } from '#domain/installer-portal/portal/portal.server.ts'
import { moveForm, moveReasons, readDay, uuidShape } from '#domain/installer-portal/portal/portal.ts'
import { dayText } from '#platform/day-text.ts'
import { clockOf, clockRangeText, minuteText } from '#platform/time-text.ts'
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
  const bays = await bayChoices(at)
  return {
    who: `${order.firstName} ${order.lastName.slice(0, 1)}.`,
    order: orderNumber(order.id),
    from: `${dayText(day)}, ${clockRangeText(booking.start, booking.end, timeZone)}`,
    isMovable: booking.state === 'confirmed' && order.state === 'confirmed',
    isDropOff: booking.dropOff !== null,
    fromBay: bays.find(({ id }) => id === String(booking.bayId))?.label ?? '',
    bays,
    zone: clockOf(timeZone, day).zone,
    back: portalPaths.day(params.shopCode, { on: day.toString() }),
    ...formValues(url.searchParams, booking),
  }
}

/** Returns the appointment's current form values, and those that the address fills in. */
function formValues(asked: URLSearchParams, { bayId, start, timeZone, dropOff }: Booking) {
  const local = start.toZonedDateTimeISO(timeZone)
  const now = {
    bay: String(bayId),
    on: local.toPlainDate().toString(),
    at: dropOff?.window ?? local.toPlainTime().toString({ smallestUnit: 'minute' }),
  }
  const [bay, at] = [asked.get('bay') ?? '', asked.get('at') ?? '']
  const isAt = dropOff ? dropOffWindowNames.some((name) => name === at) : /^\d{2}:\d{2}$/.test(at)
  const values = {
    bay: bay === 'any' ? '' : /^\d{1,9}$/.test(bay) ? bay : now.bay,
    on: readDay(asked.get('on'))?.toString() ?? now.on,
    at: isAt ? at : now.at,
  }
  return { now, values }
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
    case 'not-possible': {
      const { why, next } = moved.detail
      const others = next.map((opening) => otherTime(opening, { ...params, timeZone }))
      return refuseForm({ ...formRefusal(fields, why, { at: why }), others }, 409)
    }
    case 'not-allowed':
      return refuseForm(formRefusal(fields, 'You no longer have permission to do this.'), 403)
    case 'not-found':
      throw data(null, { status: 404 })
  }
}

/** Returns a link that fills a free time into this form. */
function otherTime(
  opening: Opening,
  { shopCode, bookingId, timeZone }: { shopCode: string; bookingId: string; timeZone: string },
): NonNullable<FormReply['others']>[number] {
  const start = opening.start.toZonedDateTimeISO(timeZone)
  const at = opening.kind === 'wait' ? start.toPlainTime().toString({ smallestUnit: 'minute' }) : opening.window
  return {
    path: portalPaths.move(shopCode, bookingId, { on: opening.date.toString(), at, bay: 'any' }),
    name: slotText(opening.kind === 'wait' ? { start: opening.start } : opening, timeZone),
    note: '',
  }
}

const labels = { bay: 'Bay', on: 'Day', at: 'Time', reason: 'Reason, kept with the order' }

export default function Move({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { who, order, isMovable, isDropOff, bays, zone, back, values } = loaderData
  return (
    <div className="wrap portal narrow">
      <p className="portal-back">
        <a href={back}>Back to the day</a>
        <span>{order}</span>
      </p>
      <h1>Move {who}</h1>
      <FromAndTo move={loaderData} reply={reply} />
      {isMovable ? (
        <>
          <ErrorSummary reply={reply} labels={labels} />
          <OtherTimes others={reply?.others ?? []} />
          <form method="post" className="portal-form" noValidate>
            <div className="portal-when">
              <SelectField name="bay" label={labels.bay} reply={reply} value={values.bay}>
                <option value="">Any free bay</option>
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
            <a className="btn large wide" href={back}>
              Don’t move
            </a>
          </form>
        </>
      ) : (
        <p className="portal-news">This appointment is over or canceled, so it stays where it is.</p>
      )}
    </div>
  )
}

/** Renders the appointment's current and new time. */
function FromAndTo({
  move: { from, fromBay, bays, isDropOff, values, now },
  reply,
}: {
  move: Route.ComponentProps['loaderData']
  reply: FormReply | undefined
}) {
  const valueOf = (name: 'bay' | 'on' | 'at') => reply?.values[name] ?? values[name]
  const to = { bay: valueOf('bay'), on: valueOf('on'), at: valueOf('at') }
  const day = readDay(to.on)
  const isChanged = to.on !== now.on || to.at !== now.at || to.bay !== now.bay
  return (
    <div className="portal-from-to tabular">
      <p>
        <span>From</span>
        {from}
        <span>{fromBay}</span>
      </p>
      {isChanged && day ? (
        <p className="is-to">
          <span>To</span>
          {`${dayText(day)}, ${isDropOff ? windowName(to.at) : timeOfForm(to.at)}`}
          <span>{bays.find(({ id }) => id === to.bay)?.label ?? 'Any free bay'}</span>
        </p>
      ) : null}
    </div>
  )
}

function windowName(value: string): string {
  const name = dropOffWindowNames.find((each) => each === value)
  return name ? dropOffWindows[name].name : value
}

/** Returns "11:30 AM" for "11:30", and other input unchanged. */
function timeOfForm(value: string): string {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(value) ?? []
  return hours === undefined ? value : minuteText(Number(hours) * 60 + Number(minutes))
}

/** Renders the next free times as links that fill in the form. */
function OtherTimes({ others }: { others: NonNullable<FormReply['others']> }) {
  if (others.length === 0) return null
  return (
    <section className="portal-others" aria-labelledby="others">
      <h2 id="others">Free times</h2>
      <ul>
        {others.map(({ path, name }) => (
          <li key={path}>
            <a className="btn" href={path}>
              <Icon name="clock" size="s" /> {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
