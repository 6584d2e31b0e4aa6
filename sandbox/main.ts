import { join } from 'node:path'
import { systemClock } from '#platform/clock.ts'
import type { Secrets } from '#platform/secrets.ts'
import { createSandbox } from './sandbox.ts'

// The only place in the sandbox that reads the environment.
const { env } = process
const port = Number(env.SANDBOX_PORT ?? 4001)
const storeOrigin = env.STORE_ORIGIN ?? 'http://localhost:4000'
const publicOrigin = env.SANDBOX_ORIGIN ?? `http://localhost:${port}`

const sandbox = createSandbox({
  port,
  smtpPort: Number(env.SANDBOX_SMTP_PORT ?? port + 1),
  smtpLogins: env.SANDBOX_SMTP_LOGINS === undefined ? null : secretsOf(env.SANDBOX_SMTP_LOGINS),
  host: env.SANDBOX_HOST ?? '127.0.0.1',
  publicOrigin,
  storeOrigin,
  stripeSecretKey: secretsOf(env.SANDBOX_STRIPE_KEY ?? 'sk_test_sidewall'),
  webhookSecret: env.SANDBOX_WEBHOOK_SECRET ?? 'whsec_sidewall',
  webhookUrl: `${storeOrigin}/webhooks/payments`,
  paypalClientId: env.SANDBOX_PAYPAL_CLIENT_ID ?? 'sidewall-demo-paypal-client',
  paypalClientSecret: secretsOf(env.SANDBOX_PAYPAL_CLIENT_SECRET ?? 'sidewall-demo-paypal-secret'),
  paypalWebhookId: env.SANDBOX_PAYPAL_WEBHOOK_ID ?? '8PT597110X687430LKGECATA',
  paypalWebhookUrl: `${storeOrigin}/webhooks/payments/paypal`,
  resolveMerchantId: env.SANDBOX_RESOLVE_MERCHANT_ID ?? 'sidewall',
  resolveSecretKey: env.SANDBOX_RESOLVE_SECRET_KEY ?? 'sidewall-demo-resolve-secret',
  resolveWebhookSecret: env.SANDBOX_RESOLVE_WEBHOOK_SECRET ?? 'sidewall-demo-resolve-webhook',
  resolveUrl: `${storeOrigin}/webhooks/payments/resolve`,
  easyPostKey: secretsOf(env.SANDBOX_EASYPOST_KEY ?? 'EZTK_sidewall'),
  fedExProjects: secretsOf(env.SANDBOX_FEDEX_PROJECTS ?? 'l7sidewall:sidewall-demo-fedex-secret'),
  carrierSecret: env.SANDBOX_CARRIER_SECRET ?? 'sandbox-carrier-secret',
  carrierCallbackUrl: `${storeOrigin}/webhooks/carrier`,
  carrierPaceSeconds: Number(env.SANDBOX_CARRIER_PACE_SECONDS ?? 20),
  supplierSecret: env.SANDBOX_SUPPLIER_SECRET ?? 'sidewall-demo-supplier-secret',
  supplierCallbackSecret: env.SANDBOX_SUPPLIER_CALLBACK_SECRET ?? 'sandbox-supplier-secret',
  supplierUrl: `${storeOrigin}/webhooks/suppliers`,
  identityClientId: env.SANDBOX_IDENTITY_CLIENT_ID ?? 'sidewall',
  identityClientSecret: secretsOf(env.SANDBOX_IDENTITY_CLIENT_SECRET ?? 'sidewall-demo-identity-secret'),
  idMeClientId: env.SANDBOX_ID_ME_CLIENT_ID ?? 'sidewall-military',
  idMeClientSecret: env.SANDBOX_ID_ME_CLIENT_SECRET ?? 'sidewall-demo-id-me-secret',
  twilioAccountSid: env.SANDBOX_TWILIO_SID ?? 'AC00000000000000000000000000000000',
  twilioAuthToken: secretsOf(env.SANDBOX_TWILIO_TOKEN ?? 'sidewall-demo-twilio-token'),
  textsUrl: `${storeOrigin}/webhooks/texts`,
  mailSigningKey: env.SANDBOX_MAILGUN_KEY ?? 'sidewall-demo-mailgun-key',
  mailUrls: { events: `${storeOrigin}/webhooks/mail`, incoming: `${storeOrigin}/webhooks/mail-in` },
  financingClientId: env.SANDBOX_FINANCING_CLIENT_ID ?? 'sidewall',
  financingClientSecret: secretsOf(env.SANDBOX_FINANCING_CLIENT_SECRET ?? 'sidewall-demo-financing-secret'),
  financingWebhookSecret: env.SANDBOX_FINANCING_WEBHOOK_SECRET ?? 'sidewall-demo-financing-webhook',
  financingUrl: `${storeOrigin}/webhooks/payments/lender`,
  stallSeconds: 20,
  dataFile: join(env.DATA_DIR ?? '.data', 'sandbox.sqlite'),
  clock: systemClock,
})

/** One secret, or several with commas between them. */
function secretsOf(text: string): Secrets {
  const [first = '', ...others] = text.split(',')
  return [first, ...others]
}

await sandbox.start()
console.log(`Sandbox (no real money): ${publicOrigin}`)
process.send?.({ type: 'ready' })

// Without the supervisor nothing would stop this process later.
process.once('disconnect', () => void sandbox.stop())
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void sandbox.stop())
}
