import { supportMessages } from '#content/messages/support.ts'
import { answerHeadersContext, shopContext, visitorContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readFormWithFile, refuseForm, refuseTry } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import sendForm from '#app/ui/send-form.js?url'
import { Honeypot } from '#app/ui/honeypot.tsx'
import { contactMessageForm, receiveMessage } from '#domain/support/support.server.ts'
import { answerWithinText, contactSubjects, maxAttachmentBytes, supportHoursText } from '#domain/support/support.ts'
import { anHour, attachmentMessages, faulty, isFromProgram, tooManyMessage } from './requests.server.ts'
import type { Route } from './+types/contact.ts'

/** No framework in the browser: a form, and one small script that keeps the input when there is no connection. */
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
  return { phone: context.get(shopContext).config.store.phone }
}

export async function action({ request, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const { fields, file } = await readFormWithFile(request, 'attachment')
  if (isFromProgram(fields)) return seeOther(paths.contactThanks())
  const checked = checkForm(contactMessageForm, fields)
  // A file that is too large is rejected at once; others are opened only when the rest of the form is valid.
  const sizeFault = file !== null && file.size > maxAttachmentBytes ? { attachment: supportMessages.tooLarge } : {}
  if (!checked.ok) return refuseForm(faulty(fields, { ...checked.reply.errors, ...sizeFault }))
  try {
    const received = await receiveMessage(shop, {
      ...checked.value,
      file: file && { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) },
      networkKey: context.get(visitorContext).networkKey,
      signal: request.signal,
    })
    if (received.ok) return seeOther(paths.contactThanks())
    if (received.reason === 'too-many-requests')
      return refuseTry(context, formRefusal(fields, tooManyMessage), { retryAfterSeconds: anHour })
    const reply = faulty(fields, { attachment: attachmentMessages[received.reason] })
    if (received.reason !== 'busy') return refuseForm(reply)
    context.get(answerHeadersContext).set('retry-after', '5')
    return refuseForm(reply, 503)
  } catch (error) {
    shop.log.error({ err: error }, 'a message could not be kept')
    return refuseForm(formRefusal(fields, supportMessages.failed), 503)
  }
}

export default function Contact({ loaderData: { phone }, actionData: reply }: Route.ComponentProps) {
  return (
    <div className="wrap contact">
      <header className="contact-head">
        <h1>Contact us</h1>
        <p className="muted">A person reads what you write and answers by email within {answerWithinText}.</p>
      </header>
      <form
        method="post"
        encType="multipart/form-data"
        className="panel padded stack"
        noValidate
        data-send-form
        data-failed={supportMessages.failed}
      >
        <ErrorSummary reply={reply} labels={labels} />
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
        <Field
          name="attachment"
          label="Picture or PDF"
          reply={reply && { values: {}, errors: reply.errors }}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif,application/pdf"
          hint={`Up to ${maxAttachmentBytes / 1024 / 1024}MB. ${reply ? 'Please choose the file again: browsers do not keep it.' : 'Only we see it.'}`}
          data-max-bytes={maxAttachmentBytes}
          data-too-large={supportMessages.tooLarge}
          required={false}
        />
        <Honeypot />
        <button className="btn primary large" type="submit">
          Send message
        </button>
        <p className="field-error" role="alert" data-send-status hidden />
      </form>
      <FasterWays phone={phone} />
      <script type="module" src={sendForm} />
    </div>
  )
}

function FasterWays({ phone }: { phone: string }) {
  return (
    <aside className="contact-ways" aria-labelledby="other-ways">
      <h2 id="other-ways">Faster</h2>
      <ul>
        <li>
          <a className="strong" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
            {phone}
          </a>
          <span className="small muted">{supportHoursText}</span>
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
