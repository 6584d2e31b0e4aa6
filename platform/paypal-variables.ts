/** The settings of PayPal, by which shoppers pay with PayPal and Venmo. */
import { z } from 'zod'

export const paypalVariables = z.object({
  PAYPAL_CLIENT_ID: z
    .string()
    .min(8)
    .optional()
    .describe(
      'A PayPal REST app with authorize and capture and Transaction Search; with the two below, or none ([015](decisions/015-payment-methods.md)).',
    ),
  PAYPAL_CLIENT_SECRET: z.string().min(8).optional().describe('Its secret.'),
  PAYPAL_WEBHOOK_ID: z
    .string()
    .regex(/^\w{8,50}$/, { error: 'must be letters and digits' })
    .optional()
    .describe(
      'The ID of its webhook to `/webhooks/payments/paypal`: `PAYMENT.AUTHORIZATION.*`, `PAYMENT.CAPTURE.*`, `CHECKOUT.ORDER.APPROVED`, `CHECKOUT.PAYMENT-APPROVAL.REVERSED`, `CUSTOMER.DISPUTE.*`.',
    ),
  PAYPAL_API_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .default('https://api-m.paypal.com')
    .describe('PayPal’s API; https://api-m.sandbox.paypal.com for its own sandbox.'),
  PAYPAL_VENMO: z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .transform((value) => value === '1')
    .default(false)
    .describe('Whether to offer Venmo; the account must be enabled for it.'),
})
type Variables = z.infer<typeof paypalVariables>

const required = ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'] as const

/** Credentials for the sandbox. They are public. */
const demo = {
  clientId: 'sidewall-demo-paypal-client',
  clientSecret: 'sidewall-demo-paypal-secret',
  webhookId: '8PT597110X687430LKGECATA',
}

/** The names that are missing where some are given. */
export function missingPayPalVariables(env: Variables): string[] {
  return required.some((name) => env[name] !== undefined) ? required.filter((name) => env[name] === undefined) : []
}

/** Returns null for a store without PayPal. `sandboxOrigin` is the demo's sandbox. */
export function shapePayPal(env: Variables, sandboxOrigin: string | null) {
  const {
    PAYPAL_CLIENT_ID: clientId,
    PAYPAL_CLIENT_SECRET: clientSecret,
    PAYPAL_WEBHOOK_ID: webhookId,
    PAYPAL_API_ORIGIN: apiOrigin,
  } = env
  if (clientId !== undefined && clientSecret !== undefined && webhookId !== undefined)
    return { clientId, clientSecret, webhookId, apiOrigin, hasVenmo: env.PAYPAL_VENMO, pageOrigins: paypalPages }
  if (sandboxOrigin === null) return null
  return { ...demo, apiOrigin: `${sandboxOrigin}/paypal`, hasVenmo: true, pageOrigins: [sandboxOrigin] }
}

/** The approval page origins, which forms can redirect to. */
const paypalPages = ['https://www.paypal.com', 'https://www.sandbox.paypal.com']
