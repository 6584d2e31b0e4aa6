import { customerActions } from '#app/office/actions/customers.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { contactChangeView, type AlikeView } from '#app/views/office/contact.server.ts'
import { findPerson, nameOf } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findContact, listContactChanges } from '#domain/customers/customers/customers.server.ts'
import { maxCustomerName } from '#domain/customers/customers/customers.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { Route } from './+types/customer-contact.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Edit contact', officePaths.officeCustomers())

/** The customer's contact details and their change history. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'customers.edit', officePaths.officeCustomerContact(params.id))
  const person = found(await findPerson(app, params.id))
  const { id, ids } = found(person.customer)
  const { name, email, phone, version, hasAccount } = found(await findContact(app, id))
  return {
    title: nameOf(person),
    path: officePaths.officeCustomer(id),
    merge: officePaths.officeCustomerMerge(id),
    contact: { name: name ?? '', email, phone: phone === null ? '' : phoneText(phone), version, hasAccount },
    changes: (await listContactChanges(app, ids)).map(contactChangeView),
  }
}

/** `change` changes the name, email, and phone. `phone` changes only the phone, for customers with an account. */
export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => (done ? officePaths.officeCustomer(id, 'contact') : officePaths.officeCustomerContact(id)),
      done: { change: 'contact', phone: 'contact' },
    },
    customerActions,
  )
}

export default function CustomerContactPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, path, contact, changes } = loaderData
  const phone = { label: 'Phone', kind: 'phone', value: contact.phone, isOptional: true } as const
  const fields: FormFields = contact.hasAccount
    ? { phone }
    : {
        name: { label: 'Name', value: contact.name, max: maxCustomerName },
        email: {
          label: 'Email',
          kind: 'email',
          value: contact.email,
          hint: 'Existing orders keep the email they were placed with.',
        },
        phone,
      }
  return (
    <OfficePage
      title="Edit contact"
      crumbs={[
        { label: 'Customers', path: officePaths.officeCustomers() },
        { label: title, path },
      ]}
      reply={reply}
    >
      {reply?.others?.map((other) => (
        <TakenEmail key={other.path} other={other} />
      ))}
      {contact.hasAccount ? (
        <FactsPanel
          id="account"
          title="From their account"
          rows={[
            ['Name', contact.name || title],
            ['Email', contact.email],
            ['Changes', 'Only the customer can change these, in their account. We confirm a new email with them.'],
          ]}
        />
      ) : null}
      <FormPanel
        id="contact"
        title="Contact"
        isOpen
        isPair
        reply={reply}
        hidden={{ version: contact.version }}
        fields={fields}
        buttons={[button(contact.hasAccount ? 'phone' : 'change', 'Save', 'primary')]}
      />
      {changes.length === 0 ? null : <ChangesPanel changes={changes} />}
    </OfficePage>
  )
}

function TakenEmail({ other: { path, name, note } }: { other: AlikeView }) {
  return (
    <Notice tone="signal" title="This email is known">
      <p>
        <a href={path}>{name}</a>, {note}. If both are the same person, a manager can merge them.
      </p>
    </Notice>
  )
}

function ChangesPanel({ changes }: { changes: readonly ReturnType<typeof contactChangeView>[] }) {
  return (
    <Panel id="changes" title="Changes by your team">
      <PanelBody>
        <ul className="office-entries">
          {changes.map(({ id, lines, note }) => (
            <li key={id}>
              {lines.map((line) => (
                <div key={line}>{line}</div>
              ))}
              <small>{note}</small>
            </li>
          ))}
        </ul>
      </PanelBody>
    </Panel>
  )
}
