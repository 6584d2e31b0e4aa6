/** The settings of Google Merchant Center, which shows the store's products in search results and shopping ads. */
import { z } from 'zod'
import { demoMerchant, demoTokenPath } from './merchant-demo-account.ts'

const number = z.string().regex(/^[1-9]\d{0,18}$/, { error: 'must be a number' })

const keyFile = z.object({
  client_email: z.email(),
  private_key_id: z.string().min(1).max(200),
  private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  token_uri: z.url({ protocol: /^https?$/ }),
})

/** A service account's key file as Google issues it. */
const serviceAccount = z.string().transform((text, context) => {
  const parsed = keyFile.safeParse(jsonOf(text))
  if (!parsed.success) {
    context.addIssue({ code: 'custom', message: 'must be the JSON key file of a service account' })
    return z.NEVER
  }
  const { client_email, private_key_id, private_key, token_uri } = parsed.data
  return { clientEmail: client_email, privateKeyId: private_key_id, privateKey: private_key, tokenUrl: token_uri }
})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const callError = 'must be a whole number from 0 to 10000000'

export const merchantVariables = z.object({
  GOOGLE_MERCHANT_ACCOUNT: number
    .optional()
    .describe(
      'The ID of the store’s account at Google Merchant Center, to [send products and stock](product-feeds.md#google-merchant-center); with the two below, or none.',
    ),
  GOOGLE_MERCHANT_DATA_SOURCE: number.optional().describe('The ID of an API data source for products there.'),
  GOOGLE_MERCHANT_KEY: serviceAccount
    .optional()
    .describe('The JSON key file of a service account with access to it, on one line.'),
  GOOGLE_MERCHANT_DAILY_CALLS: z.coerce
    .number({ error: callError })
    .int({ error: callError })
    .min(0, { error: callError })
    .max(10_000_000, { error: callError })
    .default(50_000)
    .describe('Maximum calls per day; 0 stops sending.'),
  GOOGLE_MERCHANT_API_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .default('https://merchantapi.googleapis.com')
    .describe('Google’s Merchant API.'),
})
type Variables = z.infer<typeof merchantVariables>

const names = ['GOOGLE_MERCHANT_ACCOUNT', 'GOOGLE_MERCHANT_DATA_SOURCE', 'GOOGLE_MERCHANT_KEY'] as const

/** The names that are missing where some are given. */
export function missingMerchantVariables(env: Variables): string[] {
  return names.some((name) => env[name] !== undefined) ? names.filter((name) => env[name] === undefined) : []
}

/** Returns null for a store without an account. `sandboxOrigin` is the demo's sandbox. */
export function shapeMerchant(env: Variables, sandboxOrigin: string | null) {
  const {
    GOOGLE_MERCHANT_ACCOUNT: accountId,
    GOOGLE_MERCHANT_DATA_SOURCE: dataSourceId,
    GOOGLE_MERCHANT_KEY: key,
    GOOGLE_MERCHANT_DAILY_CALLS: dailyCalls,
    GOOGLE_MERCHANT_API_ORIGIN: apiOrigin,
  } = env
  if (accountId !== undefined && dataSourceId !== undefined && key !== undefined)
    return { accountId, dataSourceId, key, dailyCalls, apiOrigin: new URL(apiOrigin).origin }
  if (sandboxOrigin === null) return null
  const demoKey = { ...demoMerchant.key, tokenUrl: sandboxOrigin + demoTokenPath }
  return { ...demoMerchant, key: demoKey, dailyCalls, apiOrigin: sandboxOrigin }
}
