import type { ShipmentView } from '#app/views/order-progress.server.ts'
import type { AppointmentView } from '#app/views/order-appointment.server.ts'
import type { OwnOrderView } from '#app/views/orders.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { OrderTimeline, type StepperStep } from '#app/ui/order-timeline.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { FitLine } from '#app/ui/tire-facts.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'

/** The shop and time, with links to add the appointment to a calendar. */
export function AppointmentPanel({ appointment }: { appointment: AppointmentView }) {
  return (
    <section className="panel padded order-panel">
      <h2>Your appointment</h2>
      <p className="order-time tabular">{appointment.time}</p>
      <p>
        <b>{appointment.shop}</b>
        <br />
        <span className="muted">{appointment.place}</span>
      </p>
      <p className="order-links">
        <a className="link-row" href={`tel:${appointment.phone.replace(/\D/g, '')}`}>
          <Icon name="phone" size="s" /> {appointment.phone}
        </a>
        {appointment.directions ? (
          <a className="link-row" href={appointment.directions} rel="noreferrer" target="_blank">
            <Icon name="pin" size="s" /> Directions
          </a>
        ) : null}
      </p>
      {appointment.claimCode === null ? null : (
        <p>
          Claim code <b className="tabular">{appointment.claimCode}</b>: show it at the shop when the work is done, not
          before.
        </p>
      )}
      {appointment.manage ? (
        <p>
          <a className="btn" href={appointment.manage}>
            Confirm, move or cancel
          </a>
        </p>
      ) : null}
      {appointment.earlier ? (
        <p>
          <a href={appointment.earlier}>Tell me about an earlier time</a>
        </p>
      ) : null}
      <div className="order-calendar" hidden={appointment.calendar.length === 0}>
        <h3>
          <Icon name="calendar" size="s" /> Add to calendar
        </h3>
        <ul>
          {appointment.calendar.map(({ label, href }) => (
            <li key={label}>
              <a
                className="chip"
                href={href}
                {...(href.startsWith('https:') ? { rel: 'noreferrer', target: '_blank' } : {})}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** The ordered service without tires, its vehicle, and the storage of the removed set. */
function ServicePanel({
  service,
  vehicle,
  storage,
}: Record<'vehicle' | 'storage', string | null> & { service: string }) {
  return (
    <section className="panel padded order-panel">
      <h2>Your service</h2>
      <p className="strong">{service}</p>
      {vehicle || storage ? (
        <dl className="facts">
          {vehicle ? (
            <>
              <dt>Vehicle</dt>
              <dd>{vehicle}</dd>
            </>
          ) : null}
          {storage ? (
            <>
              <dt>Removed set</dt>
              <dd>{storage}</dd>
            </>
          ) : null}
        </dl>
      ) : null}
    </section>
  )
}

/** The ordered tires, their vehicle, and the destination; or the service without tires. */
export function TiresPanel({ own }: { own: OwnOrderView }) {
  if (own.service !== null) return <ServicePanel service={own.service} vehicle={own.vehicle} storage={own.storage} />
  return (
    <section className="panel padded order-panel">
      <h2>Your tires</h2>
      <ul className="order-lines tabular">
        {own.tires.map(({ text, picture, review }) => (
          <li key={text}>
            <TirePicture picture={picture} alt="" size={64} eager />
            <div>
              <p className="strong">{text}</p>
              {review ? <a href={review}>Write a review</a> : null}
            </div>
          </li>
        ))}
      </ul>
      {own.parts.map((text) => (
        <p key={text} className="strong tabular">
          {text}
        </p>
      ))}
      {own.verdict.map(({ tone, headline }) => (
        <FitLine key={headline} tone={tone}>
          {headline}
        </FitLine>
      ))}
      {own.recall ? (
        <p className="notice">
          {own.recall.words} <a href={own.recall.path}>See what to do</a>
        </p>
      ) : null}
      {own.registered.length > 0 ? (
        <>
          <h3>On your car</h3>
          <ul className="tabular">
            {own.registered.map(({ position, tire, tin }) => (
              <li key={position}>
                {position}: {tire}, TIN {tin}
              </li>
            ))}
          </ul>
          <p className="small muted">Registered for you with the maker, so that a recall finds you.</p>
        </>
      ) : null}
      <dl className="facts">
        {own.vehicle ? (
          <>
            <dt>Vehicle</dt>
            <dd>{own.vehicle}</dd>
          </>
        ) : null}
        {own.pickup.length > 0 ? (
          <>
            <dt>Pick up at</dt>
            <dd>
              {own.pickup.map((line) => (
                <span key={line} className="pickup-line">
                  {line}
                </span>
              ))}
            </dd>
          </>
        ) : (
          <>
            <dt>Shipped to</dt>
            <dd>{own.shipTo.join(', ')}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

/** Every amount of the order, how it is paid, and the receipt. */
export function MoneyPanel({ own, children }: { own: OwnOrderView; children?: React.ReactNode }) {
  return (
    <aside className="panel side-summary" aria-label={own.amounts}>
      <h2>{own.amounts}</h2>
      <OrderSummary rows={own.rows} caption={own.amounts} />
      {own.leftOut.map((words) => (
        <p key={words} className="small muted">
          {words}
        </p>
      ))}
      <p className="why small">
        {own.payment}
        {own.poNumber ? ` PO number ${own.poNumber}.` : null}
        {own.loanId ? ` Resolve loan ID ${own.loanId}.` : null}
      </p>
      {own.changes.map(({ id, text }) => (
        <p key={id} className="small muted">
          {text}
        </p>
      ))}
      <a className="btn quiet wide" href={own.receipt}>
        Receipt (PDF)
      </a>
      {own.workOrder === null ? null : (
        <a className="btn quiet wide" href={own.workOrder}>
          Work order for the shop
        </a>
      )}
      {children}
    </aside>
  )
}

/** Canceling takes two steps because it cannot be undone. */
export function CancelPanel({
  cancel,
  number,
  problem,
}: {
  cancel: OwnOrderView['cancel']
  number: string
  problem: string | undefined
}) {
  if (!cancel && !problem) return null
  return (
    <section className="panel padded order-panel" id="cancel">
      <h2>Changed your mind?</h2>
      {problem ? (
        <p className="error-summary small" role="alert">
          {problem}
        </p>
      ) : null}
      {cancel?.can ? (
        <>
          <p className="small muted">
            You can cancel until <b className="tabular">{cancel.until}</b>. {cancel.terms}
          </p>
          <details className="cancel-order">
            <summary className="btn quiet small">Cancel this order</summary>
            <form method="post" className="stack">
              <p className="small">{cancel.consequence} This cannot be undone.</p>
              <button className="btn stop" type="submit" name="intent" value="cancel">
                Cancel order {number}
              </button>
            </form>
          </details>
        </>
      ) : null}
      {cancel && !cancel.can && cancel.reason !== problem ? <p className="small muted">{cancel.reason}</p> : null}
    </section>
  )
}

/** How far a service without tires is. */
export function ServiceProgressPanel({ steps }: { steps: StepperStep[] }) {
  return (
    <section className="order-next" aria-labelledby="progress">
      <h2 id="progress">Progress</h2>
      <OrderTimeline steps={steps} label="Steps of your service" />
    </section>
  )
}

/** Where one parcel is. */
export function ShipmentPanel({ shipment }: { shipment: ShipmentView }) {
  return (
    <section className="panel shipment">
      <div className="shipment-head">
        <div>
          <h2>{shipment.title}</h2>
          <p className="small muted tabular">
            {shipment.items.join(', ')}, from {shipment.from}
          </p>
        </div>
        <p className="strong tabular">{shipment.ended ?? shipment.arrival}</p>
      </div>
      {shipment.steps ? (
        <OrderTimeline steps={shipment.steps} label={`Steps of ${shipment.title.toLowerCase()}`} />
      ) : null}
      <div className="shipment-foot">
        {shipment.trackingNumber ? (
          <p className="tabular">
            {shipment.carrier}, tracking number{' '}
            <b>
              {shipment.trackingUrl ? (
                <a href={shipment.trackingUrl}>{shipment.trackingNumber}</a>
              ) : (
                shipment.trackingNumber
              )}
            </b>
          </p>
        ) : shipment.ended ? null : (
          <p className="muted">The tracking number appears once the carrier has registered the parcel.</p>
        )}
        <details>
          <summary>All updates</summary>
          <ol className="shipment-events small tabular">
            {shipment.events.map((event) => (
              <li key={event.key}>
                <span>{event.text}</span>
                <span className="muted">{event.time}</span>
              </li>
            ))}
          </ol>
        </details>
      </div>
    </section>
  )
}
