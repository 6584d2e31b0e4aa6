/** Checks which variables belong together, and the demo's secrets. */
import type { z } from 'zod'
import { DEMO_SECRETS, variables } from '#platform/config-variables.ts'
import { missingPayPalVariables } from '#platform/paypal-variables.ts'
import { blockedOrigins } from '#platform/origins.ts'
import { missingMerchantVariables } from '#platform/merchant-variables.ts'
import { missingResolveVariables } from '#platform/resolve-variables.ts'
import { missingFinancingVariables } from '#platform/financing-variables.ts'
import { missingFileVariables } from './file-variables.ts'
import { missingSupplierVariables } from '#platform/supplier-variables.ts'

/** Whether the address is reachable only from this machine. */
function isLocal(origin: string): boolean {
  const { hostname } = new URL(origin)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  )
}

const textNames = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const
const identityNames = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
/** Variables that must be set together. */
const pairs = [
  ['OIDC_ONE_TAP_VERIFY_URL', 'OIDC_ONE_TAP_FRAME_URL', 'one tap'],
  ['ANALYTICS_TAG_URL', 'ANALYTICS_TAG_ID', 'the tag'],
  ['FEDEX_API_KEY', 'FEDEX_SECRET_KEY', 'FedEx'],
  ['ID_ME_CLIENT_ID', 'ID_ME_CLIENT_SECRET', 'ID.me'],
] as const

// The demo's secrets are public, so anyone could use them to report an order as paid or delivered.
export const environment = variables.superRefine(refuseBlockedPorts).superRefine((env, context) => {
  if (identityNames.some((name) => env[name] !== undefined)) {
    for (const name of identityNames.filter((name) => env[name] === undefined))
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'must be given with the others of the sign-in provider',
      })
  }
  for (const [first, second, what] of pairs) {
    if ((env[first] === undefined) === (env[second] === undefined)) continue
    const missing = env[first] === undefined ? first : second
    context.addIssue({ code: 'custom', path: [missing], message: `must be given with the other one of ${what}` })
  }
  const others = {
    Twilio: missingTextVariables(env),
    'the bucket': missingFileVariables(env),
    PayPal: missingPayPalVariables(env),
    'the suppliers': missingSupplierVariables(env),
    'the lender': missingFinancingVariables(env),
    Resolve: missingResolveVariables(env),
    'Google Merchant Center': missingMerchantVariables(env),
  }
  for (const [whose, missing] of Object.entries(others))
    for (const name of missing)
      context.addIssue({ code: 'custom', path: [name], message: `must be given with the others of ${whose}` })
  if (env.SYNTHETIC_BUYER && !isDemoAtHome(env))
    context.addIssue({
      code: 'custom',
      path: ['SYNTHETIC_BUYER'],
      message: 'must be 0 where the store is no demo of this machine',
    })
  if (isDemoAtHome(env)) return
  for (const [name, demo] of Object.entries(DEMO_SECRETS)) {
    if ([env[name as keyof typeof DEMO_SECRETS]].flat().includes(demo)) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message:
          'must be your own: the demo’s is printed in its source, and is taken only with DEMO=1 at an address of this machine',
      })
    }
  }
})

/** A store at such a port starts, and then neither browsers nor its own processes can call it. */
function refuseBlockedPorts(env: z.infer<typeof variables>, context: z.RefinementCtx): void {
  for (const { name, port } of blockedOrigins(env))
    context.addIssue({ code: 'custom', path: [name], message: `browsers block port ${port}; choose another port` })
}

/** The names of Twilio's that are missing where some are given. */
function missingTextVariables(env: z.infer<typeof variables>): string[] {
  return textNames.some((name) => env[name] !== undefined) ? textNames.filter((name) => env[name] === undefined) : []
}

/**
 * Returns whether this is a demo that only its own machine can reach. Only then are the sandbox's public secrets
 * accepted.
 */
export function isDemoAtHome(env: z.infer<typeof variables>): boolean {
  return env.DEMO && env.PAYMENTS === 'sandbox' && (env.PUBLIC_ORIGIN === undefined || isLocal(env.PUBLIC_ORIGIN))
}
