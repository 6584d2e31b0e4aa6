/** The settings of the lender that customers apply to for a lease, a loan or the store's card. */
import { z } from 'zod'
import { secretList } from '#platform/config-secret.ts'

const products = ['lease', 'loan', 'store-card'] as const

export const financingVariables = z.object({
  FINANCING_API_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'The lender’s API for leases, loans and the store’s card, over [this protocol](protocols/financing.openapi.json); with the three below, or none.',
    ),
  FINANCING_CLIENT_ID: z.string().min(1).optional().describe('The store’s client there.'),
  FINANCING_CLIENT_SECRET: z.string().min(16).optional().describe('Its secret.'),
  FINANCING_WEBHOOK_SECRET: secretList(16)
    .optional()
    .describe(
      'Verifies what the lender posts to `/webhooks/payments/lender`; [several](runbooks/secrets.md) during rotation.',
    ),
  FINANCING_PRODUCTS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(products, { error: `must be among ${products.join(', ')}` })).min(1))
    .default([...products])
    .describe('What the lender offers, with commas between.'),
})
type Variables = z.infer<typeof financingVariables>

/** Credentials for the sandbox. They are public. */
const demo = {
  clientId: 'sidewall',
  clientSecret: 'sidewall-demo-financing-secret',
  webhookSecret: 'sidewall-demo-financing-webhook',
}
const names = [
  'FINANCING_API_ORIGIN',
  'FINANCING_CLIENT_ID',
  'FINANCING_CLIENT_SECRET',
  'FINANCING_WEBHOOK_SECRET',
] as const

/** The names that are missing where some are given. */
export function missingFinancingVariables(env: Variables): string[] {
  return names.some((name) => env[name] !== undefined) ? names.filter((name) => env[name] === undefined) : []
}

/** Returns null for a store without a lender. `sandboxOrigin` is the demo's sandbox. */
export function shapeFinancing(env: Variables, sandboxOrigin: string | null) {
  const {
    FINANCING_API_ORIGIN: apiOrigin,
    FINANCING_CLIENT_ID: clientId,
    FINANCING_CLIENT_SECRET: clientSecret,
    FINANCING_WEBHOOK_SECRET: webhookSecret,
    FINANCING_PRODUCTS: offered,
  } = env
  if (apiOrigin !== undefined && clientId !== undefined && clientSecret !== undefined && webhookSecret !== undefined)
    return { apiOrigin, clientId, clientSecret, webhookSecret, offered }
  return sandboxOrigin === null ? null : { ...demo, apiOrigin: sandboxOrigin, offered }
}
