import { supportMessages } from '#content/messages/support.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm, refuseTry } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import sendForm from '#app/ui/send-form.js?url'
import { Honeypot } from '#app/ui/honeypot.tsx'
import { leadForm, receiveLead } from '#domain/messaging/support/support.server.ts'
import { answerWithinText } from '#domain/messaging/support/support.ts'
import { anHour, isFromProgram } from '#app/forms/public-form.ts'
import { tooManyMessage } from './requests.server.ts'
import type { Route } from './+types/tire-sales.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Request a quote on tires',
    description:
      'Tell us the vehicle or size and how many tires you need. We answer with tires that fit and their price out the door.',
    path: paths.tireSales(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const fields = await readForm(request)
  if (isFromProgram(fields)) return seeOther(paths.tireSalesThanks())
  const checked = checkForm(leadForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  try {
    const received = await receiveLead(app, { ...checked.value, networkKey: context.get(visitorContext).networkKey })
    return received.ok
      ? seeOther(paths.tireSalesThanks())
      : refuseTry(context, formRefusal(fields, tooManyMessage), { retryAfterSeconds: anHour })
  } catch (error) {
    app.log.error({ err: error }, 'a lead could not be kept')
    return refuseForm(formRefusal(fields, supportMessages.failed), 503)
  }
}

export default function TireSales({ actionData: reply }: Route.ComponentProps) {
  return (
    <div className="wrap contact">
      <header className="contact-head">
        <h1>Request a quote on tires</h1>
        <p className="muted">
          Several vehicles, an unusual size, or no time to look? Tell us what you need. We answer by email within{' '}
          {answerWithinText}, with tires that fit and their price out the door.
        </p>
      </header>
      <form method="post" className="panel padded stack" noValidate data-send-form data-failed={supportMessages.failed}>
        <ErrorSummary reply={reply} labels={labels} />
        <div className="field-pair">
          <Field name="name" label="Name" reply={reply} autoComplete="name" maxLength={50} required />
          <Field name="email" label="Email" reply={reply} type="email" autoComplete="email" maxLength={254} required />
        </div>
        <div className="field-pair">
          <Field
            name="vehicle"
            label="Vehicle"
            reply={reply}
            autoComplete="off"
            maxLength={80}
            hint="Year, make and model"
            required={false}
          />
          <Field
            name="size"
            label="Tire size"
            reply={reply}
            autoComplete="off"
            maxLength={40}
            hint="As on the sidewall, like 225/65R17"
            required={false}
          />
        </div>
        <div className="field-pair">
          <Field
            name="quantity"
            label="How many tires"
            reply={reply}
            value="4"
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            required
          />
          <Field name="brand" label="Brand" reply={reply} autoComplete="off" maxLength={60} required={false} />
        </div>
        <Honeypot />
        <button className="btn primary large" type="submit">
          Request a quote
        </button>
        <p className="field-error" role="alert" data-send-status hidden />
      </form>
      <aside className="contact-ways" aria-labelledby="other-ways">
        <h2 id="other-ways">Sooner</h2>
        <ul>
          <li>
            <a className="strong" href={paths.find()}>
              Find tires yourself
            </a>
            <span className="small muted">Every price is on the page, with installation near you</span>
          </li>
          <li>
            <a className="strong" href={paths.buyingGuide()}>
              Tire buying guide
            </a>
            <span className="small muted">Step by step to the right set</span>
          </li>
        </ul>
      </aside>
      <script type="module" src={sendForm} />
    </div>
  )
}

const labels = {
  name: 'Name',
  email: 'Email',
  vehicle: 'Vehicle',
  size: 'Tire size',
  quantity: 'How many tires',
  brand: 'Brand',
}
