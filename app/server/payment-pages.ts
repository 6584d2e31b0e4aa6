/** The payment pages that the hourly check reads, and the scripts of others that the configuration puts on them. */
import { stripeScriptUrl } from '#app/ui/stripe-script.ts'
import { paths } from '#content/paths.ts'
import { lineAddresses } from '#domain/catalog/catalog/catalog.server.ts'
import type { OtherScript } from '#domain/payments/payment-pages/payment-pages.ts'
import type { PageToCheck } from '#domain/payments/payment-pages/payment-pages.server.ts'
import { paymentPartOf, securityHeaders } from '#http/security.ts'
import type { Config } from '#platform/config.ts'
import type { Application } from '#application'

/** The cart, a tire's page, and the pages on which is paid, each with the headers that it has to have. */
export async function pagesToCheck(app: Pick<Application, 'catalog' | 'config'>): Promise<PageToCheck[]> {
  const [group] = await lineAddresses.groups(app.catalog)
  const [line] = group ? await lineAddresses.entries(app.catalog, [group.id]) : []
  return [
    paths.cart(),
    ...(line ? [paths.line(line.brandSlug, line.lineSlug)] : []),
    paths.checkoutPayments(),
    // No order edit has this key. The error page has the same headers and scripts.
    '/order-change/check',
  ].map((path) => ({ path, headers: securityHeaders(app.config, [], { payment: paymentPartOf(path) }) }))
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
