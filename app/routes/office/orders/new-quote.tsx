import { quoteActions } from '#app/office/actions/quotes.server.ts'
import { actionStep, callOf, submit } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { findPerson, quoteContactOf } from '#app/views/office/customer.server.ts'
import { newId } from '#platform/ids.ts'
import type { Route } from './+types/new-quote.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'New quote', officePaths.officeNewQuote())

/** A form that begins with the customer's contact, for staff who may see it. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const customer = url.searchParams.get('customer') ?? undefined
  const path = officePaths.officeNewQuote(customer === undefined ? {} : { customer })
  const { app, session } = await requireStaff(context, 'quotes.write', path)
  const person =
    customer !== undefined && customerFieldsFor(session.roles).isShown ? await findPerson(app, customer) : undefined
  return { key: newId(), contact: person ? quoteContactOf(person) : null }
}

/** Starts a draft and leads to it. */
export const action = (args: Route.ActionArgs) =>
  submit(
    args,
    { noun: 'quote', permission: 'quotes.write', path: () => officePaths.officeNewQuote() },
    (posted) => actionStep(quoteActions.actions.add, callOf(posted, ''), (_, { id }) => officePaths.officeQuote(id)),
    quoteActions.refusals,
  )

export default function NewQuote({ loaderData: { key, contact }, actionData: reply }: Route.ComponentProps) {
  return (
    <OfficePage title="New quote" crumbs={[{ label: 'Quotes', path: officePaths.officeQuotes() }]} reply={reply}>
      <FormPanel
        id="customer"
        title="Customer"
        reply={reply}
        hidden={{ key }}
        fields={{
          name: { label: 'Name', value: contact?.name, max: 80 },
          email: { label: 'Email', kind: 'email', value: contact?.email },
          phone: { label: 'Phone', kind: 'phone', value: contact?.phone, max: 30, isOptional: true },
          account: {
            label: 'Account',
            kind: 'email',
            value: contact?.account,
            isOptional: true,
            hint: 'The email that the customer signs in with, if they have an account.',
          },
        }}
        buttons={[button('', 'Start quote', 'primary')]}
      />
    </OfficePage>
  )
}
