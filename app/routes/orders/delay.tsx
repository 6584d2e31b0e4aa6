import { data } from 'react-router'
import { refuseForm, readForm, type FormReply } from '#app/forms/form.ts'
import { parseSlot } from '#app/forms/slot-value.ts'
import { delayPageView, type DelayPage } from '#app/views/delays.server.ts'
import { orderIdOf, openOwnOrderPage, requireOwnOrder } from '#app/views/orders.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { delayMessages } from '#content/messages/delays.ts'
import { paths } from '#content/paths.ts'
import type { Choice } from '#domain/scheduling/booking/booking.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { answerDelay } from '#domain/ordering/orders/orders.server.ts'
import { giveBackAll } from '#domain/ordering/refunds/refunds.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/delay.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `Delay of order ${loaderData.number}`,
        description: 'Keep waiting, move your appointment, or cancel and get your money back.',
        path: paths.trackOrder(),
        isIndexed: false,
      })
    : []

/** The page from the email. Shows the options. Read-only, because programs prefetch links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, order, access, key } = await openOwnOrderPage(context, orderIdOf(params.orderId), url.searchParams)
  return {
    number: orderNumber(order.id),
    view: await delayPageView(app, order),
    mayAnswer: access === 'own',
    track: paths.trackResult(order.id, { key }),
  }
}

/** Takes the answer and leads back to the page, which shows the outcome, however often it is submitted. */
export async function action({ context, params, request, url }: Route.ActionArgs) {
  const { app, order, access, key } = await requireOwnOrder(context, orderIdOf(params.orderId), url.searchParams)
  if (access === 'read') throw new Response(null, { status: 403 })
  const fields = await readForm(request)
  const asked = readAnswer(fields)
  if ('problem' in asked) return refuseForm(asked.problem)
  const answered = await answerDelay({ ...app, giveBackAll }, { orderId: order.id, actor: 'shopper', ...asked })
  if (!answered.ok && answered.reason === 'time-taken')
    return data(replyTo(fields, delayMessages.timeTaken), { status: 409 })
  return seeOther(paths.orderDelay(order.id, key))
}

type Asked = { answer: 'wait' | 'cancel' } | { answer: 'move'; choice: Choice }

function readAnswer(fields: URLSearchParams): Asked | { problem: FormReply } {
  const answer = fields.get('answer')
  if (answer === 'wait' || answer === 'cancel') return { answer }
  if (answer !== 'move') throw new Response(null, { status: 400 })
  const choice = parseSlot(fields.get('time') ?? '')
  return choice ? { answer, choice } : { problem: replyTo(fields, delayMessages.pickTime) }
}

function replyTo(fields: URLSearchParams, time: string): FormReply {
  return { values: Object.fromEntries(fields), errors: { time } }
}

export default function DelayPageRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { number, view, mayAnswer, track } = loaderData
  return (
    <div className="wrap order-page">
      <Head number={number} view={view} />
      {view ? (
        <div className="stack">
          {view.appointment ? <p>{view.appointment}</p> : null}
          <p className={view.answered ? 'notice' : 'muted'} role={view.answered ? 'status' : undefined}>
            {view.answered ?? (view.isOpen ? view.silence : delayMessages.over)}
          </p>
          {mayAnswer ? <NewTime view={view} /> : null}
          {view.isOpen && mayAnswer ? <Answers view={view} reply={actionData} /> : null}
        </div>
      ) : null}
      <p className="order-links">
        <a className="link-row" href={track}>
          See where your order is
        </a>
      </p>
    </div>
  )
}

function Head({ number, view }: { number: string; view: DelayPage | null }) {
  return (
    <header className={view?.isOpen ? 'order-head is-waiting' : 'order-head'}>
      <Icon name={view?.isOpen ? 'warning' : 'parcel'} />
      <h1>{view?.heading ?? delayMessages.none}</h1>
      <p>
        Order <b className="tabular">{number}</b>. {view?.delay}
      </p>
    </header>
  )
}

/** The way to a new time instead of one that was released. */
function NewTime({ view }: { view: DelayPage }) {
  return view.newTime ? (
    <p>
      <a className="btn primary" href={view.newTime}>
        Pick a new time at {view.shop}
      </a>
    </p>
  ) : null
}

/** One form per answer, so that each is one press. */
function Answers({ view, reply }: { view: DelayPage; reply: FormReply | undefined }) {
  return (
    <>
      <form method="post" className="panel padded stack">
        <h2>Wait</h2>
        <p>{view.appointment ? 'Your order and the appointment above don’t change.' : 'Your order doesn’t change.'}</p>
        <button className="btn primary" name="answer" value="wait">
          {delayMessages.wait}
        </button>
      </form>
      {view.times.length > 0 ? <MoveForm view={view} reply={reply} /> : null}
      <form method="post" className="panel padded stack">
        <h2>Cancel</h2>
        <p>We’ll cancel the items that haven’t arrived and refund them in full. You can’t undo this.</p>
        <button className="btn quiet" name="answer" value="cancel">
          {delayMessages.cancel}
        </button>
      </form>
    </>
  )
}

function MoveForm({ view, reply }: { view: DelayPage; reply: FormReply | undefined }) {
  const error = reply?.errors['time']
  return (
    <form method="post" className="panel padded stack">
      <h2>Move your appointment</h2>
      <fieldset className="choices">
        <legend>
          Times at {view.shop} after the tires arrive, in {view.zone}
        </legend>
        {view.times.map(({ value, text }, index) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name="time"
              value={value}
              id={index === 0 ? 'time' : undefined}
              defaultChecked={reply?.values['time'] === value}
              aria-describedby={error ? 'time-error' : undefined}
            />
            <span className="tabular">{text}</span>
          </label>
        ))}
        {error ? (
          <p className="field-error" id="time-error" role="alert">
            {error}
          </p>
        ) : null}
      </fieldset>
      <button className="btn quiet" name="answer" value="move">
        {delayMessages.move}
      </button>
    </form>
  )
}
