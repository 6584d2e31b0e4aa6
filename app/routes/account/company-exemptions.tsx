import { supportMessages } from '#content/messages/support.ts'
import { answerHeadersContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readFormWithFile, refuseForm, refuseTry, type FormReply } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { StateField } from '#app/ui/state-field.tsx'
import { stateOptions } from '#app/ui/states.ts'
import { companyCan, exemptionForm } from '#domain/customers/companies/companies.ts'
import { listExemptions, sendExemption } from '#domain/customers/companies/companies.server.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import { CompanyPage } from './company-page.tsx'
import { requireCompany } from './require-company.server.ts'
import type { Route } from './+types/company-exemptions.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Tax exemption',
    description: 'Your company’s tax exemption certificates.',
    path: paths.companyExemptions(),
    isIndexed: false,
  })

const stateNames = new Map(stateOptions)

export async function loader({ context }: Route.LoaderArgs) {
  const { app, company, role } = await requireCompany(context, paths.companyExemptions())
  const today = storeDay(app.clock.now())
  return {
    name: company.name,
    mayManage: companyCan(role, 'manage'),
    exemptions: (await listExemptions(app, company.id)).map(({ id, state, number, expiresOn, status }) => ({
      id,
      state: stateNames.get(state) ?? state,
      number,
      words: statusWords(status, expiresOn, Temporal.PlainDate.compare(expiresOn, today) < 0),
    })),
  }
}

function statusWords(
  status: 'waiting' | 'accepted' | 'refused',
  expiresOn: Temporal.PlainDate,
  isOver: boolean,
): string {
  const day = dateText(expiresOn.toString())
  if (status === 'waiting') return 'We are looking at it. Sales tax applies until then.'
  if (status === 'refused') return 'We could not accept it. Send us a clearer or newer one.'
  return isOver
    ? `Expired ${day}. Sales tax applies until you send us a new one.`
    : `Valid until ${day}. Orders shipped there are exempt from sales tax.`
}

export async function action({ request, context }: Route.ActionArgs) {
  const { app, signedIn } = await requireCompany(context, paths.companyExemptions())
  const { fields, file } = await readFormWithFile(request, 'certificate')
  const values = Object.fromEntries(fields)
  const checked = checkForm(exemptionForm, fields)
  const certificate = fileErrors(file)
  if (!checked.ok || file === null || certificate !== null) {
    const reply: FormReply = checked.ok ? { values, errors: {} } : checked.reply
    return refuseForm({ ...reply, errors: { ...reply.errors, ...certificate } })
  }
  const sent = await sendExemption(app, signedIn.accountId, {
    ...checked.value,
    file: { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) },
    signal: request.signal,
  })
  if (sent.ok) return seeOther(paths.companyExemptions())
  if (sent.reason === 'not-allowed') return refuseForm(formRefusal(fields, 'Only owners send certificates.'), 403)
  if (sent.reason === 'too-many') return refuseTry(context, formRefusal(fields, tooMany), sent.detail)
  if (sent.reason === 'busy') context.get(answerHeadersContext).set('retry-after', '5')
  const { field, text, status } = refusals[sent.reason]
  return refuseForm({ values, errors: { [field]: text } }, status)
}

/** Returns the errors of the selected file by field, or null if there aren't any. */
function fileErrors(file: File | null): { certificate: string } | null {
  if (file === null) return { certificate: 'Choose the picture or PDF of the certificate.' }
  return file.size > maxAttachmentBytes ? { certificate: supportMessages.tooLarge } : null
}

const tooMany = 'You sent many files in a short time. Wait a little, then send it again.'

const refusals = {
  expired: { status: 422, field: 'expiresOn', text: 'This date has passed. Send a certificate that is still valid.' },
  'waiting-already': {
    status: 409,
    field: 'state',
    text: 'We have one for this state and are looking at it.',
  },
  busy: { status: 503, field: 'certificate', text: supportMessages.busy },
  'too-large': { status: 422, field: 'certificate', text: supportMessages.tooLarge },
  unreadable: {
    status: 422,
    field: 'certificate',
    text: 'We could not read the whole file. Save it again, or take another picture.',
  },
  'unsafe-pdf': { status: 422, field: 'certificate', text: supportMessages.unsafePdf },
  'too-many-pixels': { status: 422, field: 'certificate', text: supportMessages.tooManyPixels },
  'other-kind': { status: 422, field: 'certificate', text: 'Send a picture (JPEG, PNG, WebP) or a PDF.' },
} as const

export default function Exemptions({
  loaderData: { name, mayManage, exemptions },
  actionData: reply,
}: Route.ComponentProps) {
  return (
    <CompanyPage name={name} at="exemptions">
      {exemptions.length === 0 ? (
        <p className="muted">
          No certificate yet. With one, orders shipped to its state are exempt from sales tax. Tire fees and federal
          excise tax still apply.
        </p>
      ) : (
        <ul className="account-list">
          {exemptions.map(({ id, state, number, words }) => (
            <li key={id} className="panel padded">
              <b>{state}</b> <span className="muted tabular">{number}</span>
              <p className="small">{words}</p>
            </li>
          ))}
        </ul>
      )}
      {mayManage ? (
        <form method="post" encType="multipart/form-data" className="panel padded stack" noValidate>
          <h2>Send a certificate</h2>
          <ErrorSummary reply={reply} labels={labels} />
          <div className="field-pair">
            <StateField reply={reply} autoComplete="off" />
            <Field name="number" label="Number" reply={reply} autoComplete="off" maxLength={40} required />
          </div>
          <div className="field-pair">
            <Field
              name="expiresOn"
              label="Valid until"
              reply={reply}
              inputMode="numeric"
              autoComplete="off"
              maxLength={10}
              required
              hint="MM/DD/YYYY"
            />
            <Field
              name="certificate"
              label="Picture or PDF"
              reply={reply && { values: {}, errors: reply.errors }}
              type="file"
              accept="image/jpeg,image/png,image/webp,application/pdf"
              hint={`Up to ${maxAttachmentBytes / 1024 / 1024}MB. ${reply ? 'Please choose the file again: browsers do not keep it.' : 'Only we see it.'}`}
              required
            />
          </div>
          <p>
            <button className="btn primary">Send</button>
          </p>
        </form>
      ) : null}
    </CompanyPage>
  )
}

const labels = { state: 'State', number: 'Number', expiresOn: 'Valid until', certificate: 'Picture or PDF' }
