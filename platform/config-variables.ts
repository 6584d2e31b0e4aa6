/**
 * The variables of the environment, by what they are for, each with what to set. docs/settings.md is generated from
 * here; platform/config.ts reads them and makes one typed value of them. Lines are long where a sentence is.
 * Over 400 lines: one table.
 */
import { z } from 'zod'
import { countOf } from './count-text.ts'
import { CANCEL_WITHIN_MINUTES } from './business-constants.ts'
import { ownSecret, secretList } from './config-secret.ts'
import { eligibilityVariables } from './eligibility-config.ts'
import { fileVariables } from './file-variables.ts'
import { financingVariables } from './financing-variables.ts'
import { merchantVariables } from './merchant-variables.ts'
import { paypalVariables } from './paypal-variables.ts'
import { plateVariables } from './plate-variables.ts'
import { purchasingVariables } from './purchasing-variables.ts'
import { resolveVariables } from './resolve-variables.ts'
import { sizeVariables } from './size-variables.ts'
import { supplierVariables } from './supplier-variables.ts'

const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}
const port = whole(1, 65_535)
const databaseAddress = z
  .string({ error: 'must be given' })
  .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgres://' })
const flag = z.enum(['0', '1'], { error: 'must be 0 or 1' }).transform((value) => value === '1')
const webAddress = z.url({ protocol: /^https?$/ })
const originList = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((origins) => origins.every((origin) => /^https?:\/\/[\w*.:-]+$/.test(origin)), {
    error: 'must be origins with commas between them',
  })
const namesAmong = <const Names extends readonly string[]>(names: Names) =>
  z
    .string()
    .transform((text) => text.split(',').filter((name) => name !== ''))
    .pipe(z.array(z.enum(names)))

/** Secrets shared by the sandbox and the store in a local demo. Every other store must supply its own. */
export const DEMO_SECRETS = {
  SESSION_SECRET: 'sidewall-demo-session-secret',
  STRIPE_SECRET_KEY: 'sk_test_sidewall',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sidewall',
  STRIPE_WEBHOOK_SECRET: 'whsec_sidewall',
  EASYPOST_API_KEY: 'EZTK_sidewall',
  CARRIER_CALLBACK_SECRET: 'sandbox-carrier-secret',
}

/** Of secrets that others prove themselves with. */
const several = ' [Several](runbooks/secrets.md) during rotation.'
export const demoStore = {
  name: 'Sidewall',
  phone: '(800) 555-0142',
  email: 'help@sidewall.example',
  address: '100 Sample Street, Chicago, IL 60601',
} as const
export const feedNames = ['products', 'regions', 'local', 'fitment', 'meta', 'microsoft'] as const
export const stripePayLater = ['klarna', 'affirm', 'afterpay'] as const
export const stripeWallets = ['apple-pay', 'google-pay'] as const

export const databaseVariables = z.object({
  DATABASE_URL: databaseAddress.describe("The PostgreSQL database, created with `encoding 'UTF8'`."),
  DATABASE_DIRECT_URL: databaseAddress
    .optional()
    .describe(
      'The same database without its pooler, for migrations, the worker and commands. If set, `DATABASE_URL` is assumed to use a pooler in transaction mode ([PgBouncer](runbooks/pgbouncer.md)).',
    ),
  DATABASE_POOLER_PREPARES: flag
    .default(false)
    .describe(
      'Whether that pooler supports named prepared statements (PgBouncer 1.21 or newer with `max_prepared_statements`).',
    ),
  DATABASE_REPLICA_URL: databaseAddress
    .optional()
    .describe(
      'A streaming replica, without a pooler, for catalog reads of web processes ([failover](runbooks/failover.md#replica-reads)).',
    ),
  DATABASE_REPLICA_LAG_SECONDS: whole(1, 60).default(5).describe('Maximum replica lag; beyond it the primary answers.'),
  DATABASE_POOL: whole(2, 200).default(12).describe('Connections per process.'),
  DATABASE_CONNECT_SECONDS: whole(1, 60).default(5).describe('Maximum wait of a page for a connection.'),
  DATABASE_STATEMENT_SECONDS: whole(1, 600).default(5).describe('Maximum duration of a query.'),
  DATABASE_LOCK_SECONDS: whole(1, 600).default(3).describe('Maximum wait for a lock.'),
  DATABASE_IDLE_TRANSACTION_SECONDS: whole(1, 600).default(10).describe('Maximum idle time of a transaction.'),
  DATABASE_JOB_STATEMENT_SECONDS: whole(1, 3_600)
    .default(60)
    .describe('Maximum duration of queries and locks in jobs.'),
})

/** The store's own secrets. */
export const sessionVariables = z.object({
  SESSION_SECRET: ownSecret(DEMO_SECRETS.SESSION_SECRET).describe(
    'Signs cookies and links. 32 random bytes or more (`openssl rand -hex 32`); [several](runbooks/secrets.md), comma-separated, during rotation. The demo’s secrets are accepted only in a demo (`DEMO=1`, no real payments) at a local address.',
  ),
})

const webVariables = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('production')
    .describe('`npm run dev` and the tests set their own.'),
  PORT: port.default(4000).describe('Port of the web process.'),
  PUBLIC_ORIGIN: z
    .url()
    .optional()
    .describe('The public origin; form posts are checked against it. By default `http://localhost:PORT`.'),
  BUSY_AFTER_SECONDS: whole(1, 60)
    .default(1)
    .describe(
      'How long a buying request waits in an overloaded process before 503 with `Retry-After`; five times as long for browsing.',
    ),
  PROXY_HOPS: whole(0, 10)
    .default(0)
    .describe('Number of your proxies. This many entries at the end of `X-Forwarded-For` are trusted.'),
  FORWARDED_HEADER: z
    .enum(['x-forwarded-for', 'forwarded'])
    .default('x-forwarded-for')
    .describe(
      'The header with the client’s address. Choose `forwarded` (RFC 7239) only if your proxies set or remove it on every request.',
    ),
  HOST: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The address of the web process. A demo listens on `127.0.0.1` by default, because its secrets are public; other stores, and `*`, on all addresses.',
    ),
  ...sessionVariables.shape,
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe('The folder for files; its folders `pictures` and `seo` are caches.'),
  API_CALLS_PER_MINUTE: whole(1, 10_000_000).default(600).describe('API calls per network and minute.'),
  NETWORK_ATTEMPTS_FACTOR: whole(1, 1_000)
    .default(1)
    .describe('Multiplies a network’s attempt limits ([security](security.md)), for shoppers who share an address.'),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info').describe('How much is logged.'),
  METRICS_PORT: whole(1, 65_534)
    .optional()
    .describe(
      'Where the web process serves `GET /metrics` to Prometheus; the worker uses the next port ([observe](runbooks/observe.md)). No metrics if unset.',
    ),
  METRICS_HOST: z.string().min(1).default('127.0.0.1').describe('The address it listens on.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress
    .optional()
    .describe(
      'OTLP/HTTP endpoint for [traces](runbooks/observe.md#traces), such as `http://collector:4318`. No traces if unset.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a number from 0 to 1' })
    .min(0, { error: 'must be a number from 0 to 1' })
    .max(1, { error: 'must be a number from 0 to 1' })
    .default(1)
    .describe('Sampled share of traces, at most 50 a second per process.'),
})

const storeVariables = z.object({
  STORE_NAME: z.string().min(1).default(demoStore.name).describe('The store’s name.'),
  STORE_PHONE: z.string().min(7).default(demoStore.phone).describe('Its phone number, as people read it.'),
  STORE_EMAIL: z.email().default(demoStore.email).describe('Its email address for customers.'),
  STORE_ADDRESS: z
    .string()
    .min(10)
    .max(200)
    .default(demoStore.address)
    .describe(
      'Its postal address in one line, shown in commercial emails (16 CFR 316). The setup checklist requires it before the store opens.',
    ),
  DEMO: flag.default(true).describe('`1` labels everything as samples. Set `0` for a real store.'),
  INDEX: flag
    .optional()
    .describe('Whether search engines may index the store. By default a demo is not indexed and a real store is.'),
  FEEDS: namesAmong(feedNames)
    .optional()
    .describe('The served [feeds](product-feeds.md); by default products, in a demo all.'),
  RELEASE_AFTER_SECONDS: whole(0, 86_400)
    .default(1800)
    .describe(
      `How long an order waits before it is charged and shipped. Shoppers are promised ${countOf(CANCEL_WITHIN_MINUTES, 'minute')}; only tests and demos shorten it.`,
    ),
  SANDBOX_PORT: port
    .default(4001)
    .describe(
      'Where the sandbox of the demo listens; its mail server uses the next port, and its SFTP server the one after.',
    ),
  SANDBOX_ORIGIN: z.url().optional().describe('Its address, if it is not `http://localhost:SANDBOX_PORT`.'),
  SYNTHETIC_BUYER: flag
    .default(false)
    .describe(
      'In a demo, buys four tires every minute over the API and cancels the order ([observe](runbooks/observe.md#synthetic-buyer)).',
    ),
})

const stripeVariables = z.object({
  PAYMENTS: z
    .enum(['sandbox', 'stripe'])
    .default('sandbox')
    .describe('`stripe` charges cards; `sandbox` plays Stripe’s API for the demo.'),
  STRIPE_SECRET_KEY: z.string().min(1).default(DEMO_SECRETS.STRIPE_SECRET_KEY).describe('Stripe’s secret key.'),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .min(1)
    .default(DEMO_SECRETS.STRIPE_PUBLISHABLE_KEY)
    .describe('Stripe’s publishable key.'),
  STRIPE_WEBHOOK_SECRET: secretList(1)
    .prefault(DEMO_SECRETS.STRIPE_WEBHOOK_SECRET)
    .describe(`The webhook secret for \`/webhooks/payments\`.${several}`),
  STRIPE_CONNECT_WEBHOOK_SECRET: secretList(1)
    .optional()
    .describe('The secret of the endpoint for connected accounts, if separate; several as above.'),
  STRIPE_API_ORIGIN: webAddress
    .default('https://api.stripe.com')
    .describe('Stripe’s API, or a server such as stripe-mock.'),
  STRIPE_PAY_LATER: namesAmong(stripePayLater).optional().describe('Enabled pay-later methods; in the sandbox all.'),
  STRIPE_WALLETS: namesAmong(stripeWallets)
    .optional()
    .describe('Enabled wallets; in the sandbox all. They need the store’s domain at Stripe: `npm run payment-domain`.'),
  APPLE_PAY_DOMAIN_ASSOCIATION: z
    .string()
    .min(1)
    .max(100_000)
    .optional()
    .describe('The text or path of Apple’s domain file from Stripe, served under `/.well-known/`.'),
  SALES_TAX: z
    .enum(['table', 'stripe'])
    .default('table')
    .describe(
      '`stripe` asks Stripe Tax with the same key for the tax of each cart and reports what was charged and refunded; `table` uses the [imported rates](feeds/README.md#sales-taxcsv-sales-tax-rates-by-zip) alone.',
    ),
})

const carrierVariables = z.object({
  CARRIER: z
    .enum(['sandbox', 'easypost'])
    .default('sandbox')
    .describe('`sandbox` plays EasyPost’s API; both need its key. Give your warehouses their streets.'),
  EASYPOST_API_KEY: z.string().min(1).default(DEMO_SECRETS.EASYPOST_API_KEY).describe('EasyPost’s key.'),
  EASYPOST_API_ORIGIN: webAddress.default('https://api.easypost.com').describe('EasyPost’s API.'),
  CARRIER_CALLBACK_SECRET: ownSecret(DEMO_SECRETS.CARRIER_CALLBACK_SECRET).describe(
    'The secret of EasyPost’s webhook to `/webhooks/carrier` (`tracker.created`, `tracker.updated`), as random as `SESSION_SECRET`; several alike.',
  ),
  FEDEX_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A project at developer.fedex.com with the Locations Search API, for pickup locations. Without it, pickup locations are available only in a demo.',
    ),
  FEDEX_SECRET_KEY: z.string().min(1).optional().describe('Its secret key; both or neither.'),
  FEDEX_API_ORIGIN: webAddress
    .default('https://apis.fedex.com')
    .describe('FedEx’s API; https://apis-sandbox.fedex.com for its own sandbox.'),
})

const messageVariables = z.object({
  SMTP_URL: z.url().optional().describe('The mail server; by default the sandbox’s.'),
  MAIL_FROM: z
    .string()
    .min(3)
    .default('Sidewall <orders@sidewall.example>')
    .describe(
      'The sender. Have your mail server sign `List-Unsubscribe` and `List-Unsubscribe-Post` with DKIM, or mail programs show no unsubscribe button.',
    ),
  MAILGUN_SIGNING_KEY: secretList(16)
    .optional()
    .describe(
      `Verifies what Mailgun posts to \`/webhooks/mail\` and \`/webhooks/mail-in\`; without it they are closed.${several}`,
    ),
  MAIL_REPLY_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]{4,253}$/, { error: 'must be a domain in lowercase' })
    .optional()
    .describe(
      'The domain whose mail the provider’s inbound route hands to `/webhooks/mail-in`; without it, replies go to `STORE_EMAIL`.',
    ),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/)
    .optional()
    .describe(
      'The Twilio account for text messages, set together with the two below. Its inbound webhook is `/webhooks/texts`. No texts without it, except in a demo.',
    ),
  TWILIO_AUTH_TOKEN: secretList(16).optional().describe(`Its token.${several} The first is sent to Twilio.`),
  TWILIO_FROM: z
    .string()
    .regex(/^(?:MG[0-9a-fA-F]{32}|\+1\d{10})$/)
    .optional()
    .describe('The SID of a messaging service (`MG…`), or a number such as +13125550100.'),
  TWILIO_API_ORIGIN: webAddress.default('https://api.twilio.com').describe('Twilio’s API.'),
})

const identityVariables = z.object({
  OIDC_ISSUER: z
    .url()
    .optional()
    .describe(
      'The OpenID Connect provider where people sign in. It must allow redirects to `/api/sso-landing`, `/account?changed=1`, `/office/account` and `/`. Without one the demo uses its sandbox, and any other store has no accounts. For Keycloak there is a [realm to import](../deploy/keycloak/README.md).',
    ),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('The store’s client there.'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Its secret.'),
  OIDC_SCOPE: z.string().min(6).default('openid email profile').describe('Scopes that the store requests.'),
  OIDC_APPROVAL_PROMPT: z
    .enum(['auto', 'force'])
    .optional()
    .describe(
      'Sent as `approval_prompt` with each sign-in. Leave it unset for providers that reject it, such as Google. The demo’s provider gets `auto`.',
    ),
  OIDC_ASSUME_EMAIL_VERIFIED: flag
    .default(false)
    .describe(
      '`1` treats emails without `email_verified` as verified, which Microsoft Entra ID and AD FS need for staff roles, shop roles and invitations. **Warning**: set it only if people can’t choose their email at the provider. Anyone who can set an email there could sign in as its owner.',
    ),
  OIDC_SECOND_FACTOR_ACR: z
    .string()
    .max(1_000)
    .default('')
    .transform((text) => text.split(/\s+/).filter((value) => value !== ''))
    .describe(
      'The provider’s `acr` values for sign-ins with a second factor, separated by spaces, such as `2 3`. Only for providers without `amr`. Other values then count as signed in without a second factor.',
    ),
  OIDC_EDIT_PROFILE_URL: z.url().optional().describe('The provider’s page where people change their name.'),
  OIDC_CHANGE_PASSWORD_URL: z.url().optional().describe('The provider’s page where people change their password.'),
  OIDC_SECURITY_URL: z
    .url()
    .optional()
    .describe(
      'The provider’s page where people add passkeys and second factors. Team members open it from their account in the back office.',
    ),
  OIDC_ONE_TAP_VERIFY_URL: z
    .url()
    .optional()
    .describe('One Tap verification endpoint, if the provider supports it. Set together with the next one.'),
  OIDC_ONE_TAP_FRAME_URL: z.url().optional().describe('The page to frame that issues a credential.'),
})

const pageVariables = z.object({
  ANALYTICS_TAG_URL: z
    .url()
    .optional()
    .describe(
      'The script of an analytics tag, such as `https://www.googletagmanager.com/gtag/js`. With its ID, or neither.',
    ),
  ANALYTICS_TAG_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, { error: 'must be letters, digits, dots and dashes' })
    .optional()
    .describe('The store’s ID there.'),
  ANALYTICS_ORIGINS: originList.default([]).describe('Other origins that the tag sends data to.'),
  ANALYTICS_ASK: z
    .string()
    .regex(/^(everywhere|nowhere|[A-Z]{2}(,[A-Z]{2})*)$/, { error: 'must be everywhere, nowhere or states as CA,CO' })
    .transform((text) => (text === 'everywhere' || text === 'nowhere' ? text : text.split(',')))
    .default('everywhere')
    .describe('Regions where analytics need consent: `everywhere`, `nowhere`, or states as `CA,CO`.'),
  MAP_STYLE_URL: webAddress
    .optional()
    .describe(
      'A [MapLibre style](https://maplibre.org/maplibre-style-spec/) with streets; without one, maps use the data of this repository.',
    ),
  MAP_ORIGINS: originList.default([]).describe('Other origins that this style reads tiles, fonts and symbols from.'),
})

/** Every variable, by what it is for, in the order in which docs/settings.md shows them. */
export const variableGroups = {
  Database: databaseVariables,
  'Web and worker': webVariables,
  'Files that people send': fileVariables,
  'The store': storeVariables,
  'Cards, pay later, wallets and tax': stripeVariables,
  PayPal: paypalVariables,
  Lender: financingVariables,
  'Net terms': resolveVariables,
  'Carriers and pickup points': carrierVariables,
  'License plates': plateVariables,
  'Original sizes': sizeVariables,
  'Mail and text messages': messageVariables,
  'Signing in': identityVariables,
  'Military service': eligibilityVariables,
  'Purchasing systems of companies': purchasingVariables,
  Suppliers: supplierVariables,
  'Google Merchant Center': merchantVariables,
  'Analytics and maps': pageVariables,
}

export const variables = z.object({
  ...databaseVariables.shape,
  ...webVariables.shape,
  ...fileVariables.shape,
  ...storeVariables.shape,
  ...stripeVariables.shape,
  ...paypalVariables.shape,
  ...financingVariables.shape,
  ...resolveVariables.shape,
  ...carrierVariables.shape,
  ...plateVariables.shape,
  ...sizeVariables.shape,
  ...messageVariables.shape,
  ...identityVariables.shape,
  ...eligibilityVariables.shape,
  ...purchasingVariables.shape,
  ...supplierVariables.shape,
  ...merchantVariables.shape,
  ...pageVariables.shape,
})
