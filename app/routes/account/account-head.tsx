import { paths } from '#app/paths.ts'

type AccountPage = 'account' | 'orders' | 'garage' | 'addresses' | 'company'

/** The heading of a page of the account, and the way to the others. */
export function AccountHead({ title, at }: { title: string; at: AccountPage }) {
  return (
    <header className="account-head">
      <h1>{title}</h1>
      <nav aria-label="Your account">
        <ul>
          {pages.map(([page, path, words]) => (
            <li key={page}>
              <a className={page === at ? 'chip is-on' : 'chip'} href={path} aria-current={page === at ? 'page' : undefined}>
                {words}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  )
}

const pages: [AccountPage, string, string][] = [
  ['account', paths.account(), 'Overview'],
  ['orders', paths.myOrders(), 'Orders'],
  ['garage', paths.myGarage(), 'Garage'],
  ['addresses', paths.myAddresses(), 'Addresses'],
  ['company', paths.company(), 'Company'],
]
