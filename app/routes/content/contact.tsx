import { supportMessages } from '#content/messages/support.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readFormWithFile, refuseForm, refuseTry } from '#app/forms/form.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { contactMessageForm, receiveMessage } from '#domain/messaging/support/support.server.ts'
import { answerWithinText, contactSubjects } from '#domain/messaging/support/support.ts'
import { RequestForm } from './request-form.tsx'
import { anHour, isFromProgram, uploadOf } from '#app/forms/public-form.ts'
import { faulty, refuseFile, sizeFault, tooManyMessage } from './requests.server.ts'
import type { Route } from './+types/contact.ts'

/** The page doesn't hydrate. It has a form and a small script that preserves input while offline. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Contact us',
    description:
      'Write to us about an order, a fit, an installation or a return, with a picture if it helps. A person answers by email.',
    path: paths.contact(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export function loader({ context }: Route.LoaderArgs) {
  const { phone, phoneHours } = context.get(applicationContext).config.store
  return { phone, hours: phoneHoursText(phoneHours) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { fields, file } = await readFormWithFile(request, 'attachment')
  if (isFromProgram(fields)) return seeOther(paths.contactThanks())
  const checked = checkForm(contactMessageForm, fields)
  if (!checked.ok) return refuseForm(faulty(fields, { ...checked.reply.errors, ...sizeFault(file) }))
  try {
    const received = await receiveMessage(app, {
      ...checked.value,
      file: await uploadOf(file),
      networkKey: context.get(visitorContext).networkKey,
      signal: request.signal,
    })
    if (received.ok) return seeOther(paths.contactThanks())
    if (received.reason === 'too-many-requests')
      return refuseTry(context, formRefusal(fields, tooManyMessage), { retryAfterSeconds: anHour })
    return refuseFile(context, fields, received.reason)
  } catch (error) {
    app.log.error({ err: error }, 'a message could not be kept')
    return refuseForm(formRefusal(fields, supportMessages.failed), 503)
  }
}

export default function Contact({ loaderData: { phone, hours }, actionData: reply }: Route.ComponentProps) {
  return (
    <div className="wrap contact">
      <header className="contact-head">
        <h1>Contact us</h1>
        <p className="muted">A person reads what you write and answers by email within {answerWithinText}.</p>
      </header>
      <RequestForm reply={reply} labels={labels} send="Send message">
        <div className="field-pair">
          <Field name="firstName" label="First name" reply={reply} autoComplete="given-name" maxLength={25} required />
          <Field name="lastName" label="Last name" reply={reply} autoComplete="family-name" maxLength={25} required />
        </div>
        <div className="field-pair">
          <Field name="email" label="Email" reply={reply} type="email" autoComplete="email" maxLength={254} required />
          <Field name="phone" label="Phone" reply={reply} type="tel" autoComplete="tel" maxLength={40} required />
        </div>
        <div className="field-pair">
          <SelectField name="subject" label="What is it about?" reply={reply}>
            <option value="">Choose</option>
            {contactSubjects.map((subject) => (
              <option key={subject}>{subject}</option>
            ))}
          </SelectField>
          <Field
            name="orderNumber"
            label="Order number"
            reply={reply}
            autoComplete="off"
            maxLength={24}
            required={false}
          />
        </div>
        <TextAreaField name="message" label="Message" reply={reply} rows={6} maxLength={3_000} />
      </RequestForm>
      <FasterWays phone={phone} hours={hours} />
    </div>
  )
}

function FasterWays({ phone, hours }: { phone: string; hours: string }) {
  return (
    <aside className="contact-ways" aria-labelledby="other-ways">
      <h2 id="other-ways">Faster</h2>
      <ul>
        <li>
          <a className="strong" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
            {phone}
          </a>
          <span className="small muted">{hours}</span>
        </li>
        <li>
          <a className="strong" href={paths.trackOrder()}>
            Track your order
          </a>
          <span className="small muted">Where it is, your appointment, the receipt</span>
        </li>
        <li>
          <a className="strong" href={paths.help()}>
            Help center
          </a>
          <span className="small muted">Answers, policies and articles in one search</span>
        </li>
      </ul>
    </aside>
  )
}

const labels = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  subject: 'What is it about?',
  orderNumber: 'Order number',
  message: 'Message',
  attachment: 'Picture or PDF',
}
