import { newCustomerActions } from '#app/office/actions/customers.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { maxCustomerName } from '#domain/customers/customers/customers.ts'
import type { Route } from './+types/customer-new.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Add customer', officePaths.officeCustomers())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'customers.edit', officePaths.officeNewCustomer())
  return null
}

/** Adds a customer. Before it adds one with a known email or phone, it answers with the customers who have it. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: '',
      path: officePaths.officeNewCustomer,
      done: { add: (id) => officePaths.officeCustomer(id, 'added') },
    },
    newCustomerActions,
  )

const fields: FormFields = {
  name: { label: 'Name', max: maxCustomerName, hint: 'First and last name.' },
  email: { label: 'Email', kind: 'email' },
  phone: { label: 'Phone', kind: 'phone', isOptional: true },
}

export default function NewCustomer({ actionData: reply }: Route.ComponentProps) {
  const alike = reply?.others ?? []
  const asksIfOther = reply?.errors['isOther'] !== undefined || reply?.values['isOther'] !== undefined
  return (
    <OfficePage
      title="Add customer"
      crumbs={[{ label: 'Customers', path: officePaths.officeCustomers() }]}
      reply={reply}
    >
      {alike.length > 0 ? (
        <Notice tone="signal" title={asksIfOther ? 'This phone number is known' : 'This email is known'}>
          <ul>
            {alike.map(({ path, name, note }) => (
              <li key={path}>
                <a href={path}>{name}</a>, {note}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <FormPanel
        id="customer"
        title="Customer"
        isOpen
        isPair
        reply={reply}
        fields={{
          ...fields,
          ...(asksIfOther ? { isOther: { kind: 'tick', label: 'This is another person' } } : {}),
        }}
        buttons={[button('add', 'Add customer', 'primary')]}
        note="We don’t email them. They get an account when they sign up with this email, and orders with it are theirs."
      />
    </OfficePage>
  )
}
