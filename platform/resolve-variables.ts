/** The settings of Resolve, at which companies buy on net terms. */
import { z } from 'zod'
import { secretList } from '#platform/config-secret.ts'

export const resolveVariables = z.object({
  RESOLVE_MERCHANT_ID: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'The merchant account for net terms at Resolve; with the two below, or none ([016](decisions/016-net-terms.md)).',
    ),
  RESOLVE_SECRET_KEY: z.string().min(8).optional().describe('Its secret key.'),
  RESOLVE_WEBHOOK_SECRET: secretList(8)
    .optional()
    .describe(
      'Signs the webhooks to `/webhooks/payments/resolve` (`order.created`, `order.updated`); [several](runbooks/secrets.md) during rotation.',
    ),
  RESOLVE_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://app.resolvepay.com/api')
    .describe('Resolve’s Merchant API; https://app-sandbox.resolvepay.com/api for its own sandbox.'),
})
type Variables = z.infer<typeof resolveVariables>

/** Credentials for the sandbox. They are public. */
const demo = {
  merchantId: 'sidewall',
  secretKey: 'sidewall-demo-resolve-secret',
  webhookSecret: 'sidewall-demo-resolve-webhook',
}

const names = ['RESOLVE_MERCHANT_ID', 'RESOLVE_SECRET_KEY', 'RESOLVE_WEBHOOK_SECRET'] as const

/** The names that are missing where some are given. */
export function missingResolveVariables(env: Variables): string[] {
  return names.some((name) => env[name] !== undefined) ? names.filter((name) => env[name] === undefined) : []
}

/** Returns null for a store without Resolve. `sandboxOrigin` is the demo's sandbox. */
export function shapeResolve(env: Variables, sandboxOrigin: string | null) {
  const {
    RESOLVE_MERCHANT_ID: merchantId,
    RESOLVE_SECRET_KEY: secretKey,
    RESOLVE_WEBHOOK_SECRET: webhookSecret,
    RESOLVE_API_URL: apiUrl,
  } = env
  if (merchantId !== undefined && secretKey !== undefined && webhookSecret !== undefined)
    return { merchantId, secretKey, webhookSecret, apiUrl: apiUrl.replace(/\/$/, '') }
  return sandboxOrigin === null ? null : { ...demo, apiUrl: `${sandboxOrigin}/resolve/api` }
}
