import type { ReactNode } from 'react'
import type { ChangeView, OtherShop } from '#app/views/appointment-changes.server.ts'
import type { AppointmentPage, TimesView } from '#app/views/appointments.server.ts'
import { fullMessage } from '#content/messages/appointments.ts'
import { Icon } from '#app/ui/icon.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { countOf } from '#platform/count-text.ts'

/** The time and shop, with any action required from the shopper. */
export function AppointmentCard({ page, here }: { page: AppointmentPage; here: string }) {
  const { when, shop, tag, canConfirm, move } = page
  if (!shop) return null
  return (
    <section className="panel padded appointment-card" aria-labelledby="when">
      <div className="appointment-when">
        <h2 id="when" className="tabular">
          {when?.time ?? 'No time is booked'}
        </h2>
        {tag ? (
          <span className={tag.isAgreed ? 'appointment-tag is-agreed' : 'appointment-tag'}>{tag.words}</span>
        ) : null}
      </div>
      <p>
        <b>{shop.name}</b>
        <br />
        <span className="muted">{shop.place}</span>
      </p>
      <p className="order-links">
        <a className="link-row" href={`tel:${shop.phone.replace(/\D/g, '')}`}>
          <Icon name="phone" size="s" /> {shop.phone}
        </a>
        {shop.directions ? (
          <a className="link-row" href={shop.directions} rel="noreferrer" target="_blank">
            <Icon name="pin" size="s" /> Directions
          </a>
        ) : null}
      </p>
      <div className="appointment-press">
        {canConfirm ? (
          <form method="post" action={here}>
            <input type="hidden" name="seen" value={page.seen} />
            <button className="btn primary large wide" name="intent" value="coming">
              {page.isLate ? 'I’m on time after all' : 'Yes, I’ll be there'}
            </button>
          </form>
        ) : null}
        {move && !move.isOpen ? (
          <a className="btn large wide" href={move.href}>
            Reschedule
          </a>
        ) : null}
      </div>
      {when?.code ? (
        <p className="appointment-code">
          <span>Show this code when you leave the car</span>
          <b className="tabular">{when.code}</b>
        </p>
      ) : null}
    </section>
  )
}

/** The single time from an email's link, booked with the button and never by opening the link. */
export function SingleTime({
  single,
  seen,
  at,
}: {
  single: NonNullable<AppointmentPage['single']>
  seen: string
  at: string
}) {
  if (!single.isFree)
    return (
      <p className="notice" role="status">
        {single.text} is no longer available. These times are.
      </p>
    )
  return (
    <form method="post" action={at} className="panel padded stack">
      <h2>{single.text}</h2>
      <p className="muted">There’s no extra charge, and you can change it again.</p>
      <input type="hidden" name="intent" value="take" />
      <input type="hidden" name="seen" value={seen} />
      <button className="btn primary large wide" name="time" value={single.value}>
        Take this time
      </button>
      <a href={`${at}#times`}>All other times</a>
    </form>
  )
}

/** The free times, a button each, and the days to choose from. */
export function Times({
  times,
  page,
  at,
  hasOthers,
}: {
  times: TimesView
  page: AppointmentPage
  at: string
  /** Other shops are listed on the page. */
  hasOthers: boolean
}) {
  const { shown, first, days } = times
  const isLost = page.stage !== 'settled'
  return (
    <section className="panel padded stack" id="times" aria-labelledby="times-title">
      <h2 id="times-title">
        {page.refusal
          ? `Or another time at ${page.shop?.name ?? ''}`
          : isLost
            ? 'Pick one of these times'
            : 'Pick another time'}
      </h2>
      {shown === null ? null : (
        <p className="muted">
          One tap books it. There’s no extra charge, and you can change it again. Times are in {times.zone}.
        </p>
      )}
      {shown === null ? (
        <p>
          {times.closed ||
            fullMessage({
              shopName: page.shop?.name ?? 'The shop',
              phone: page.shop?.phone ?? '',
              hasOthers,
              isService: page.order !== null,
            })}
        </p>
      ) : (
        <form method="post" action={at} className="stack">
          <input type="hidden" name="intent" value="take" />
          <input type="hidden" name="seen" value={page.seen} />
          {isLost ? (
            <ul className="appointment-first">
              {first.map(({ value, text }, index) => (
                <li key={value}>
                  <button className={index === 0 ? 'btn primary wide' : 'btn wide'} name="time" value={value}>
                    {text}
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
          <nav className="appointment-days" aria-label="Days">
            {days.map((day) =>
              day.isFree ? (
                <a key={day.date} className="chip" href={day.href} aria-current={day.isShown ? 'date' : undefined}>
                  {day.text}
                </a>
              ) : (
                <span key={day.date} className="chip is-off">
                  {day.text}
                </span>
              ),
            )}
          </nav>
          <TimeButtons title={`${shown.text}: wait with the car`} times={shown.times} />
          <TimeButtons title={`${shown.text}: leave the car`} times={shown.dropOffs} />
        </form>
      )}
    </section>
  )
}

function TimeButtons({ title, times }: { title: string; times: { value: string; text: string }[] }) {
  if (times.length === 0) return null
  return (
    <fieldset className="appointment-times">
      <legend>{title}</legend>
      {times.map(({ value, text }) => (
        <button key={value} className="btn tabular" name="time" value={value}>
          {text}
        </button>
      ))}
    </fieldset>
  )
}

/** Shops that can have the tires instead; with `at`, their times are taken with one tap. */
export function OtherShops({ shops, at }: { shops: OtherShop[]; at: string | null }) {
  if (shops.length === 0) return null
  return (
    <section className="panel padded stack" aria-labelledby="others-title">
      <h2 id="others-title">{at ? 'Pick another shop' : 'Or another shop'}</h2>
      <ul className="appointment-shops">
        {shops.map((each) => (
          <li key={each.href}>
            <a href={each.href}>{each.name}</a>
            <span className="muted">
              {each.where}. {at ? null : `First time: ${each.first}. `}
              {each.money}.
            </span>
            {at ? (
              <form method="post" action={at} className="appointment-times" aria-label={`Times at ${each.name}`}>
                <input type="hidden" name="intent" value="change" />
                <input type="hidden" name="to" value={each.take.to} />
                <input type="hidden" name="agreed" value={each.take.agreed} />
                <input type="hidden" name="once" value={each.take.once} />
                {each.take.times.map(({ value, text }) => (
                  <button key={value} className="btn tabular" name="time" value={value}>
                    {text}
                  </button>
                ))}
              </form>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What a change of the place comes to, with the money, and the button that makes it. */
export function ChangePlace({ change, at }: { change: ChangeView | { whyNot: string }; at: string }) {
  if ('whyNot' in change)
    return (
      <section className="panel padded" id="change">
        <p>{change.whyNot}</p>
      </section>
    )
  const { heading, arrival, rows, money, times, button } = change
  return (
    <form method="post" action={at} className="panel padded stack" id="change">
      <h2>{heading}</h2>
      <p>{arrival}</p>
      <OrderSummary rows={rows} caption="What you pay, and what it was" />
      <p className="strong">{money}</p>
      <input type="hidden" name="intent" value="change" />
      <input type="hidden" name="to" value={change.to} />
      <input type="hidden" name="agreed" value={change.agreed} />
      <input type="hidden" name="once" value={change.once} />
      {change.to === 'home' ? (
        <button className="btn large wide">{button}</button>
      ) : (
        <>
          <fieldset className="choices">
            <legend>Times at this shop, in {change.zone}</legend>
            {times.map(({ value, text }, index) => (
              <label key={value} className="choice">
                <input type="radio" name="time" value={value} defaultChecked={index === 0} />
                <span className="tabular">{text}</span>
              </label>
            ))}
          </fieldset>
          <button className="btn primary large wide">{button}</button>
        </>
      )}
    </form>
  )
}

/** Running late, the calendar, and canceling. */
export function AppointmentActs({
  page,
  here,
  cancelAt,
  children,
}: {
  page: AppointmentPage
  here: string
  cancelAt: string | null
  children: ReactNode
}) {
  const { late, canSkip, calendar } = page
  return (
    <div className="appointment-acts">
      {late.length > 0 || canSkip ? (
        <details name="act" className="panel">
          <summary>
            <Icon name="clock" />
            <span>
              <b>I’m running late</b>
              <small>Tell the shop in one tap</small>
            </span>
          </summary>
          <form method="post" action={here} className="appointment-times">
            <input type="hidden" name="seen" value={page.seen} />
            <input type="hidden" name="intent" value="late" />
            {late.map(({ minutes, expected }) => (
              <button key={minutes} className="btn tabular" name="minutes" value={minutes}>
                {countOf(minutes, 'minute')}, at {expected}
              </button>
            ))}
          </form>
          {canSkip ? (
            <form method="post" action={here} className="appointment-times">
              <input type="hidden" name="seen" value={page.seen} />
              <button className="btn" name="intent" value="not-coming">
                I’m not coming today
              </button>
            </form>
          ) : null}
        </details>
      ) : null}
      {calendar.length > 0 ? (
        <details name="act" className="panel">
          <summary>
            <Icon name="calendar" />
            <span>
              <b>Add to calendar</b>
              <small>File, Google, Outlook, Yahoo</small>
            </span>
          </summary>
          <p className="appointment-times">
            {calendar.map(({ label, href }) => (
              <a
                key={label}
                className="btn"
                href={href}
                {...(href.startsWith('https:') ? { rel: 'noreferrer', target: '_blank' } : {})}
              >
                {label}
              </a>
            ))}
          </p>
        </details>
      ) : null}
      {children}
      <CancelLink order={page.order} cancelAt={cancelAt} />
    </div>
  )
}

/** Leads to the cancellation of a service on its order's page, or of an installation. */
function CancelLink({ order, cancelAt }: { order: string | null; cancelAt: string | null }) {
  if (order === null && cancelAt === null) return null
  const [words, note] =
    order === null
      ? ['Cancel the installation', 'Have the tires sent to you; you see the money first']
      : ['Cancel this service', 'On the page of your order']
  return (
    <a className="panel appointment-act" href={order === null ? (cancelAt ?? '') : `${order}#cancel`}>
      <Icon name="cross" />
      <span>
        <b>{words}</b>
        <small>{note}</small>
      </span>
    </a>
  )
}

/** The tires, payment, instructions, and the link's scope. */
export function AppointmentSide({ page }: { page: AppointmentPage }) {
  return (
    <aside className="stack" aria-label="Your order">
      <section className="panel padded">
        <ul className="order-lines tabular">
          {page.tires.map(({ text, picture }) => (
            <li key={text}>
              <TirePicture picture={picture} alt="" size={64} eager />
              <p className="strong">{text}</p>
            </li>
          ))}
        </ul>
        <dl className="appointment-facts tabular">
          {page.facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      {page.bring.length > 0 ? (
        <section className="panel padded">
          <h2>Bring</h2>
          <ul className="appointment-bring">
            {page.bring.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </section>
      ) : null}
      <p className="small muted">
        This link opens only this appointment, for anyone who has it. It works until {page.until}.
      </p>
    </aside>
  )
}
