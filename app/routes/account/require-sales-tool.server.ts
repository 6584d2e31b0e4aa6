/** Checks access to the Sales Tool pages. */
import type { RouterContextProvider } from 'react-router'
import { applicationContext } from '#app/server/context.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import type { SalesAccount } from '#domain/ordering/quotes/quotes.server.ts'
import type { Application } from '#application'

/**
 * Returns the signed-in Sales Tool account. Responds with 404 for every other visitor. Each action checks its
 * permission again.
 */
export async function requireSalesTool(
  context: Readonly<RouterContextProvider>,
  path: string,
): Promise<{ app: Application; by: SalesAccount }> {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, path)
  const { accountType } = await app.buyer.priceTier()
  if (accountType !== 'Sales Tool') throw new Response(null, { status: 404 })
  return { app, by: { via: 'account', accountId } }
}

/** The number of a quote in an address; anything else is not found. */
export function quoteIdOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Response(null, { status: 404 })
  return Number(text)
}
