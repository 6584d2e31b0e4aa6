/** Access to a company's pages. */
import type { RouterContextProvider } from 'react-router'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { shopContext } from '#app/server/context.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import { findMembership, type Membership } from '#domain/customers/companies/companies.server.ts'
import type { Shop } from '#shop'

/**
 * Returns the approved company of the signed-in account; redirects everyone else to the page with the status of their
 * application.
 */
export async function requireCompany(
  context: Readonly<RouterContextProvider>,
  path: string,
): Promise<Membership & { shop: Shop; signedIn: SignedIn }> {
  const shop = context.get(shopContext)
  const signedIn = await requireSignedIn(context, path)
  const membership = await findMembership(shop, signedIn.accountId)
  if (membership?.company.state !== 'approved') throw seeOther(paths.company())
  return { ...membership, shop, signedIn }
}
