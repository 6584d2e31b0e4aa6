import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { AddressFields, contactLabels, contactValue, NameFields, PhoneFields } from '#app/ui/contact-fields.tsx'
import { ErrorSummary } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { addressForm } from '#domain/customers/accounts/accounts.ts'
import { addAddress, listAddresses, removeAddress } from '#domain/customers/accounts/accounts.server.ts'
import { cityLine } from '#domain/ordering/orders/orders.ts'
import { isId } from '#platform/ids.ts'
import { AccountPage } from './account-page.tsx'
import type { Route } from './+types/my-addresses.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your addresses',
    description: 'Filled in for you at checkout.',
    path: paths.myAddresses(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { accountId } = await requireSignedIn(context, paths.myAddresses())
  const addresses = await listAddresses(context.get(applicationContext), accountId)
  return {
    addresses: addresses.map((address) => ({
      id: address.id,
      name: `${address.firstName} ${address.lastName}`,
      lines: [address.company, address.address1, address.address2, cityLine(address)].filter(
        (line) => line !== null && line !== '',
      ),
    })),
  }
}

/** `remove` deletes an address; anything else adds the one entered. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, paths.myAddresses())
  const fields = await readForm(request)
  const removed = fields.get('remove')
  if (removed !== null) {
    if (isId(removed)) await removeAddress(app, accountId, removed)
    return seeOther(paths.myAddresses())
  }
  const checked = checkForm(addressForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const added = await addAddress(app, accountId, checked.value)
  return added.ok ? seeOther(paths.myAddresses()) : refuseForm(formRefusal(fields, problems[added.reason]), 409)
}

export default function MyAddresses({ loaderData: { addresses }, actionData }: Route.ComponentProps) {
  const value = contactValue({})
  return (
    <AccountPage title="Your addresses" at="addresses">
      {addresses.length === 0 ? (
        <p className="muted">No address yet. The one you add is filled in for you at checkout.</p>
      ) : (
        <ul className="account-list in-columns">
          {addresses.map(({ id, name, lines }) => (
            <li key={id} className="panel padded">
              <address>
                <b>{name}</b>
                {lines.map((line) => (
                  <span key={line}>{line}</span>
                ))}
              </address>
              <form method="post">
                <button
                  className="btn quiet"
                  name="remove"
                  value={id}
                  aria-label={`Remove the address of ${name}, ${lines[0] ?? ''}`}
                >
                  Remove
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      <form method="post" className="panel padded details-form" noValidate>
        <h2>Add an address</h2>
        <ErrorSummary reply={actionData} labels={contactLabels} />
        <div className="field-grid">
          <NameFields value={value} reply={actionData} />
          <AddressFields value={value} reply={actionData} />
          <PhoneFields value={value} reply={actionData} />
        </div>
        <button className="btn primary large">Save address</button>
      </form>
    </AccountPage>
  )
}

const problems = {
  known: 'This address is already saved.',
  full: 'You can save up to ten addresses. Remove one first.',
} as const
