import type { ReactNode } from 'react'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { AccountPage } from './account-page.tsx'

type Place = 'terms' | 'members' | 'orders' | 'approvals' | 'vehicles' | 'invoices' | 'exemptions' | 'webhooks'

/** Renders a company page with its name and the company navigation. */
export function CompanyPage({ name, at, children }: { name: string; at: Place; children: ReactNode }) {
  return (
    <AccountPage title={name} at="company">
      <nav aria-label="Your company" className="company-nav no-print">
        <ul>
          {places.map(([place, path, words]) => (
            <li key={place}>
              <a href={path} aria-current={place === at ? 'page' : undefined}>
                {words}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </AccountPage>
  )
}

const places: [Place, string, string][] = [
  ['terms', paths.company(), 'Terms'],
  ['members', paths.companyMembers(), 'Members'],
  ['orders', paths.companyOrders(), 'Orders'],
  ['approvals', serverPaths.companyApprovals(), 'Approvals'],
  ['vehicles', serverPaths.companyVehicles(), 'Vehicles'],
  ['invoices', paths.companyInvoices(), 'Invoices'],
  ['exemptions', paths.companyExemptions(), 'Tax'],
  ['webhooks', serverPaths.accountWebhooks(), 'Webhooks'],
]
