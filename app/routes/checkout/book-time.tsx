import { applicationContext } from '#app/server/context.ts'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { SlotLabel } from '#app/ui/slot-label.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { paths } from '#content/paths.ts'
import { installerIdOf } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { holdMinutes } from '#domain/scheduling/booking/booking.ts'
import { countOf } from '#platform/count-text.ts'
import { readBookTime, type BookTimeView } from './book-time.server.ts'
import type { Route } from './+types/book-time.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Book your time',
    description: 'Tires with a time at a shop, ready to hold.',
    path: paths.cart(),
    isIndexed: false,
  })

/** Shows the tires, shop, and time. Read-only; the button books them. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const itemId = idOf(url.searchParams.get('item'))
  const rear = url.searchParams.get('rear')
  const rearId = rear === null ? null : idOf(rear)
  const shopCode = installerIdOf(url.searchParams.get('shop') ?? '')
  const slot = (url.searchParams.get('slot') ?? '').slice(0, 40)
  const isAsked = itemId !== undefined && rearId !== undefined && shopCode !== undefined
  const shown = isAsked ? await readBookTime(context.get(applicationContext), { itemId, rearId, shopCode, slot }) : null
  if (!shown) throw new Response(null, { status: 404 })
  return shown
}

function idOf(text: string | null): number | undefined {
  const id = /^\d{1,10}$/.test(text ?? '') ? Number(text) : 0
  return id > 0 && id <= 2_147_483_647 ? id : undefined
}

export default function BookTime({ loaderData: shown }: Route.ComponentProps) {
  const { shop, lines, rows } = shown
  return (
    <div className="wrap narrow-page stack">
      <h1>{shown.chosen ? 'Your tires and time' : 'Pick a time'}</h1>
      <ul className="summary-lines">
        {lines.map(({ picture, name, tire, each }) => (
          <li key={picture.itemId}>
            <TirePicture picture={picture} alt="" size={64} eager />
            <div>
              <p className="strong">{name}</p>
              <p className="small muted tabular">{tire}</p>
              <p className="small tabular">{each}</p>
            </div>
          </li>
        ))}
      </ul>
      <section className="panel padded stack" aria-labelledby="where">
        <h2 id="where">{shop.name}</h2>
        <p className="muted">
          {shop.street}, {shop.city}, {shop.state}
        </p>
        <Times shown={shown} />
      </section>
      {rows.length === 0 ? null : (
        <div className="panel padded">
          <OrderSummary rows={rows} caption={`What it costs at ${shop.name}`} />
        </div>
      )}
      <p className="small muted">
        You haven’t placed an order yet. <a href={shown.tirePage}>More about this tire</a>
      </p>
    </div>
  )
}

/** The chosen time with its button; else, said plainly, the next ones. */
function Times({ shown }: { shown: BookTimeView }) {
  const { shop, chosen, wasChosen, times, zone } = shown
  if (chosen)
    return (
      <form method="post" action={paths.cart()} className="stack">
        <Fields shown={shown} />
        <input type="hidden" name="slot" value={chosen.value} />
        <p className="strong tabular">{chosen.label}</p>
        <button className="btn primary large wide">Hold this time</button>
        <p className="small muted">We hold it for {countOf(holdMinutes, 'minute')} while you check out.</p>
      </form>
    )
  return (
    <>
      {wasChosen ? (
        <p className="notice" role="alert">
          {times.length === 0 ? 'The time you chose is gone.' : 'The time you chose is gone. These are free right now.'}
        </p>
      ) : null}
      <form
        method="post"
        action={paths.cart()}
        className="slots tabular"
        aria-label={`First free times at ${shop.name}`}
      >
        <Fields shown={shown} />
        {times.map(({ label, value }) => (
          <button key={value} className="slot" name="slot" value={value}>
            <SlotLabel label={label} />
          </button>
        ))}
        {times.length > 0 && zone ? <span className="small muted">Times in {zone}</span> : null}
        {times.length === 0 ? <p>No free times here yet.</p> : null}
        <button className="btn quiet">{times.length === 0 ? 'See other shops' : 'More times and shops'}</button>
      </form>
    </>
  )
}

function Fields({ shown: { fields, shop } }: { shown: BookTimeView }) {
  return (
    <>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="shop" value={shop.id} />
    </>
  )
}
