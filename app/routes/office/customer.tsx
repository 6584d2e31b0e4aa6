import { redirect } from 'react-router'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Facts, Notice, Tag } from '#app/ui/office/office-parts.tsx'
import { findPerson, readCustomerView } from '#app/views/office-customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  AddressesPanel,
  CompaniesPanel,
  ConsentPanel,
  ContactPanel,
  CreditPanel,
  MessagesPanel,
  OrdersPanel,
  VehiclesPanel,
} from './customer-panels.tsx'
import type { Route } from './+types/customer.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.customer.name ?? 'Customer', officePaths.officeCustomers())

/** A customer by their own id, or by the id of an account of theirs. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'customers.read', officePaths.officeCustomer(params.id))
  const { shop, session } = staff
  const person = await findPerson(shop, params.id)
  if (!person) throw new Response(null, { status: 404 })
  if (person.id !== params.id.toLowerCase()) throw redirect(officePaths.officeCustomer(person.id), 302)
  return { customer: await readCustomerView(shop, person, session.roles) }
}

export default function CustomerPage({ loaderData: { customer } }: Route.ComponentProps) {
  const { name, isGuest, since, place, facts, duplicates } = customer
  return (
    <OfficePage
      title={name}
      crumbs={[{ label: 'Customers', path: officePaths.officeCustomers() }]}
      tags={
        <>
          <Tag>{isGuest ? 'Guest' : 'Account'}</Tag>
          <span className="office-note">
            customer since {since}
            {place === null ? null : ` · ${place}`}
          </span>
        </>
      }
    >
      {duplicates.map((other) => (
        <Notice key={other.id} tone="signal" title={`Probably the same person: ${other.email}`}>
          <p>
            Same phone and name. <a href={other.path}>Open {other.name}</a>
          </p>
        </Notice>
      ))}
      <Facts facts={facts} />
      <Columns
        body={
          <>
            <OrdersPanel customer={customer} />
            <VehiclesPanel vehicles={customer.vehicles} />
            {customer.messages === null ? null : <MessagesPanel days={customer.messages} />}
          </>
        }
        last={
          <>
            <ContactPanel contact={customer.contact} />
            <AddressesPanel addresses={customer.addresses} />
            <CreditPanel credit={customer.credit} />
            <CompaniesPanel companies={customer.companies} />
            <ConsentPanel consents={customer.consents} />
          </>
        }
      />
    </OfficePage>
  )
}
