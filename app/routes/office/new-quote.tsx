import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findAccountByEmail } from '#domain/accounts/accounts.server.ts'
import { startQuote } from '#domain/quotes/quotes.server.ts'
import { newQuoteForm } from '#domain/quotes/quotes.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { newId } from '#platform/ids.ts'
import type { Route } from './+types/new-quote.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'New quote', officePaths.officeNewQuote())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'quotes.write', officePaths.officeNewQuote())
  return { key: newId() }
}

/** Starts a draft and leads to it. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'quotes.write', officePaths.officeNewQuote())
  const fields = await readForm(request)
  const checked = checkForm(newQuoteForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { account, ...customer } = checked.value
  const accountId = account === null ? null : await findAccountByEmail(shop, account)
  if (accountId === undefined)
    return refuseForm({ values: Object.fromEntries(fields), errors: { account: 'No account has this email.' } })
  const started = await startQuote(shop, actor, { ...customer, accountId })
  return started.ok
    ? seeOther(officePaths.officeQuote(started.value.id))
    : refuseForm(formRefusal(fields, 'Your role was revoked meanwhile. Nothing was changed.'), 403)
}

export default function NewQuote({ loaderData: { key }, actionData: reply }: Route.ComponentProps) {
  return (
    <OfficePage title="New quote" crumbs={[{ label: 'Quotes', path: officePaths.officeQuotes() }]}>
      <Panel id="customer" title="Customer">
        <PanelBody>
          <form method="post" className="stack" noValidate>
            <input type="hidden" name="key" value={reply?.values['key'] ?? key} />
            <ErrorSummary reply={reply} labels={{ name: 'Name', email: 'Email', phone: 'Phone', account: 'Account' }} />
            <Field name="name" label="Name" reply={reply} maxLength={80} autoComplete="off" required />
            <Field name="email" label="Email" reply={reply} type="email" maxLength={254} autoComplete="off" required />
            <Field
              name="phone"
              label="Phone"
              reply={reply}
              type="tel"
              maxLength={30}
              autoComplete="off"
              required={false}
            />
            <Field
              name="account"
              label="Account"
              reply={reply}
              type="email"
              maxLength={254}
              autoComplete="off"
              required={false}
              hint="The email that the customer signs in with, if they have an account."
            />
            <p>
              <button className="btn primary">Start the quote</button>
            </p>
          </form>
        </PanelBody>
      </Panel>
    </OfficePage>
  )
}
