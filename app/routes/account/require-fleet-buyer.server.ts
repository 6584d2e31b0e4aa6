/** Access to the fleet quotes of a company. */
import type { RouterContextProvider } from 'react-router'
import { accountTypeOf, companyCan } from '#domain/companies/companies.ts'
import { supportDeskOf } from '#domain/price-tiers/price-tiers.ts'
import { requireCompany } from './require-company.server.ts'
import { quoteDepsOf } from './cart-quote-view.server.ts'

/** Returns the company of a member who orders for it, with its fleet packets on, and whom they call; 404 for everybody else. */
export async function requireFleetBuyer(context: Readonly<RouterContextProvider>, path: string) {
  const { shop, company, role, signedIn } = await requireCompany(context, path)
  if (!company.hasFleetPackets || !companyCan(role, 'order')) throw new Response(null, { status: 404 })
  const by = { accountId: signedIn.accountId, companyId: company.id }
  const phone = supportDeskOf(accountTypeOf[company.kind])?.phone ?? shop.config.store.phone
  return { shop, deps: quoteDepsOf(shop), company, signedIn, by, phone }
}
