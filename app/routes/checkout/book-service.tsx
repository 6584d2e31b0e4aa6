import { data } from 'react-router'
import { bookService, readBookService } from '#app/routes/checkout/book-service.server.ts'
import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { cartHasTiresMessage } from '#content/messages/booking.ts'
import { paths } from '#content/paths.ts'
import styles from '#app/ui/styles/book-service.css?url'
import { seeOther } from '#http/safe-redirect.ts'
import { holdMinutes } from '#domain/scheduling/booking/booking.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/book-service.ts'

export const handle = { script: false }
export const links = () => [{ rel: 'stylesheet', href: styles }]
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Book a service',
    description: 'A time at a shop for a service, without new tires.',
    path: paths.cart(),
    isIndexed: false,
  })

/** Read-only; a button of a time books. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const query = url.searchParams
  const shown = await readBookService(context.get(applicationContext), context.get(visitorContext), {
    shopCode: (query.get('shop') ?? '').toUpperCase().slice(0, 20),
    service: (query.get('service') ?? '').slice(0, 40),
    units: query.get('units'),
    day: query.get('day'),
  })
  if (!shown) throw data(null, { status: 404 })
  return shown
}

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await readForm(request)
  const booked = await bookService(context.get(applicationContext), context.get(visitorContext), fields)
  if (!booked.ok) return refuseForm(formRefusal(fields, booked.words), booked.status)
  return seeOther(paths.shippingConfirmation(), remember(context, { cartId: booked.cartId }))
}

type View = Route.ComponentProps['loaderData']

export default function BookService({ loaderData, actionData }: Route.ComponentProps) {
  const { shop, services, chosen, times, isGone, hasTires } = loaderData
  return (
    <div className="wrap narrow-page stack">
      <h1>Book a service</h1>
      <p className="muted">
        <a href={shop.path}>{shop.name}</a>
        {shop.place === null ? null : `, ${shop.place}`}
      </p>
      <ErrorSummary reply={actionData} labels={{}} />
      {hasTires ? (
        <p className="notice">
          {cartHasTiresMessage} <a href={paths.cart()}>Go to your cart</a>
        </p>
      ) : null}
      {isGone && services.length > 0 ? <p className="notice">The shop doesn’t offer this service now.</p> : null}
      {services.length === 0 ? (
        <p>
          Services without new tires can’t be booked here online. Call{' '}
          <a href={`tel:${shop.phone.replace(/\D/g, '')}`}>{shop.phone}</a>.
        </p>
      ) : (
        <ChooseService view={loaderData} />
      )}
      {chosen && times && !hasTires ? <Times view={loaderData} chosen={chosen} times={times} /> : null}
    </div>
  )
}

/** The shop's services with their prices. Showing the times again needs no script. */
function ChooseService({ view: { shop, services, chosen, mostUnits } }: { view: View }) {
  return (
    <form method="get" className="panel padded stack book-service">
      <input type="hidden" name="shop" value={shop.code} />
      <fieldset className="choices">
        <legend>Service</legend>
        {services.map(({ key, name, note, price, minutes, isChosen }) => (
          <label key={key} className="choice">
            <input type="radio" name="service" value={key} defaultChecked={isChosen} />
            <span>
              {name}
              <small>{note}</small>
            </span>
            <span className="tabular book-service-price">
              {price}
              <small>{minutes}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {mostUnits > 1 ? (
        <p className="row">
          <label htmlFor="units">Number of tires, for services priced per tire</label>
          <select className="input" id="units" name="units" defaultValue={chosen?.units ?? 1}>
            {Array.from({ length: mostUnits }, (_, index) => (
              <option key={index}>{index + 1}</option>
            ))}
          </select>
        </p>
      ) : null}
      <button className="btn">Show times</button>
    </form>
  )
}

function Times({
  view: { shop },
  chosen: { key, name, units, total },
  times: { days, shown },
}: {
  view: View
  chosen: NonNullable<View['chosen']>
  times: NonNullable<View['times']>
}) {
  return (
    <section className="panel padded stack" id="times" aria-labelledby="times-title">
      <h2 id="times-title">
        {units > 1 ? `${name}, ${countOf(units, 'tire')}` : name}: {total}
      </h2>
      {shown === null ? (
        <p>
          The shop has no free times now. More open every day, or call{' '}
          <a href={`tel:${shop.phone.replace(/\D/g, '')}`}>{shop.phone}</a>.
        </p>
      ) : (
        <>
          <nav className="book-service-days" aria-label="Days">
            {days.map(({ text, href, isShown }) => (
              <a key={href} className="chip" href={href} aria-current={isShown ? 'date' : undefined}>
                {text}
              </a>
            ))}
          </nav>
          <p className="small muted">
            Times in {shown.zone}. We hold yours for {countOf(holdMinutes, 'minute')} while you enter your details. You
            pay online, and nothing at the shop.
          </p>
          <form method="post" className="stack">
            <input type="hidden" name="code" value={shop.code} />
            <input type="hidden" name="service" value={key} />
            <input type="hidden" name="units" value={units} />
            <TimeButtons title={`Wait at the shop, ${shown.text}`} times={shown.waits} />
            <TimeButtons title={`Leave the car, ${shown.text}`} times={shown.dropOffs} />
          </form>
        </>
      )}
    </section>
  )
}

function TimeButtons({ title, times }: { title: string; times: { value: string; before: string; text: string }[] }) {
  if (times.length === 0) return null
  return (
    <fieldset className="book-service-times">
      <legend>{title}</legend>
      {times.map(({ value, before, text }) => (
        <button key={value} className="btn tabular" name="slot" value={value}>
          <span className="visually-hidden">{before}, </span>
          {text}
        </button>
      ))}
    </fieldset>
  )
}
