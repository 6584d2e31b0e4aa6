import { remember } from '#app/server/account-memory.server.ts'
import { formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import {
  answerVehicles,
  findFleetQuote,
  holdPrices,
  orderVehicle,
  type OrderVehicleRefusal,
} from '#domain/channels/fleet-quotes/fleet-quotes.server.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { pluralForm } from '#platform/count-text.ts'
import { CompanyPage } from './company-page.tsx'
import { fleetQuoteView, type FleetQuoteView } from './fleet-quote-view.server.ts'
import { requireFleetBuyer } from './require-fleet-buyer.server.ts'
import type { Route } from './+types/fleet-quote.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Fleet quote',
    description: 'Tires for many of your company’s vehicles.',
    path: serverPaths.companyFleetQuotes(),
    isIndexed: false,
  })

const news: Readonly<Record<string, string>> = {
  answered: 'Saved.',
  held: 'The prices are held. Order for each vehicle when it comes in.',
}

function idOf(text: string): string {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) throw new Response(null, { status: 404 })
  return text
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, deps, company, by, phone } = await requireFleetBuyer(context, serverPaths.companyFleetQuotes())
  const found = await findFleetQuote(deps, by, idOf(params.quoteId))
  if (!found) throw new Response(null, { status: 404 })
  return {
    name: company.name,
    phone,
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    view: await fleetQuoteView(app, found),
  }
}

/**
 * `answer` saves the answers, `hold` locks the prices of the selected tires, and `order` opens the cart for one
 * vehicle.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  const member = await requireFleetBuyer(context, serverPaths.companyFleetQuotes())
  const id = idOf(params.quoteId)
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'answer':
      return answer(member, id, fields)
    case 'hold':
      return hold(member, id, fields)
    case 'order': {
      const ordered = await order(member, id, fields)
      if (!ordered.ok) return refuseOrder(fields, ordered)
      const { cartId, zip, vehicle } = ordered.value
      const kept = { cartId, zip, ...(vehicle && { vehicle: encodeChosenVehicle(vehicle) }) }
      return seeOther(paths.cart(), remember(context, kept))
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

type Member = Awaited<ReturnType<typeof requireFleetBuyer>>

async function answer({ deps, by }: Member, id: string, fields: URLSearchParams) {
  const answers = new Map<number, string>()
  for (const [name, value] of fields) {
    const line = /^vehicle-(\d{1,5})$/.exec(name)?.[1]
    if (line !== undefined && value.trim() !== '') answers.set(Number(line), value.trim().slice(0, 120))
  }
  const saved = await answerVehicles(deps, by, { id, answers })
  if (!saved.ok) {
    if (saved.reason === 'not-found') throw new Response(null, { status: 404 })
    const held = saved.reason === 'held'
    return refuseForm(formRefusal(fields, held ? refusals.held : refusals['not-allowed']), held ? 409 : 403)
  }
  const { unread } = saved.value
  if (unread.length === 0) return seeOther(serverPaths.companyFleetQuote(id, 'answered'))
  const errors = Object.fromEntries(unread.map((line) => [`vehicle-${line}`, refusals.unread]))
  return refuseForm({ values: Object.fromEntries(fields), errors })
}

async function hold({ deps, by }: Member, id: string, fields: URLSearchParams) {
  const picks = new Map<string, string>()
  for (const [name, value] of fields) {
    const place = /^tire-(\d{1,3})$/.exec(name)?.[1]
    if (place !== undefined) picks.set(fields.get(`sizes-${place}`) ?? '', value)
  }
  const held = await holdPrices(deps, by, { id, picks, seen: fields.get('seen') ?? '' })
  if (held.ok) return seeOther(serverPaths.companyFleetQuote(id, 'held'))
  if (held.reason === 'not-found') throw new Response(null, { status: 404 })
  return refuseForm(formRefusal(fields, refusals[held.reason]), held.reason === 'not-allowed' ? 403 : 409)
}

function order({ deps, by, company, signedIn, app }: Member, id: string, fields: URLSearchParams) {
  const line = fields.get('line') ?? ''
  const email = signedIn.email ?? app.config.store.email
  const buyer = { name: (signedIn.name ?? company.name).slice(0, 80), email }
  return orderVehicle(deps, by, {
    id,
    line: /^\d{1,5}$/.test(line) ? Number(line) : 0,
    buyer,
    company: company.name,
  })
}

const refusals = {
  'not-allowed': 'Your account no longer orders for this company.',
  held: 'The prices of this quote are held. Start a new quote for other vehicles.',
  unread: 'We do not know this. Write year, make and model, or the size on the door label, such as 245/75R17.',
  'no-tires': 'No vehicle has tires to choose yet.',
  'not-offered': 'Choose a tire for all sizes.',
  'price-changed': 'Prices changed. Review the new prices below, then lock them in again.',
  incomplete: 'This vehicle’s tires cannot be ordered as quoted now. Call us and we will help.',
  expired: 'This quote has expired. Start a new one.',
  withdrawn: 'We withdrew the quote for this vehicle. Call us if you have questions about it.',
  replaced: 'There is a newer quote for this vehicle.',
  ordered: 'You already ordered tires for this vehicle.',
  account: 'Another member of your company has started the order for this vehicle.',
} as const

function refuseOrder(fields: URLSearchParams, { reason }: OrderVehicleRefusal) {
  if (reason === 'not-found') throw new Response(null, { status: 404 })
  return refuseForm(formRefusal(fields, refusals[reason]), reason === 'not-allowed' ? 403 : 409)
}

export default function FleetQuotePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, phone, news: said, view } = loaderData
  const labels = Object.fromEntries(view.asked.map(({ line, title }) => [`vehicle-${line}`, title]))
  return (
    <CompanyPage name={name} at="vehicles">
      <p className="no-print">
        <a href={serverPaths.companyFleetQuotes()}>All fleet quotes</a>
      </p>
      <ErrorSummary reply={reply} labels={labels} />
      {said && !reply ? (
        <p className="notice" role="status">
          {said}
        </p>
      ) : null}
      {view.asked.length > 0 ? <Asked view={view} reply={reply} /> : null}
      {view.isHeld ? <Held view={view} /> : <Tires view={view} reply={reply} phone={phone} />}
    </CompanyPage>
  )
}

function Asked({ view: { asked, open }, reply }: { view: FleetQuoteView; reply: FormReply | undefined }) {
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>Vehicles we ask about</h2>
      <p>
        {open > asked.length ? `The first ${asked.length} of ${open}. ` : ''}The VIN does not say which tires these came
        with. What you leave empty is not quoted.
      </p>
      <input type="hidden" name="intent" value="answer" />
      {asked.map(({ line, title, words, options }) =>
        options.length > 0 ? (
          <SelectField key={line} name={`vehicle-${line}`} label={title} reply={reply} hint={words}>
            <option value="">Choose the size on the door label</option>
            {options.map(({ key, text }) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
          </SelectField>
        ) : (
          <Field
            key={line}
            name={`vehicle-${line}`}
            label={`${title}: year, make and model, or tire size`}
            reply={reply}
            hint={words}
            maxLength={120}
            autoComplete="off"
          />
        ),
      )}
      <p>
        <button className="btn primary">Save</button>
      </p>
    </form>
  )
}

function Tires({
  view: { groups, seen },
  reply,
  phone,
}: {
  view: FleetQuoteView
  reply: FormReply | undefined
  phone: string
}) {
  if (groups.length === 0) return <p className="muted">No vehicle has tires to choose yet.</p>
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>Tires for each size</h2>
      <input type="hidden" name="intent" value="hold" />
      <input type="hidden" name="seen" value={seen} />
      {groups.map(({ key, sizes, count, choices, vehicles }, place) => (
        <section key={key} className="stack" aria-label={sizes}>
          <h3 className="tabular">{sizes}</h3>
          <p className="small muted">{count}</p>
          <ul className="tabular small">
            {vehicles.map(({ line, words }) => (
              <li key={line}>{words}</li>
            ))}
          </ul>
          <input type="hidden" name={`sizes-${place}`} value={key} />
          {choices.length > 0 ? (
            <SelectField name={`tire-${place}`} label="Tire" reply={reply} value={choices[0]?.key}>
              {choices.map((choice) => (
                <option key={choice.key} value={choice.key}>
                  {choice.words}
                </option>
              ))}
            </SelectField>
          ) : (
            <p>
              {pluralForm(vehicles.length, 'No tire that fits it', 'No tire that fits all of them')} has a price we can
              hold. Call {phone}.
            </p>
          )}
        </section>
      ))}
      <p>
        <button className="btn primary">Hold these prices</button>
      </p>
      <p className="small muted">
        Prices are your company’s current prices. Installation, fees and taxes are added with each order.
      </p>
    </form>
  )
}

function Held({ view }: { view: FleetQuoteView }) {
  return (
    <>
      <section className="panel padded stack" aria-labelledby="quote">
        <h2 id="quote">Your quote</h2>
        <p>
          {view.isOver ? 'The prices were held through' : 'The prices are held through'} {view.goodThrough}, Eastern
          Time. Installation, fees and taxes are calculated on the day you order.
        </p>
        <ul className="tabular stack">
          {view.held.map(({ sizes, name, price, count, total }) => (
            <li key={sizes}>
              {name}, {sizes}: {price}. {count}, <b>{total}</b>
            </li>
          ))}
        </ul>
        <p className="strong tabular">Tires together {view.total}</p>
        {view.isOver ? (
          <p className="no-print">
            <a className="btn primary" href={serverPaths.companyFleetQuotes()}>
              Start a new quote
            </a>
          </p>
        ) : null}
      </section>
      <section className="stack" aria-labelledby="vehicles">
        <h2 id="vehicles">Vehicles</h2>
        <ul className="account-list">
          {view.vehicles.map((vehicle) => (
            <li key={vehicle.line} className="panel padded stack">
              <HeldVehicle vehicle={vehicle} isOver={view.isOver} />
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function HeldVehicle({ vehicle, isOver }: { vehicle: FleetQuoteView['vehicles'][number]; isOver: boolean }) {
  const { line, title, words, tires, isHeld, order: state } = vehicle
  return (
    <>
      <h3>{title}</h3>
      <p className="tabular">{words}</p>
      {tires ? <p className="tabular small muted">{tires}</p> : null}
      {!isHeld ? <p className="muted">Not quoted.</p> : null}
      {state === 'ordered' ? <p className="strong">Ordered.</p> : null}
      {isHeld && !isOver && (state === 'new' || state === 'begun') ? (
        <form method="post" className="no-print">
          <input type="hidden" name="intent" value="order" />
          <input type="hidden" name="line" value={line} />
          <button className="btn">
            {state === 'begun' ? `Go on with the order for ${title}` : `Order for ${title}`}
          </button>
        </form>
      ) : null}
    </>
  )
}
