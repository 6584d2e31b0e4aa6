/**
 * The only place that reads the environment. Parses the variables into one typed, frozen value. Reports all errors
 * together, by name and never with the value, which could be a secret.
 */
import type { z } from 'zod'
import {
  databaseVariables,
  feedNames,
  sessionVariables,
  stripePayLater,
  stripeWallets,
  variables,
} from '#platform/config-variables.ts'
import { shapePayPal } from '#platform/paypal-variables.ts'
import { originsOf } from '#platform/origins.ts'
import type { PhoneHours } from '#platform/phone-hours.ts'
import { PlainError } from '#platform/plain-error.ts'
import { shapeMerchant } from '#platform/merchant-variables.ts'
import { shapeResolve } from '#platform/resolve-variables.ts'
import { shapeFinancing } from '#platform/financing-variables.ts'
import { shapeEligibility } from './eligibility-config.ts'
import { fileVariables, missingFileVariables, shapeFiles, type FileConfig } from './file-variables.ts'
import { shapePlates } from '#platform/plate-variables.ts'
import { shapeSizes } from '#platform/size-variables.ts'
import { shapePurchasing } from '#platform/purchasing-variables.ts'
import { shapeSuppliers } from '#platform/supplier-variables.ts'
import type { Secrets } from '#platform/secrets.ts'
import { environment, isDemoAtHome } from './config-checks.ts'

/** The store's client at the sandbox's sign-in service. Any other provider is configured entirely by its variables. */
const DEMO_IDENTITY = { clientId: 'sidewall', clientSecret: 'sidewall-demo-identity-secret' }
/** The store's project at the sandbox's FedEx. */
const DEMO_PLACES = { apiKey: 'l7sidewall', secretKey: 'sidewall-demo-fedex-secret' }
/** The store's account at the sandbox's provider of text messages. */
const DEMO_TEXTS = {
  accountSid: 'AC00000000000000000000000000000000',
  authToken: 'sidewall-demo-twilio-token',
  from: '+18005550142',
}

/** The sandbox delivers mail to it back to the store. */
const demoReplyDomain = 'reply.sidewall.example'
const demoMailSigningKey = 'sidewall-demo-mailgun-key'

export type Config = ReturnType<typeof shape>
export type ConfigFault = { name: string; problem: string }

/**
 * Reads the configuration from `env` (usually process.env). Refuses with the list of all missing or malformed
 * variables, without their values.
 */
export function readConfig(
  env: Record<string, string | undefined>,
): { ok: true; value: Config } | { ok: false; faults: ConfigFault[] } {
  const parsed = environment.safeParse(givenOf(env))
  return parsed.success
    ? { ok: true, value: Object.freeze(shape(parsed.data)) }
    : { ok: false, faults: faultsOf(parsed.error) }
}

/** Treats an empty variable as unset, as in `FOO= npm start`. */
function givenOf(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(variables.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}

function faultsOf({ issues }: z.ZodError): ConfigFault[] {
  const faults = issues.map((issue) => ({ name: String(issue.path[0]), problem: issue.message }))
  // Several secrets in one variable can have the same error.
  return faults.filter(
    ({ name, problem }, at) => at === faults.findIndex((each) => each.name === name && each.problem === problem),
  )
}

/**
 * Loads only the database settings, for commands that don't need others. Throws a `PlainError` that lists every error.
 */
export function loadDatabaseConfig(env: Record<string, string | undefined> = process.env): Config['database'] {
  const parsed = databaseVariables.safeParse(givenOf(env))
  if (!parsed.success) throw unusable(faultsOf(parsed.error))
  return shapeDatabase(parsed.data)
}

function unusable(faults: readonly ConfigFault[]): PlainError {
  return new PlainError(
    `The settings cannot be used: ${faults.map(({ name, problem }) => `${name} (${problem})`).join(', ')}.`,
  )
}

/**
 * Loads only the file store settings, for commands that don't need others. Throws a `PlainError` that lists every
 * error.
 */
export function loadFileConfig(env: Record<string, string | undefined> = process.env): FileConfig {
  const parsed = fileVariables.safeParse(givenOf(env))
  const faults = parsed.success
    ? missingFileVariables(parsed.data).map((name) => ({
        name,
        problem: 'must be given with the others of the bucket',
      }))
    : faultsOf(parsed.error)
  if (!parsed.success || faults.length > 0) throw unusable(faults)
  return shapeFiles(parsed.data, env.DATA_DIR || '.data')
}

/**
 * Loads only the secrets for sealed values in the database, for commands that don't need others. Returns undefined if
 * there aren't any. Throws a `PlainError` if they are invalid.
 */
export function loadSessionSecrets(env: Record<string, string | undefined> = process.env): Secrets | undefined {
  if (!env['SESSION_SECRET']) return undefined
  const parsed = sessionVariables.safeParse(givenOf(env))
  if (!parsed.success) throw unusable(faultsOf(parsed.error))
  return shapeSession(parsed.data).secret
}

/** The same, but throws a one-line error that lists every problem, for processes that cannot start without it. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const read = readConfig(env)
  if (!read.ok)
    throw new Error(`Configuration: ${read.faults.map((fault) => `${fault.name} (${fault.problem})`).join(', ')}`)
  return read.value
}

function shape(env: z.infer<typeof environment>) {
  const { origin, sandboxOrigin } = originsOf(env)
  return {
    mode: env.NODE_ENV,
    demo: env.DEMO,
    search: { isListed: env.INDEX ?? !env.DEMO },
    web: { port: env.PORT, origin, isSecure: origin.startsWith('https:'), proxyHops: env.PROXY_HOPS },
    listen: shapeListen(env),
    forwardedHeader: env.FORWARDED_HEADER,
    overload: { patienceMs: env.BUSY_AFTER_SECONDS * 1_000 },
    sandbox: { port: env.SANDBOX_PORT, origin: sandboxOrigin },
    database: shapeDatabase(env),
    dataDir: env.DATA_DIR,
    files: shapeFiles(env, env.DATA_DIR),
    session: shapeSession(env),
    payments: shapePayments(env, sandboxOrigin),
    salesTax: env.SALES_TAX,
    paypal: shapePayPal(env, isDemoAtHome(env) ? sandboxOrigin : null),
    mail: shapeMail(env),
    texts: shapeTexts(env, sandboxOrigin),
    carrier: {
      apiOrigin: env.CARRIER === 'sandbox' ? sandboxOrigin : env.EASYPOST_API_ORIGIN,
      apiKey: env.EASYPOST_API_KEY,
      callbackSecret: env.CARRIER_CALLBACK_SECRET,
    },
    places: shapePlaces(env, sandboxOrigin),
    ...shapeLookups(env, isDemoAtHome(env) ? sandboxOrigin : null),
    suppliers: shapeSuppliers(env, isDemoAtHome(env) ? sandboxOrigin : null),
    purchasing: shapePurchasing(env, {
      dataDir: env.DATA_DIR,
      sandboxOrigin: isDemoAtHome(env) ? sandboxOrigin : null,
    }),
    financing: shapeFinancing(env, isDemoAtHome(env) ? sandboxOrigin : null),
    resolve: shapeResolve(env, isDemoAtHome(env) ? sandboxOrigin : null),
    merchant: shapeMerchant(env, isDemoAtHome(env) ? sandboxOrigin : null),
    // The sandbox receives webhooks of a demo, on this machine and without https.
    outgoing: { trustedOrigin: isDemoAtHome(env) ? sandboxOrigin : null },
    agents: shapeAgents(env, sandboxOrigin),
    identity: shapeIdentity(env, sandboxOrigin),
    eligibility: shapeEligibility(env, isDemoAtHome(env) ? sandboxOrigin : null),
    limits: { networkFactor: env.NETWORK_ATTEMPTS_FACTOR },
    orders: { releaseAfterSeconds: env.RELEASE_AFTER_SECONDS },
    api: { callsPerMinute: env.API_CALLS_PER_MINUTE },
    feeds: env.FEEDS ?? (env.DEMO ? feedNames : (['products'] as const)),
    log: { level: env.LOG_LEVEL },
    analytics: shapeAnalytics(env),
    map: shapeMap(env),
    ...shapeWatching(env, isDemoAtHome(env) ? sandboxOrigin : null),
    store: shapeStore(env),
  }
}

/**
 * Where the web process listens; without `host` on all addresses. The demo's secrets are public, so it stays at home.
 */
function shapeListen({ HOST, DEMO }: z.infer<typeof environment>): { host?: string } {
  const host = HOST ?? (DEMO ? '127.0.0.1' : '*')
  return host === '*' ? {} : { host }
}

function shapeSession({ SESSION_SECRET: secret }: z.infer<typeof sessionVariables>): { secret: Secrets } {
  return { secret }
}

/** How the store is watched. Each is null where it is not. */
function shapeWatching(env: z.infer<typeof environment>, sandboxOrigin: string | null) {
  const { METRICS_HOST: host, METRICS_PORT: webPort } = env
  return {
    metrics: webPort === undefined ? null : { host, webPort, workerPort: webPort + 1 },
    tracing: shapeTracing(env, sandboxOrigin),
    syntheticBuyer: env.SYNTHETIC_BUYER && sandboxOrigin !== null ? { sandboxOrigin } : null,
  }
}

/** Null for a store that sends no traces. Of the servers it calls only the sandbox is ours to see inside. */
function shapeTracing(env: z.infer<typeof environment>, sandboxOrigin: string | null) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = env
  if (endpoint === undefined) return null
  const known = [env.STRIPE_API_ORIGIN, env.EASYPOST_API_ORIGIN, env.FEDEX_API_ORIGIN, env.TWILIO_API_ORIGIN]
  return {
    endpoint,
    share,
    ownOrigins: sandboxOrigin === null ? [] : [new URL(sandboxOrigin).origin],
    knownOrigins: known.map((address) => new URL(address).origin),
  }
}

/** The one platform that may pass on what a person accepted, and pay with the sandbox's cards: a demo's own. */
function shapeAgents(env: z.infer<typeof environment>, sandboxOrigin: string) {
  return { sandboxPlatform: isDemoAtHome(env) ? `${sandboxOrigin}/agent/profile.json` : null }
}

function shapeMail(env: z.infer<typeof environment>) {
  return {
    smtpUrl: env.SMTP_URL ?? `smtp://localhost:${env.SANDBOX_PORT + 1}`,
    from: env.MAIL_FROM,
    signingKey: env.MAILGUN_SIGNING_KEY ?? (isDemoAtHome(env) ? demoMailSigningKey : null),
    replyDomain: env.MAIL_REPLY_DOMAIN ?? (env.DEMO ? demoReplyDomain : null),
  }
}

function shapePayments(env: z.infer<typeof environment>, sandboxOrigin: string) {
  return {
    kind: env.PAYMENTS,
    apiOrigin: env.PAYMENTS === 'sandbox' ? sandboxOrigin : env.STRIPE_API_ORIGIN,
    secretKey: env.STRIPE_SECRET_KEY,
    publishableKey: env.STRIPE_PUBLISHABLE_KEY,
    webhookSecret: env.STRIPE_WEBHOOK_SECRET,
    connectWebhookSecret: env.STRIPE_CONNECT_WEBHOOK_SECRET ?? null,
    payLater: env.STRIPE_PAY_LATER ?? (env.PAYMENTS === 'sandbox' ? stripePayLater : []),
    wallets: env.STRIPE_WALLETS ?? (env.PAYMENTS === 'sandbox' ? stripeWallets : []),
    applePayDomain: env.APPLE_PAY_DOMAIN_ASSOCIATION ?? null,
  }
}

/** Null for a store without analytics. */
function shapeAnalytics(env: z.infer<typeof environment>) {
  const { ANALYTICS_TAG_URL: tagUrl, ANALYTICS_TAG_ID: tagId, ANALYTICS_ORIGINS: others, ANALYTICS_ASK: ask } = env
  if (tagUrl === undefined || tagId === undefined) return null
  return { tagUrl, tagId, ask, origins: [new URL(tagUrl).origin, ...others] }
}

/** Null for maps drawn from our own data. */
function shapeMap({ MAP_STYLE_URL: styleUrl, MAP_ORIGINS: others }: z.infer<typeof environment>) {
  return styleUrl === undefined ? null : { styleUrl, origins: [new URL(styleUrl).origin, ...others] }
}

/** How shoppers know and reach the store. An owner may set other values in the office. */
type StoreConfig = {
  name: string
  phone: string
  /** The phone hours, or the standard hours if unset. */
  phoneHours?: PhoneHours
  email: string
  /** One line, below emails that their recipients can stop. */
  address: string
}

function shapeStore(env: z.infer<typeof environment>): StoreConfig {
  return { name: env.STORE_NAME, phone: env.STORE_PHONE, email: env.STORE_EMAIL, address: env.STORE_ADDRESS }
}

/** Null for a store that sends no texts. */
function shapeTexts(env: z.infer<typeof environment>, sandboxOrigin: string) {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = env
  if (accountSid !== undefined && authToken !== undefined && from !== undefined)
    return { accountSid, authToken, from, apiOrigin: env.TWILIO_API_ORIGIN }
  // The sandbox's token is public.
  return isDemoAtHome(env) ? { ...DEMO_TEXTS, apiOrigin: sandboxOrigin } : null
}

/** Returns null for a store without carrier pickup. */
function shapePlaces(env: z.infer<typeof environment>, sandboxOrigin: string) {
  const { FEDEX_API_KEY: apiKey, FEDEX_SECRET_KEY: secretKey } = env
  if (apiKey !== undefined && secretKey !== undefined) return { apiKey, secretKey, apiOrigin: env.FEDEX_API_ORIGIN }
  return isDemoAtHome(env) ? { ...DEMO_PLACES, apiOrigin: sandboxOrigin } : null
}

/** Null for a store without accounts. */
function shapeIdentity(env: z.infer<typeof environment>, sandboxOrigin: string) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_SCOPE: scope } = env
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    const { OIDC_EDIT_PROFILE_URL: editProfileUrl = null, OIDC_CHANGE_PASSWORD_URL: changePasswordUrl = null } = env
    const { OIDC_SECURITY_URL: securityUrl = null } = env
    const { OIDC_ONE_TAP_VERIFY_URL: verifyUrl, OIDC_ONE_TAP_FRAME_URL: frameUrl } = env
    const oneTap = verifyUrl !== undefined && frameUrl !== undefined ? { verifyUrl, frameUrl } : null
    return {
      issuer,
      clientId,
      clientSecret,
      scope,
      editProfileUrl,
      changePasswordUrl,
      securityUrl,
      oneTap,
      approvalPrompt: env.OIDC_APPROVAL_PROMPT ?? null,
      assumeEmailVerified: env.OIDC_ASSUME_EMAIL_VERIFIED,
      secondFactorContexts: env.OIDC_SECOND_FACTOR_ACR,
    }
  }
  // The passwords of the sandbox's people are public.
  if (env.PAYMENTS !== 'sandbox' || !env.DEMO) return null
  const sandbox = `${sandboxOrigin}/identity`
  return {
    issuer: sandbox,
    ...DEMO_IDENTITY,
    scope,
    editProfileUrl: `${sandbox}/edit-profile`,
    changePasswordUrl: `${sandbox}/change-password`,
    securityUrl: env.OIDC_SECURITY_URL ?? null,
    oneTap: { verifyUrl: `${sandbox}/verify-google-token`, frameUrl: `${sandbox}/google/one-tap` },
    approvalPrompt: 'auto',
    assumeEmailVerified: false,
    secondFactorContexts: [],
  }
}

function shapeDatabase(env: z.infer<typeof databaseVariables>) {
  const {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: directUrl,
    DATABASE_REPLICA_URL: replicaUrl,
    DATABASE_REPLICA_LAG_SECONDS: lagSeconds,
    DATABASE_POOL: poolSize,
    DATABASE_JOB_STATEMENT_SECONDS: jobSeconds,
  } = env
  const patience = {
    connectMs: env.DATABASE_CONNECT_SECONDS * 1_000,
    statementMs: env.DATABASE_STATEMENT_SECONDS * 1_000,
    lockMs: env.DATABASE_LOCK_SECONDS * 1_000,
    idleInTransactionMs: env.DATABASE_IDLE_TRANSACTION_SECONDS * 1_000,
  }
  return {
    url,
    directUrl: directUrl ?? url,
    pooler: directUrl === undefined ? null : { prepares: env.DATABASE_POOLER_PREPARES },
    /** Null: none. */
    replica: replicaUrl === undefined ? null : { url: replicaUrl, lagSeconds },
    poolSize,
    patience,
    jobPatience: { ...patience, statementMs: jobSeconds * 1_000, lockMs: jobSeconds * 1_000 },
  }
}

function shapeLookups(env: z.infer<typeof environment>, sandboxOrigin: string | null) {
  return { plates: shapePlates(env, sandboxOrigin), sizes: shapeSizes(env, sandboxOrigin) }
}
