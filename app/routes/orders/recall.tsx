import { formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { orderIdOf, openOwnOrderPage, requireOwnOrder } from '#app/views/orders.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { recallMessages } from '#content/messages/recalls.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  parseCampaign,
  positionName,
  recallAnswers,
  tinText,
  type RecallAnswer,
} from '#domain/installer-portal/work-orders/work-orders.ts'
import { answerRecall, readRecallsOfOrder } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { Route } from './+types/recall.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `Recall of order ${loaderData.number}`,
        description: 'What to do about recalled tires.',
        path: paths.trackOrder(),
        isIndexed: false,
      })
    : []

/** The page from the email. Shows the recalled tires. Read-only, because programs prefetch links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, order, access, key } = await openOwnOrderPage(context, orderIdOf(params.orderId), url.searchParams)
  const recalls = await readRecallsOfOrder(app.db, order.id)
  return {
    number: orderNumber(order.id),
    recalls: [...recalls].map(([campaign, tires]) => ({
      campaign,
      maker: tires[0]?.maker ?? '',
      defect: tires[0]?.defect ?? '',
      remedy: tires[0]?.remedy ?? '',
      answer: tires[0]?.answer ?? null,
      tires: tires.map(({ position, tire, tin }) => `${positionName(position)}: ${tire}, TIN ${tinText(tin)}`),
    })),
    mayAnswer: access === 'own',
    phone: phoneText(app.config.store.phone),
    track: paths.trackResult(order.id, { key }),
  }
}

/** Saves the answer and redirects back. A new answer replaces the previous one. */
export async function action({ context, params, request, url }: Route.ActionArgs) {
  const { app, order, access, key } = await requireOwnOrder(context, orderIdOf(params.orderId), url.searchParams)
  if (access === 'read') throw new Response(null, { status: 403 })
  const fields = await readForm(request)
  const campaign = parseCampaign(fields.get('campaign') ?? '')
  const answer = fields.get('answer') ?? ''
  if (campaign === undefined) throw new Response(null, { status: 400 })
  if (!Object.hasOwn(recallAnswers, answer))
    return refuseForm(formRefusal(fields, recallMessages.choose, { answer: recallMessages.choose }))
  const answered = await answerRecall(app, { orderId: order.id, campaign, answer: answer as RecallAnswer })
  if (!answered.ok) throw new Response(null, { status: 404 })
  return seeOther(serverPaths.orderRecall(order.id, key))
}

export default function RecallPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, recalls, mayAnswer, phone, track } = loaderData
  const isRecalled = recalls.length > 0
  return (
    <div className="wrap order-page">
      <header className={isRecalled ? 'order-head is-waiting' : 'order-head'}>
        <Icon name={isRecalled ? 'warning' : 'check-circle'} />
        <h1>{isRecalled ? recallMessages.heading : recallMessages.none}</h1>
        <p>
          Order <b className="tabular">{number}</b>. {isRecalled ? recallMessages.free : recallMessages.noneLine}
        </p>
      </header>
      <div className="stack">
        {recalls.map((recall) => (
          <Recall key={recall.campaign} recall={recall} mayAnswer={mayAnswer} reply={reply} />
        ))}
      </div>
      <p className="order-links">
        <a className="link-row" href={track}>
          See your order
        </a>
        <span className="muted">Questions? Call {phone}.</span>
      </p>
    </div>
  )
}

function Recall({
  recall: { campaign, maker, defect, remedy, answer, tires },
  mayAnswer,
  reply,
}: {
  recall: Route.ComponentProps['loaderData']['recalls'][number]
  mayAnswer: boolean
  reply: FormReply | undefined
}) {
  const error = reply?.values['campaign'] === campaign ? reply.errors['answer'] : undefined
  const errorId = `answer-${campaign}-error`
  return (
    <section className="panel padded stack" aria-labelledby={campaign}>
      <h2 id={campaign}>
        {maker}, recall {campaign}
      </h2>
      <p className="strong">{defect}</p>
      <ul className="tabular">
        {tires.map((tire) => (
          <li key={tire}>{tire}</li>
        ))}
      </ul>
      <h3>What to do</h3>
      <p>{remedy}</p>
      {answer ? (
        <p className="notice" role="status">
          You answered: {recallAnswers[answer]}. {recallMessages.taken}
        </p>
      ) : null}
      {mayAnswer ? (
        <form method="post" className="stack" noValidate>
          <input type="hidden" name="campaign" value={campaign} />
          <fieldset className="choices">
            <legend>Tell us what you do</legend>
            {Object.entries(recallAnswers).map(([value, words]) => (
              <label key={value} className="choice">
                <input
                  type="radio"
                  name="answer"
                  value={value}
                  defaultChecked={answer === value}
                  aria-describedby={error ? errorId : undefined}
                />
                <span>{words}</span>
              </label>
            ))}
            {error ? (
              <p className="field-error" id={errorId} role="alert">
                {error}
              </p>
            ) : null}
          </fieldset>
          <button className="btn primary">Send</button>
        </form>
      ) : null}
    </section>
  )
}
