import { paths } from '#app/paths.ts'
import { AccountHead } from './account-head.tsx'

type CompanyPage = 'company' | 'members' | 'orders' | 'invoices' | 'exemptions'

/** The heading of a page of a company, and the way to the others. */
export function CompanyHead({ title, at }: { title: string; at: CompanyPage }) {
  return (
    <>
      <AccountHead title={title} at="company" />
      <nav aria-label="Your company" className="company-nav">
        <ul>
          {pages.map(([page, path, words]) => (
            <li key={page}>
              <a href={path} aria-current={page === at ? 'page' : undefined}>
                {words}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

const pages: [CompanyPage, string, string][] = [
  ['company', paths.company(), 'Company'],
  ['members', paths.companyMembers(), 'Members'],
  ['orders', paths.companyOrders(), 'Orders'],
  ['invoices', paths.companyInvoices(), 'Invoices'],
  ['exemptions', paths.companyExemptions(), 'Tax exemption'],
]
