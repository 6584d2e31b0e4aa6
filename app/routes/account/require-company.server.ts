/** Access to a company's pages. */
import type { RouterContextProvider } from 'react-router'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import { findMembership, type Membership } from '#domain/customers/companies/companies.server.ts'
import type { Application } from '#application'

/**
 * Returns the approved company of the signed-in account; redirects everyone else to the page with the status of their
 * application.
 */
export async function requireCompany(
  context: Readonly<RouterContextProvider>,
  path: string,
): Promise<Membership & { app: Application; signedIn: SignedIn }> {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, path)
  const membership = await findMembership(app, signedIn.accountId)
  if (membership?.company.state !== 'approved') throw seeOther(paths.company())
  return { ...membership, app, signedIn }
}
