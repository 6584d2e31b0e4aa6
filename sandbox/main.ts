import { join } from 'node:path'
import { systemClock } from '#platform/clock.ts'
import type { Secrets } from '#platform/secrets.ts'
import { runAsProcess, type StartProgram } from '#platform/program.ts'
import { createSandbox } from './sandbox.ts'
import { demoEdiLogin } from './suppliers/edi.ts'

/** The defaults for unset environment variables. */
const defaults = {
  SANDBOX_PORT: '4001',
  STORE_ORIGIN: 'http://localhost:4000',
  SANDBOX_HOST: '127.0.0.1',
  SANDBOX_STRIPE_KEY: 'sk_test_sidewall',
  SANDBOX_WEBHOOK_SECRET: 'whsec_sidewall',
  SANDBOX_PAYPAL_CLIENT_ID: 'sidewall-demo-paypal-client',
  SANDBOX_PAYPAL_CLIENT_SECRET: 'sidewall-demo-paypal-secret',
  SANDBOX_PAYPAL_WEBHOOK_ID: '8PT597110X687430LKGECATA',
  SANDBOX_RESOLVE_MERCHANT_ID: 'sidewall',
  SANDBOX_RESOLVE_SECRET_KEY: 'sidewall-demo-resolve-secret',
  SANDBOX_RESOLVE_WEBHOOK_SECRET: 'sidewall-demo-resolve-webhook',
  SANDBOX_EASYPOST_KEY: 'EZTK_sidewall',
  SANDBOX_FEDEX_PROJECTS: 'l7sidewall:sidewall-demo-fedex-secret',
  SANDBOX_CARSXE_KEY: 'sidewall-demo-carsxe-key',
  SANDBOX_WHEEL_SIZE_KEY: 'sidewall-demo-wheel-size-key',
  SANDBOX_CARRIER_SECRET: 'sandbox-carrier-secret',
  SANDBOX_CARRIER_PACE_SECONDS: '20',
  SANDBOX_SUPPLIER_SECRET: 'sidewall-demo-supplier-secret',
  SANDBOX_SUPPLIER_CALLBACK_SECRET: 'sandbox-supplier-secret',
  SANDBOX_EDI_USERNAME: demoEdiLogin.username,
  SANDBOX_EDI_PASSWORD: demoEdiLogin.password,
  SANDBOX_IDENTITY_CLIENT_ID: 'sidewall',
  SANDBOX_IDENTITY_CLIENT_SECRET: 'sidewall-demo-identity-secret',
  SANDBOX_DEMO_PEOPLE: '1',
  SANDBOX_DEMO_STOCK: '0',
  SANDBOX_ID_ME_CLIENT_ID: 'sidewall-military',
  SANDBOX_ID_ME_CLIENT_SECRET: 'sidewall-demo-id-me-secret',
  SANDBOX_TWILIO_SID: 'AC00000000000000000000000000000000',
  SANDBOX_TWILIO_TOKEN: 'sidewall-demo-twilio-token',
  SANDBOX_MAILGUN_KEY: 'sidewall-demo-mailgun-key',
  SANDBOX_FINANCING_CLIENT_ID: 'sidewall',
  SANDBOX_FINANCING_CLIENT_SECRET: 'sidewall-demo-financing-secret',
  SANDBOX_FINANCING_WEBHOOK_SECRET: 'sidewall-demo-financing-webhook',
  DATA_DIR: '.data',
}

/** Starts all simulated services; the environment is read nowhere else in the sandbox. */
export const startProgram: StartProgram = async (env) => {
  const settings: typeof defaults & Record<string, string | undefined> = { ...defaults, ...env }
  const port = Number(settings.SANDBOX_PORT)
  const storeOrigin = settings.STORE_ORIGIN
  const publicOrigin = settings.SANDBOX_ORIGIN ?? `http://localhost:${port}`

  const sandbox = createSandbox({
    port,
    smtpPort: Number(settings.SANDBOX_SMTP_PORT ?? port + 1),
    smtpLogins: settings.SANDBOX_SMTP_LOGINS === undefined ? null : secretsOf(settings.SANDBOX_SMTP_LOGINS),
    host: settings.SANDBOX_HOST,
    publicOrigin,
    storeOrigin,
    stripeSecretKey: secretsOf(settings.SANDBOX_STRIPE_KEY),
    webhookSecret: settings.SANDBOX_WEBHOOK_SECRET,
    webhookUrl: `${storeOrigin}/webhooks/payments`,
    paypalClientId: settings.SANDBOX_PAYPAL_CLIENT_ID,
    paypalClientSecret: secretsOf(settings.SANDBOX_PAYPAL_CLIENT_SECRET),
    paypalWebhookId: settings.SANDBOX_PAYPAL_WEBHOOK_ID,
    paypalWebhookUrl: `${storeOrigin}/webhooks/payments/paypal`,
    resolveMerchantId: settings.SANDBOX_RESOLVE_MERCHANT_ID,
    resolveSecretKey: settings.SANDBOX_RESOLVE_SECRET_KEY,
    resolveWebhookSecret: settings.SANDBOX_RESOLVE_WEBHOOK_SECRET,
    resolveUrl: `${storeOrigin}/webhooks/payments/resolve`,
    easyPostKey: secretsOf(settings.SANDBOX_EASYPOST_KEY),
    fedExProjects: secretsOf(settings.SANDBOX_FEDEX_PROJECTS),
    carsXeKey: secretsOf(settings.SANDBOX_CARSXE_KEY),
    wheelSizeKey: secretsOf(settings.SANDBOX_WHEEL_SIZE_KEY),
    carrierSecret: settings.SANDBOX_CARRIER_SECRET,
    carrierCallbackUrl: `${storeOrigin}/webhooks/carrier`,
    carrierPaceSeconds: Number(settings.SANDBOX_CARRIER_PACE_SECONDS),
    supplierSecret: settings.SANDBOX_SUPPLIER_SECRET,
    supplierCallbackSecret: settings.SANDBOX_SUPPLIER_CALLBACK_SECRET,
    supplierUrl: `${storeOrigin}/webhooks/suppliers`,
    hasDemoStock: settings.SANDBOX_DEMO_STOCK === '1',
    sftpPort: settings.SANDBOX_SFTP_PORT === undefined ? null : Number(settings.SANDBOX_SFTP_PORT),
    ediUsername: settings.SANDBOX_EDI_USERNAME,
    ediPassword: settings.SANDBOX_EDI_PASSWORD,
    identityClientId: settings.SANDBOX_IDENTITY_CLIENT_ID,
    identityClientSecret: secretsOf(settings.SANDBOX_IDENTITY_CLIENT_SECRET),
    hasDemoPeople: settings.SANDBOX_DEMO_PEOPLE === '1',
    idMeClientId: settings.SANDBOX_ID_ME_CLIENT_ID,
    idMeClientSecret: settings.SANDBOX_ID_ME_CLIENT_SECRET,
    twilioAccountSid: settings.SANDBOX_TWILIO_SID,
    twilioAuthToken: secretsOf(settings.SANDBOX_TWILIO_TOKEN),
    textsUrl: `${storeOrigin}/webhooks/texts`,
    mailSigningKey: settings.SANDBOX_MAILGUN_KEY,
    mailUrls: { events: `${storeOrigin}/webhooks/mail`, incoming: `${storeOrigin}/webhooks/mail-in` },
    financingClientId: settings.SANDBOX_FINANCING_CLIENT_ID,
    financingClientSecret: secretsOf(settings.SANDBOX_FINANCING_CLIENT_SECRET),
    financingWebhookSecret: settings.SANDBOX_FINANCING_WEBHOOK_SECRET,
    financingUrl: `${storeOrigin}/webhooks/payments/lender`,
    stallSeconds: 20,
    dataFile: join(settings.DATA_DIR, 'sandbox.sqlite'),
    clock: systemClock,
  })

  await sandbox.start()
  console.log(`Sandbox (no real money): ${publicOrigin}`)
  let stopped: Promise<void> | undefined
  return { stop: () => (stopped ??= sandbox.stop()) }
}

/** One secret, or several with commas between them. */
function secretsOf(text: string): Secrets {
  const [first = '', ...others] = text.split(',')
  return [first, ...others]
}

if (import.meta.main) await runAsProcess(startProgram)
