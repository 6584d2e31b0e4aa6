/**
 * The settings for a real store on the sandbox's providers, with separate keys and without demo data or demo accounts.
 */
import { ownSecrets } from './own-secrets.ts'

/** The store's secret at its identity provider. */
const identitySecret = 'a secret of Lakeview Tire at its provider'

/** Environment variables for every process of the store. */
export function realStoreEnv(sandboxOrigin: string): Record<string, string> {
  return {
    DEMO: '0',
    ...ownSecrets,
    SANDBOX_DEMO_PEOPLE: '0',
    SANDBOX_STRIPE_KEY: ownSecrets.STRIPE_SECRET_KEY,
    SANDBOX_WEBHOOK_SECRET: ownSecrets.STRIPE_WEBHOOK_SECRET,
    SANDBOX_EASYPOST_KEY: ownSecrets.EASYPOST_API_KEY,
    SANDBOX_CARRIER_SECRET: ownSecrets.CARRIER_CALLBACK_SECRET,
    OIDC_ISSUER: `${sandboxOrigin}/identity`,
    OIDC_CLIENT_ID: 'lakeview',
    OIDC_CLIENT_SECRET: identitySecret,
    SANDBOX_IDENTITY_CLIENT_ID: 'lakeview',
    SANDBOX_IDENTITY_CLIENT_SECRET: identitySecret,
    SALES_TAX: 'stripe',
  }
}
