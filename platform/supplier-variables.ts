/** The settings of the purchasing network, over which suppliers get their orders. */
import { z } from 'zod'
import { secretList } from '#platform/config-secret.ts'

export const supplierVariables = z.object({
  SUPPLIER_CXML_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where the purchasing network takes orders to suppliers in cXML; with the three below, or none (staff then place orders).',
    ),
  SUPPLIER_CXML_IDENTITY: z
    .string()
    .regex(/^[\w.-]{1,40}$/, { error: 'must be letters, digits, dots and dashes' })
    .optional()
    .describe('The store’s identity there.'),
  SUPPLIER_CXML_SECRET: z.string().min(16).optional().describe('The secret that the store sends.'),
  SUPPLIER_CALLBACK_SECRET: secretList(16)
    .optional()
    .describe(
      'The secret that the network sends to `/webhooks/suppliers`; [several](runbooks/secrets.md) during rotation.',
    ),
})
type Variables = z.infer<typeof supplierVariables>

/** Credentials for the sandbox. They are public. */
const demo = {
  identity: 'SIDEWALL-DEMO',
  secret: 'sidewall-demo-supplier-secret',
  callbackSecret: 'sandbox-supplier-secret',
}

/** The names that are missing where some are given. */
export function missingSupplierVariables(env: Variables): string[] {
  const names = Object.keys(supplierVariables.shape) as (keyof Variables)[]
  return names.some((name) => env[name] !== undefined) ? names.filter((name) => env[name] === undefined) : []
}

/** Returns null for a store without a purchasing network. `sandboxOrigin` is the demo's sandbox. */
export function shapeSuppliers(env: Variables, sandboxOrigin: string | null) {
  const {
    SUPPLIER_CXML_URL: url,
    SUPPLIER_CXML_IDENTITY: identity,
    SUPPLIER_CXML_SECRET: secret,
    SUPPLIER_CALLBACK_SECRET: callbackSecret,
  } = env
  if (url !== undefined && identity !== undefined && secret !== undefined && callbackSecret !== undefined)
    return { url, identity, secret, callbackSecret, isTest: false }
  return sandboxOrigin === null ? null : { ...demo, url: `${sandboxOrigin}/cxml`, isTest: true }
}
