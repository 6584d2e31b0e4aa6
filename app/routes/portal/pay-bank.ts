import { readForm } from '#app/forms/form.ts'
import { requireFreshAtShop, requireShop } from '#app/server/portal.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { openBankPage, refreshAccount } from '#domain/installer-portal/payouts/payouts.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/pay-bank.ts'

/** The payout provider's return URL. Refreshes the account from the provider and redirects to the pay page. */
export async function loader({ context, params: { shopCode } }: Route.LoaderArgs) {
  const path = portalPaths.payBank(shopCode)
  const { app, place } = await requireShop(context, 'pay.bank', { shopCode, path })
  await refreshAccount(app, place.shopId)
  return seeOther(portalPaths.pay(shopCode, { done: 'bank' }))
}

/** Leads to the provider's page for bank details, after a fresh sign-in. */
export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const path = portalPaths.pay(shopCode)
  const at = await requireShop(context, 'pay.bank', { shopCode, path })
  await readForm(request)
  requireFreshAtShop(at, path)
  const { app, actor } = at
  const back = `${app.config.web.origin}${portalPaths.payBank(shopCode)}`
  const opened = await openBankPage(app, actor, { returnUrl: back, refreshUrl: back })
  if (opened.ok) return seeOther(opened.value.url)
  if (opened.reason === 'unavailable') return seeOther(portalPaths.pay(shopCode, { done: 'bank-away' }))
  return seeOther(portalPaths.signIn({ back: path, again: 'yes' }))
}
