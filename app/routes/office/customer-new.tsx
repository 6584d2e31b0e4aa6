import { data } from 'react-router'
import { decide, step } from '#app/office/decision.server.ts'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { alikeView, type AlikeView } from '#app/views/office-contact.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { addCustomer } from '#domain/customers/customers/customers.server.ts'
import { maxCustomerName, newCustomerForm } from '#domain/customers/customers/customers.ts'
import type { Route } from './+types/customer-new.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Add customer', officePaths.officeCustomers())

export async function loader({ context }: Route.LoaderArgs) {
  await requireStaff(context, 'customers.edit', officePaths.officeNewCustomer())
  return null
}

/** Adds a customer. Before it adds one with a known email or phone, it answers with the customers who have it. */
export async function action(args: Route.ActionArgs) {
  let alike: AlikeView[] = []
  const answer = await decide(
    args,
    { noun: 'customer', permission: 'customers.edit', path: officePaths.officeNewCustomer },
    ({ shop, by }) => ({
      add: step(
        newCustomerForm,
        (typed) => addCustomer(shop, by, typed),
        ({ id }) => officePaths.officeCustomer(id, 'added'),
      ),
    }),
    {
      'email-taken': ({ customer }) => {
        alike = [alikeView(customer)]
        return { field: 'email', text: 'A customer has this email.', status: 409 }
      },
      'same-phone': ({ customers }) => {
        alike = customers.map(alikeView)
        return {
          field: 'isOther',
          text: 'Compare the customers above. If this is another person, check this box.',
          status: 409,
        }
      },
    },
  )
  return answer instanceof Response ? answer : data({ ...answer.data, alike }, answer.init ?? undefined)
}

const fields: FormFields = {
  name: { label: 'Name', max: maxCustomerName, hint: 'First and last name.' },
  email: { label: 'Email', kind: 'email' },
  phone: { label: 'Phone', kind: 'phone', isOptional: true },
}

export default function NewCustomer({ actionData: reply }: Route.ComponentProps) {
  const alike = reply?.alike ?? []
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
