import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { Honeypot } from '#app/ui/honeypot.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { WrittenArticle } from '#app/ui/written-article.tsx'
import { readWrittenPage } from '#app/views/written-page.server.ts'
import { manyApplicationsMessages } from '#content/messages/programs.ts'
import { paths } from '#content/paths.ts'
import { affiliateForm } from '#domain/customers/programs/programs.ts'
import { applyAsAffiliate } from '#domain/customers/programs/programs.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/affiliates.ts'

/** What affiliates get, and their application. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, { title: loaderData.title, description: loaderData.description, path: loaderData.path })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export function loader({ url, context }: Route.LoaderArgs) {
  return readWrittenPage(url, context)
}

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await readForm(request)
  // The honeypot field.
  if ((fields.get('website') ?? '') !== '') return seeOther(paths.partnerThanks())
  const checked = checkForm(affiliateForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { networkKey } = context.get(visitorContext)
  const applied = await applyAsAffiliate(context.get(applicationContext), { ...checked.value, networkKey })
  if (!applied.ok) return refuseForm(formRefusal(fields, manyApplicationsMessages), 429)
  return seeOther(paths.partnerThanks())
}

export default function Affiliates({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <WrittenArticle page={loaderData}>
      <Application reply={actionData} />
    </WrittenArticle>
  )
}

function Application({ reply }: { reply: FormReply | undefined }) {
  return (
    <section className="panel padded stack" id="apply" aria-labelledby="apply-title">
      <h2 id="apply-title">Apply</h2>
      <p>Joining is free. We review every application and reply by email within two business days.</p>
      <form method="post" action={`${paths.written('affiliates')}#apply`} className="stack" noValidate>
        <ErrorSummary reply={reply} labels={labels} />
        <Field
          name="business"
          label={labels.business}
          reply={reply}
          autoComplete="organization"
          maxLength={100}
          required
        />
        <Field
          name="channel"
          label={labels.channel}
          reply={reply}
          inputMode="url"
          autoComplete="url"
          maxLength={300}
          required
        />
        <div className="field-pair">
          <Field name="name" label={labels.name} reply={reply} autoComplete="name" maxLength={50} required />
          <Field
            name="people"
            label={labels.people}
            reply={reply}
            inputMode="numeric"
            autoComplete="off"
            maxLength={9}
            required
          />
        </div>
        <div className="field-pair">
          <Field
            name="email"
            label={labels.email}
            reply={reply}
            type="email"
            autoComplete="email"
            maxLength={254}
            required
          />
          <Field
            name="phone"
            label={labels.phone}
            reply={reply}
            type="tel"
            autoComplete="tel"
            maxLength={40}
            required
          />
        </div>
        <TextAreaField
          name="message"
          label={labels.message}
          reply={reply}
          rows={3}
          maxLength={2_000}
          isRequired={false}
        />
        <Honeypot />
        <p>
          <button className="btn primary large">Send application</button>
        </p>
      </form>
    </section>
  )
}

const labels = {
  business: 'Site or channel',
  channel: 'Its address',
  name: 'Your name',
  people: 'Readers or viewers a month',
  email: 'Email',
  phone: 'Phone',
  message: 'What do you write, film or talk about?',
}
