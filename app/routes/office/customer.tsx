import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findAccount, listAddresses } from '#domain/accounts/accounts.server.ts'
import { findMembership } from '#domain/companies/companies.server.ts'
import { listAccountOrders } from '#domain/orders/orders.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { findGrant } from '#domain/price-tiers/price-tiers.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { isId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Route } from './+types/customer.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Customer', officePaths.officeSearch())

/** A customer's account, read only: who it is, the addresses and the newest orders. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const path = officePaths.officeCustomer(params.accountId)
  const { shop, session } = await requireStaff(context, 'customers.read', path)
  const account = isId(params.accountId) ? await findAccount(shop, params.accountId) : undefined
  if (!account) throw new Response(null, { status: 404 })
  const [grant, membership, addresses, { orders, hasMore }] = await Promise.all([
    findGrant(shop.db, account.id, shop.clock.now()),
    findMembership(shop, account.id),
    listAddresses(shop, account.id),
    listAccountOrders(shop, account.id),
  ])
  return {
    title: account.name ?? account.email ?? 'Account without a name',
    email: account.email,
    isVerified: account.emailVerifiedAt !== null,
    since: storeDateText(account.createdAt),
    type: grant?.type ?? 'Retail',
    company: membership
      ? {
          name: membership.company.name,
          path: staffCan(session.roles, 'companies.read') ? officePaths.officeCompany(membership.company.id) : null,
        }
      : null,
    addresses: addresses.map((saved) => ({
      key: saved.id,
      name: [saved.firstName, saved.lastName].join(' '),
      lines: [
        [saved.address1, saved.address2].filter(Boolean).join(', '),
        `${saved.city}, ${saved.state} ${saved.zip}`,
      ],
      phone: phoneText(saved.phone.digits),
    })),
    hasMore,
    orders: orders.map(({ id, placedAt, tires, totalCents }) => ({
      id: String(id),
      number: orderNumber(id),
      path: officePaths.officeOrder(id),
      placed: storeDateText(placedAt),
      tires: tires.join('; '),
      total: formatCents(totalCents),
    })),
  }
}

export default function CustomerPage({ loaderData }: Route.ComponentProps) {
  const { title, email, isVerified, since, type, company, addresses, orders, hasMore } = loaderData
  return (
    <OfficePage title={title}>
      <Columns
        body={
          <Panel
            id="orders"
            title="Orders"
            note={hasMore ? `The newest ${orders.length}` : undefined}
            end={email === null ? null : <a href={officePaths.officeSearch({ q: email })}>Search for this email</a>}
          >
            {orders.length === 0 ? (
              <PanelBody>
                <p>No orders from this account.</p>
              </PanelBody>
            ) : (
              <DataTable
                caption="Orders, newest first"
                columns={[
                  { key: 'number', label: 'Order', isRowHeader: true },
                  { key: 'placed', label: 'Placed' },
                  { key: 'tires', label: 'Tires' },
                  { key: 'total', label: 'Total', isAmount: true },
                ]}
                rows={orders.map(({ id, number, path, placed, tires, total }) => ({
                  id,
                  cells: { number: <a href={path}>{number}</a>, placed, tires, total },
                }))}
              />
            )}
          </Panel>
        }
        last={
          <>
            <Panel id="account" title="Account">
              <PanelBody>
                <KeyValues
                  rows={[
                    ['Email', email === null ? 'None' : isVerified ? email : `${email} (not verified)`],
                    ['Account type', type],
                    ['Customer since', since],
                    ...(company === null ? [] : [['Company', <CompanyName key="company" {...company} />] as const]),
                  ]}
                />
              </PanelBody>
            </Panel>
            <Panel id="addresses" title="Saved addresses">
              <PanelBody>
                {addresses.length === 0 ? <p>None</p> : null}
                {addresses.map(({ key, name, lines, phone }) => (
                  <address key={key}>
                    <b>{name}</b>
                    {[...lines, phone].map((line) => (
                      <div key={line}>{line}</div>
                    ))}
                  </address>
                ))}
              </PanelBody>
            </Panel>
          </>
        }
      />
    </OfficePage>
  )
}

function CompanyName({ name, path }: { name: string; path: string | null }) {
  return path === null ? name : <a href={path}>{name}</a>
}
