/** Checks access to a company's fleet quotes. */
import type { RouterContextProvider } from 'react-router'
import { accountTypeOf, companyCan } from '#domain/customers/companies/companies.ts'
import { supportDeskOf } from '#domain/pricing/price-tiers/price-tiers.ts'
import { requireCompany } from './require-company.server.ts'
import { quoteDepsOf } from './cart-quote-view.server.ts'

/**
 * Returns the company, the buyer, and their support contact. Responds with 404 unless the member can order and the
 * company uses fleet work orders.
 */
export async function requireFleetBuyer(context: Readonly<RouterContextProvider>, path: string) {
  const { app, company, role, signedIn } = await requireCompany(context, path)
  if (!company.hasFleetPackets || !companyCan(role, 'order')) throw new Response(null, { status: 404 })
  const by = { accountId: signedIn.accountId, companyId: company.id }
  const phone = supportDeskOf(accountTypeOf[company.kind])?.phone ?? app.config.store.phone
  return { app, deps: quoteDepsOf(app), company, signedIn, by, phone }
}
