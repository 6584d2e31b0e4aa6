/** The payment pages that the hourly check reads, and the scripts of others that the configuration puts on them. */
import { stripeScriptUrl } from '#app/ui/stripe-script.ts'
import { paths } from '#content/paths.ts'
import { lineAddresses } from '#domain/catalog/catalog/catalog.server.ts'
import type { OtherScript } from '#domain/payments/payment-pages/payment-pages.ts'
import { closeCheckCart, openCheckCart } from '#domain/operations/setup/setup.server.ts'
import { walletMethods } from '#domain/payments/payments/payments.ts'
import { checkPaymentPages, type PageToCheck } from '#domain/payments/payment-pages/payment-pages.server.ts'
import { paymentPartOf, securityHeaders } from '#http/security.ts'
import { cookiesFor } from '#http/visitor.ts'
import type { Config } from '#platform/config.ts'
import type { Application } from '#application'

/**
 * The cart, a tire's page, and the pages on which shoppers pay, each with its required headers. With a cart at the
 * payment step, these include the card page and those of the store's wallets.
 */
export async function pagesToCheck(
  app: Pick<Application, 'catalog' | 'config' | 'paymentMethods'>,
  cartId: string | null,
): Promise<PageToCheck[]> {
  const [group] = await lineAddresses.groups(app.catalog)
  const [line] = group ? await lineAddresses.entries(app.catalog, [group.id]) : []
  const inBrowser = ['card', ...walletMethods.filter((method) => app.paymentMethods.has(method))] as const
  const cookies = cartId === null ? null : (cookiesFor(app.config).cart(cartId).split(';')[0] ?? null)
  const page = (path: string, opens = true) => ({
    path,
    headers: securityHeaders(app.config, [], { payment: paymentPartOf(path) }),
    cookies,
    opens,
  })
  return [
    page(paths.cart()),
    ...(line ? [page(paths.line(line.brandSlug, line.lineSlug))] : []),
    page(paths.checkoutPayments(), cartId !== null),
    ...(cartId === null ? [] : inBrowser.map((method) => page(paths.checkoutPayment(method)))),
    // No order edit has this key. The error page has the same headers and scripts.
    page('/order-change/check', false),
  ]
}

/** Runs the hourly check with a temporary cart. */
export async function checkPages(app: Application): Promise<void> {
  await closeCheckCart(app, null)
  const cart = await openCheckCart(app, app.config.store)
  const cartId = cart.ok ? cart.value.cartId : null
  try {
    await checkPaymentPages(app, {
      reader: app.paymentPages,
      origin: app.config.web.origin,
      pages: await pagesToCheck(app, cartId),
      skipped: cart.ok ? null : cart.detail.words,
      others: otherScripts(app.config),
    })
  } finally {
    if (cartId !== null) await closeCheckCart(app, cartId)
  }
}

/** The scripts of others on payment pages, each with who answers for it. */
export function otherScripts({ payments, sandbox, analytics }: Config): OtherScript[] {
  return [
    payments.kind === 'stripe'
      ? {
          address: stripeScriptUrl,
          by: 'Stripe',
          suggestion: 'Shows Stripe’s card fields and wallets in frames, so that card numbers never reach this store.',
        }
      : {
          address: `${sandbox.origin}/wallets/stripe.js`,
          by: 'The sandbox',
          suggestion: 'Plays the wallets of the payment provider in a demo.',
        },
    ...(analytics
      ? [
          {
            address: analytics.tagUrl,
            by: new URL(analytics.tagUrl).host,
            suggestion: 'Counts visits of shoppers who agreed.',
          },
        ]
      : []),
  ]
}
