import { data, type RouterContextProvider } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { applicationContext } from '#app/server/context.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Stepper } from '#app/ui/stepper.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { portalPaths } from '#content/portal-paths.ts'
import {
  answerForm,
  decidedBy,
  longestWords,
  shopApplicationNumber,
  weekText,
  type ShopApplicationState,
} from '#domain/installer-portal/shop-applications/shop-applications.ts'
import {
  answerQuestion,
  readLinkedApplication,
  withdrawApplication,
} from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { ApplicationSteps } from './application-next.tsx'
import { applicationSteps } from './application-steps.ts'
import type { Route } from './+types/shop-application.ts'

/** A shop's application, opened by its link. Shows the next step, the question to answer, and the withdrawal form. */
export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your application',
    description: 'Your application to install tires, and what happens now.',
    path: portalPaths.installerSignup(),
    isIndexed: false,
  })

export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { id, state, asked, question, refusal, submittedAt, agreementVersion } = await findLinked(context, params.token)
  return data(
    {
      number: shopApplicationNumber(id),
      state,
      question,
      refusal,
      firstName: asked.ownerFirstName,
      leadName: asked.leadFirstName,
      email: asked.ownerEmail,
      sent: timeText(submittedAt, storeZone),
      decidedBy: dateText(decidedBy(storeDay(submittedAt)).toString()),
      facts: [
        ['Shop', asked.company],
        ['Address', `${asked.street}, ${asked.city} ${asked.zip}`],
        ['Open', weekText(asked.hours)],
        ['Agreement', `Version ${agreementVersion}`],
      ] as const,
      phone: app.config.store.phone,
      phoneHours: phoneHoursText(app.config.store.phoneHours),
    },
    { headers: { 'Cache-Control': 'private, no-store' } },
  )
}

async function findLinked(context: Readonly<RouterContextProvider>, token: string) {
  const found = await readLinkedApplication(context.get(applicationContext), token)
  if (!found) throw new Response(null, { status: 404 })
  return found
}

/** `answer` to the office’s question, or `withdraw`. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { id } = await findLinked(context, params.token)
  const fields = await readForm(request)
  const own = portalPaths.shopApplication(params.token)
  switch (fields.get('intent')) {
    case 'answer': {
      const checked = checkForm(answerForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const answered = await answerQuestion(app, { id, answer: checked.value.answer })
      return answered.ok ? seeOther(own) : refuseForm(formRefusal(fields, 'This question is answered already.'), 409)
    }
    case 'withdraw': {
      const withdrawn = await withdrawApplication(app, { id })
      return withdrawn.ok ? seeOther(own) : refuseForm(formRefusal(fields, 'This application is over.'), 409)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const heads: Readonly<Record<ShopApplicationState, { title: string; at: 1 | 2 }>> = {
  submitted: { title: 'We have your application', at: 1 },
  asked: { title: 'We have a question', at: 1 },
  approved: { title: 'Your shop is approved', at: 2 },
  refused: { title: 'We cannot take your shop on now', at: 1 },
  withdrawn: { title: 'You withdrew your application', at: 1 },
}

export default function ShopApplicationPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, state, firstName, email, sent, refusal, decidedBy: by, leadName } = loaderData
  const isOpen = state === 'submitted' || state === 'asked'
  return (
    <div className="wrap signup-page">
      <Stepper at={heads[state].at} label="From applying to the first booking" steps={applicationSteps} />
      <header className="signup-head">
        <h1>{heads[state].title}</h1>
        <p>
          Thank you, {firstName}. Number <b>{number}</b>, sent {sent}. A copy is on its way to {email}.
        </p>
      </header>
      <div className="signup-columns is-sent">
        <div className="signup-form">
          {reply?.formError ? <ErrorSummary reply={reply} /> : null}
          {state === 'asked' ? <Question question={loaderData.question ?? ''} reply={reply} /> : null}
          {state === 'refused' ? (
            <section className="panel signup-section" aria-labelledby="why">
              <h2 id="why">Why</h2>
              <p className="signup-words">{refusal}</p>
              <p>
                If that changes, <a href={portalPaths.installerSignup()}>apply again</a>.
              </p>
            </section>
          ) : null}
          {isOpen || state === 'approved' ? (
            <ApplicationSteps isApproved={state === 'approved'} decidedBy={by} leadName={leadName} />
          ) : null}
        </div>
        <ApplicationAside view={loaderData} isOpen={isOpen} />
      </div>
    </div>
  )
}

function Question({ question, reply }: { question: string; reply: FormReply | undefined }) {
  return (
    <section className="panel signup-section" aria-labelledby="question">
      <h2 id="question">Our question</h2>
      <p className="signup-words">{question}</p>
      <form method="post" className="stack" noValidate>
        <TextAreaField name="answer" label="Your answer" reply={reply} rows={4} maxLength={longestWords} />
        <p>
          <button className="btn primary" name="intent" value="answer">
            Send answer
          </button>
        </p>
      </form>
    </section>
  )
}

function ApplicationAside({ view, isOpen }: { view: Route.ComponentProps['loaderData']; isOpen: boolean }) {
  const { number, facts, phone, phoneHours } = view
  return (
    <aside className="signup-aside" aria-label="Your application">
      <section className="panel">
        <h2>Your application</h2>
        <dl className="signup-facts">
          {facts.map(([name, value]) => (
            <div key={name} className="signup-fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {isOpen ? (
          <form method="post">
            <button className="btn wide" name="intent" value="withdraw">
              Withdraw it
            </button>
          </form>
        ) : null}
      </section>
      <section className="panel">
        <h2>A question?</h2>
        <p className="small">
          Call {phone}, {phoneHours}, and say {number}.
        </p>
        <a className="btn wide" href={`tel:${phone}`}>
          <Icon name="phone" size="s" />
          Call
        </a>
      </section>
    </aside>
  )
}
