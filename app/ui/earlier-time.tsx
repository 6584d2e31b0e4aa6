import type { FormReply } from '#app/forms/form.ts'
import type { WaitView } from '#app/views/earlier-times.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { dayPartNames, dayParts } from '#domain/installer-portal/appointments/appointments.ts'

/** The earlier time that opened up, booked with the button, and never by opening the email's link. */
export function OfferedTime({ offer, seen, at }: { offer: NonNullable<WaitView['offer']>; seen: string; at: string }) {
  return (
    <form method="post" action={at} className="panel padded stack">
      <h2>Earlier: {offer.text}</h2>
      <p className="muted">
        You are first on the list until {offer.until}. The time isn’t reserved, so book it before another shopper does.
        There’s no extra charge.
      </p>
      <input type="hidden" name="intent" value="take-offer" />
      <input type="hidden" name="seen" value={seen} />
      <button className="btn primary large wide" name="offer" value={offer.id}>
        Take this time
      </button>
    </form>
  )
}

/** Joins or leaves the waitlist for an earlier time. */
export function EarlierTime({
  wait,
  seen,
  at,
  isOpen,
  reply,
}: {
  wait: WaitView
  seen: string
  at: string
  isOpen: boolean
  reply: FormReply | undefined
}) {
  return (
    <details name="act" className="panel" id="earlier" open={isOpen || reply !== undefined}>
      <summary>
        <Icon name="clock" />
        <span>
          <b>{wait.waits ? 'You wait for an earlier time' : 'Tell me about an earlier time'}</b>
          <small>{wait.waits ?? 'We email you when one gets free at this shop'}</small>
        </span>
      </summary>
      {wait.form ? (
        <form method="post" action={at} className="stack earlier-time" noValidate>
          {reply ? <ErrorSummary reply={reply} /> : null}
          <input type="hidden" name="intent" value="wait" />
          <input type="hidden" name="seen" value={seen} />
          <div className="earlier-days">
            <Field name="from" label="From" type="date" value={wait.form.first} reply={reply} maxLength={10} />
            <Field name="until" label="Until" type="date" value={wait.form.last} reply={reply} maxLength={10} />
          </div>
          <fieldset className="choices">
            <legend>Time of day</legend>
            {dayPartNames.map((part) => (
              <label key={part} className="choice">
                <input
                  type="checkbox"
                  name={part}
                  value="1"
                  defaultChecked={reply ? reply.values[part] === '1' : true}
                />
                <span>{dayParts[part].name}</span>
              </label>
            ))}
          </fieldset>
          <button className="btn wide">Put me on the list</button>
          <p className="small muted">
            You’ll keep your current appointment. The waitlist closes one hour before it starts.
          </p>
        </form>
      ) : (
        <form method="post" action={at} className="appointment-times">
          <button className="btn" name="intent" value="leave-list">
            Leave the list
          </button>
        </form>
      )}
    </details>
  )
}
