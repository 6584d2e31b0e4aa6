import type { ReactNode } from 'react'
import { useRouteLoaderData } from '#app/router/router.tsx'
import type { Shell } from '#app/views/shell.server.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'

type Place = 'account' | 'orders' | 'garage' | 'addresses' | 'payment-methods' | 'company' | 'sales-tool'

/** Renders an account page with its heading and the account navigation. */
export function AccountPage({ title, at, children }: { title: string; at: Place; children: ReactNode }) {
  const hasSalesTool = useRouteLoaderData<Shell>('root')?.account?.hasSalesTool ?? false
  return (
    <div className="wrap account-page">
      <h1>{title}</h1>
      <nav aria-label="Your account" className="account-nav">
        <ul>
          {[...places, ...(hasSalesTool ? salesPlaces : [])].map(([place, path, words]) => (
            <li key={place}>
              <a
                className={place === at ? 'chip is-on' : 'chip'}
                href={path}
                aria-current={place === at ? 'page' : undefined}
              >
                {words}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="account-body">{children}</div>
    </div>
  )
}

const places: [Place, string, string][] = [
  ['account', paths.account(), 'Overview'],
  ['orders', paths.myOrders(), 'Orders'],
  ['garage', paths.myGarage(), 'Garage'],
  ['addresses', paths.myAddresses(), 'Addresses'],
  ['payment-methods', serverPaths.paymentMethods(), 'Payment methods'],
  ['company', paths.company(), 'Company'],
]

/** Shown only to Sales Tool accounts. */
const salesPlaces: [Place, string, string][] = [['sales-tool', serverPaths.salesTool(), 'Sales tool']]
