import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { parseSlot } from '#app/forms/slot-value.ts'
import { applicationContext } from '#app/server/context.ts'
import { appointmentPage, openAppointment, type AppointmentPage } from '#app/views/appointments.server.ts'
import { changeView, otherShops } from '#app/views/appointment-changes.server.ts'
import {
  AppointmentActs,
  AppointmentCard,
  AppointmentSide,
  ChangePlace,
  OtherShops,
  SingleTime,
  Times,
} from '#app/ui/appointment-parts.tsx'
import { EarlierTime, OfferedTime } from '#app/ui/earlier-time.tsx'
import { waitView } from '#app/views/earlier-times.server.ts'
import { RateShop } from '#app/ui/rate-shop.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import styles from '#app/ui/styles/appointment.css?url'
import { appointmentMessages } from '#content/messages/appointments.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import type { Route } from './+types/appointment.ts'
import { actOnAppointment, type ActReply } from './appointment-acts.server.ts'

export const handle = { script: false }
export const links = () => [{ rel: 'stylesheet', href: styles }]
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your appointment',
    description: 'Confirm, move or cancel your appointment.',
    path: paths.trackOrder(),
    isIndexed: false,
  })

/** Read-only, because programs prefetch email links. */
export async function loader({ context, params: { token }, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const opened = await openAppointment(app, token)
  if (!opened) throw data(null, { status: 404 })
  const asked = askedOf(url.searchParams)
  const page = await appointmentPage(app, { ...opened, token }, asked)
  const { target } = asked
  return {
    page,
    change: target && page.canChangePlace ? await changeView(app, opened.order, target) : null,
    isTooLate: target !== null && !page.canChangePlace,
    wait: await waitView(app, opened.order, page.stage),
    isListOpen: asked.show === 'list',
    isOfferOver: asked.show === 'offer',
    others: offersOthers(page) ? await otherShops(app, opened.order, token) : [],
    here: serverPaths.appointment(token),
    timesAt: serverPaths.appointment(token, { show: 'times' }),
    cancelAt: page.canChangePlace ? `${serverPaths.appointment(token, { show: 'cancel' })}#change` : null,
    changeAt: `${url.pathname}${url.search}`,
  }
}

function askedOf(query: URLSearchParams) {
  const show = query.get('show')
  const shopId = /^\d{1,9}$/.exec(query.get('shop') ?? '')?.[0]
  const other = show === 'shops' && shopId !== undefined ? { shopId: Number(shopId) } : null
  return {
    show,
    day: query.get('day'),
    to: parseSlot(query.get('to') ?? '') ?? null,
    done: query.get('done'),
    target: show === 'cancel' ? ('home' as const) : other,
  }
}

/** Where a time is lost or another one is looked for. */
function offersOthers({ canChangePlace, times, single }: AppointmentPage): boolean {
  return canChangePlace && times !== null && !single?.isFree
}

/** Each action is its own form. Idempotent. */
export async function action({ request, context, params: { token } }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const opened = await openAppointment(app, token)
  if (!opened) throw data(null, { status: 404 })
  return actOnAppointment(app, { orderId: opened.order.id, order: opened.order, token }, await readForm(request))
}

export default function Appointment({ loaderData, actionData }: Route.ComponentProps) {
  const { page, isTooLate } = loaderData
  // The email's link is about an expired offer.
  const isOver = loaderData.isOfferOver && !loaderData.wait?.offer && page.news === null
  const fault =
    actionData?.fault ??
    (isTooLate
      ? (page.whyNotCanceled ?? appointmentMessages.shipped)
      : isOver
        ? appointmentMessages['offer-over']
        : null)
  return (
    <div className="wrap order-page appointment">
      <header className="order-head">
        <p className="muted">
          Your appointment, order <span className="tabular">{page.number}</span>
        </p>
        <h1>{page.heading}</h1>
      </header>
      {page.refusal ? <p className="notice">{page.refusal.words}</p> : null}
      {fault ? (
        <p className="error-summary" role="alert">
          {fault}
        </p>
      ) : page.news ? (
        <p className="notice" role="status">
          {page.news}
        </p>
      ) : null}
      <div className="appointment-columns">
        <Main view={loaderData} reply={actionData} />
        <AppointmentSide page={page} />
      </div>
    </div>
  )
}

type View = Route.ComponentProps['loaderData']

function Main({ view, reply }: { view: View; reply: ActReply | undefined }) {
  const { page, change, here, timesAt, cancelAt, changeAt, wait } = view
  return (
    <div className="stack">
      {wait?.offer ? <OfferedTime offer={wait.offer} seen={page.seen} at={timesAt} /> : null}
      {page.single ? <SingleTime single={page.single} seen={page.seen} at={timesAt} /> : null}
      {page.stage === 'none' ? null : <AppointmentCard page={page} here={here} />}
      {page.rating === 'open' ? <RateShop name={page.shop?.name ?? ''} at={here} reply={reply?.rating} /> : null}
      <TimesAndShops view={view} />
      {change ? <ChangePlace change={change} at={changeAt} /> : null}
      <AppointmentActs page={page} here={here} cancelAt={change ? null : cancelAt}>
        {wait ? (
          <EarlierTime wait={wait} seen={page.seen} at={timesAt} isOpen={view.isListOpen} reply={reply?.waiting} />
        ) : null}
      </AppointmentActs>
    </div>
  )
}

/** Other times and other shops; the shops first where this one refused the job. */
function TimesAndShops({ view: { page, others, here, timesAt } }: { view: View }) {
  const times =
    page.times && !page.single?.isFree ? (
      <Times times={page.times} page={page} at={timesAt} hasOthers={others.length > 0} />
    ) : null
  const shops = <OtherShops shops={others} at={page.refusal ? here : null} />
  return (
    <>
      {page.refusal ? shops : times}
      {page.refusal ? times : shops}
    </>
  )
}
