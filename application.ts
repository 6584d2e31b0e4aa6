/**
 * The composition root is one plain object with the use cases' dependencies. Web, worker, tests, and scripts create it
 * from a configuration. Tests replace parts. Importing this module has no side effects. Over 400 lines: the wiring of
 * all dependencies is in one file.
 */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { join } from 'node:path'
import { createPlatformWire } from '#adapters/agents/platform-wire.ts'
import { createEasyPost } from '#adapters/carriers/easypost.ts'
import { openFiles } from '#adapters/files/files.ts'
import { createIdMe } from '#adapters/identity/id-me.ts'
import { createOidcProvider } from '#adapters/identity/oidc.ts'
import { createMailgunEvents } from '#adapters/mail/mailgun.ts'
import { createSmtpMailer } from '#adapters/mail/smtp.ts'
import { createGoogleMerchant } from '#adapters/merchant/google-merchant.ts'
import { createFedExPlaces } from '#adapters/places/fedex.ts'
import { openVehicleLookups } from '#adapters/vehicles/vehicle-lookups.ts'
import { createDocumentCheck, type CurrentCheck } from '#adapters/purchasing/dtd-validator.ts'
import { createPurchasingSystems } from '#adapters/purchasing/purchasing-systems.ts'
import { openSuppliers, type Suppliers } from '#adapters/suppliers/suppliers.ts'
import { createSharedCalls } from '#adapters/limits/shared-calls.ts'
import { documents, type Documents } from '#adapters/documents/documents.ts'
import { createFinancing } from '#adapters/payments/financing.ts'
import { createLenderRecords } from '#adapters/payments/lender-records.ts'
import { createLenderPayments } from '#adapters/payments/lender.ts'
import { routePayments } from '#adapters/payments/payment-router.ts'
import { createPageReader } from '#adapters/payment-pages/page-reader.ts'
import { createPayPalRecords } from '#adapters/payments/paypal-records.ts'
import { createPayPalPayments } from '#adapters/payments/paypal.ts'
import { createResolveRecords } from '#adapters/payments/resolve-movements.ts'
import { createResolve } from '#adapters/payments/resolve.ts'
import { createSyntheticBuyer } from '#adapters/synthetic-buyer/synthetic-buyer.ts'
import { offeredMethods } from '#adapters/payments/offered-methods.ts'
import { createStripePayments } from '#adapters/payments/stripe.ts'
import { createStripeTax } from '#adapters/payments/stripe-tax.ts'
import { createStripeCards } from '#adapters/payments/stripe-cards.ts'
import { createStripeRecords } from '#adapters/payments/stripe-records.ts'
import { createStripePayouts } from '#adapters/payments/stripe-payouts.ts'
import { createTwilioTexts } from '#adapters/texts/twilio.ts'
import { serverPaths } from '#content/server-paths.ts'
import type { PaymentPageReader } from '#domain/payments/payment-pages/page-reader.port.ts'
import type { PlatformWire } from '#domain/channels/agents/platform-wire.port.ts'
import type { SyntheticBuyer } from '#domain/operations/health/buyer.port.ts'
import { createHealthCounts, type HealthCounts } from '#domain/operations/health/health.server.ts'
import { checkProvidersOf, type CheckProviders, type Finding } from '#domain/operations/setup/setup.server.ts'
import type { IdentityProvider } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { createCalendars, type Calendars } from '#domain/scheduling/booking/booking.server.ts'
import {
  createCatalog,
  findCatalogIds,
  watchCatalog,
  type Catalog,
  type CatalogWatch,
} from '#domain/catalog/catalog/catalog.server.ts'
import type { MerchantCenter } from '#domain/catalog/google-listings/merchant-center.port.ts'
import type { CustomerRecords } from '#domain/catalog/catalog-import/customer-records.port.ts'
import { customerRecords } from '#domain/customers/customers/customers.server.ts'
import type { FindCatalogIds } from '#domain/pricing/price-tiers/catalog-ids.port.ts'
import type { Eligibility } from '#domain/pricing/military/eligibility.port.ts'
import type { MailEvents } from '#domain/messaging/messages/mail-events.port.ts'
import type { Mailer } from '#domain/messaging/messages/mail.port.ts'
import type { HostProof } from '#domain/installer-portal/branded-stores/host-proof.port.ts'
import type { BrandedStore } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { createDnsHostProof } from '#adapters/dns/host-proof.ts'
import type { Carrier } from '#domain/ordering/orders/carrier.port.ts'
import type { Files } from '#domain/kernel/files/file-store.port.ts'
import type { PayoutProvider } from '#domain/installer-portal/payouts/payout-provider.port.ts'
import type { Financing } from '#domain/payments/payments/financing.port.ts'
import type { NetTermsProvider } from '#domain/payments/payments/net-terms.port.ts'
import { ruleOf, type ChargedMethod, type PaymentProviderName } from '#domain/payments/payments/payments.ts'
import type { CardVault } from '#domain/payments/saved-cards/card-vault.port.ts'
import type { PaymentRecords } from '#domain/payments/payments/provider-records.port.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { publicTerms, type VisitorTerms } from '#domain/catalog/offers/visitor-terms.ts'
import type { PickupPlaces } from '#domain/supply/pickup-places/pickup-places.port.ts'
import { createPriceLists, type PriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { retailBuyer, type Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { createLiveContent, type LiveContent } from '#domain/kernel/content/content.server.ts'
import { createSupplierAvailability, type SupplierAvailability } from '#domain/supply/stock/stock.server.ts'
import { createLiveDeliveryTimes, type LiveDeliveryTimes } from '#domain/supply/delivery/delivery.server.ts'
import { releaseAfterOf } from '#domain/kernel/settings/settings.ts'
import { createLiveSettings, type LiveSettings, type LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import { createVisitCounter, type VisitCounter } from '#domain/operations/reports/reports.server.ts'
import type { TaxProvider } from '#domain/pricing/sales-tax/tax-provider.port.ts'
import type { PurchasingSystems } from '#domain/channels/purchasing/purchasing-system.port.ts'
import type { PunchoutVisit } from '#domain/channels/purchasing/purchasing.server.ts'
import type { PlateLookup } from '#domain/catalog/vehicles/plate-lookup.port.ts'
import type { SizeSource } from '#domain/catalog/vehicles/size-source.port.ts'
import type { VinDecoder } from '#domain/catalog/vehicles/vin-decoder.port.ts'
import type { TextSender } from '#domain/messaging/texts/text-sender.port.ts'
import { createPictureStore, type PictureStore } from '#pictures/pictures.server.ts'
import type { CallCounts } from '#platform/attempts.ts'
import { systemClock, type Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { startDatabaseClock } from '#platform/database-clock.ts'
import { createDatabase, poolState, type Database } from '#platform/db.ts'
import { createLog, type Log } from '#platform/log.ts'
import { createOutgoing, type Outgoing } from '#platform/outgoing-http.ts'
import { openReplica, type Replica } from '#platform/replica.ts'
import { createMetrics, type Metrics } from '#platform/metrics.ts'
import { warnOfMissingLimits } from '#platform/role-limits.ts'
import { createTurns, type Turns } from '#platform/turns.ts'

export type Application = Documents & {
  /** As configured; what of the store an owner set is in its place, as of the last second. */
  config: Config
  settings: LiveSettings
  /** The business terms of every time, as the settings read them. */
  businessTerms: LiveTerms
  /** The texts of content pages that staff published. */
  content: LiveContent
  /** The days that deliveries take, as of the last second. */
  deliveryTimes: LiveDeliveryTimes
  clock: Clock
  log: Log
  metrics: Metrics
  /** Counts how often the store's objectives are kept. */
  health: HealthCounts
  /** Null without synthetic purchases. */
  syntheticBuyer: SyntheticBuyer | null
  db: Database
  /** Counts this process's visits. Started by `openApplication` for pages. */
  visits: VisitCounter
  /** Checks the database as `npm run verify` does. */
  inspect: () => Promise<readonly Finding[]>
  /** Of this process, for requests. */
  turns: Turns
  /** Serves catalog reads. Null if the primary database serves them. */
  replica: Replica | null
  catalog: Catalog
  /** The catalog with retail prices, regardless of the account. */
  retailCatalog: Catalog
  /** Notices edits of the catalog made in any process. */
  catalogWatch: CatalogWatch
  priceLists: PriceLists
  findCatalogIds: FindCatalogIds
  customerRecords: CustomerRecords
  /**
   * The buyer that determines the prices in the catalog and cart. The public buyer until a request identifies an
   * account.
   */
  buyer: Buyer
  hostProof: HostProof
  /** Reads the pricing terms of the visitor's cart. The public terms until a request identifies a visitor. */
  terms: () => Promise<VisitorTerms>
  /** The store under a shop's own name that a request visits; null for our own. */
  brandedStore: BrandedStore | null
  /** The visit from a company's purchasing system that a request is of; null for any other. */
  punchout: PunchoutVisit | null
  /** Whether the visitor is signed in to the back office, as the database has it: staff order before the store opens. */
  isStaffHere: (db: Database) => Promise<boolean>
  calendars: Calendars
  pictures: PictureStore
  /** Where files that people send are kept. */
  files: Files
  payments: PaymentProvider
  cardVault: CardVault
  /** Disputes and movements of each provider that has them. */
  paymentRecords: PaymentRecords
  /** The charged methods that the store's providers offer. */
  paymentMethods: ReadonlySet<ChargedMethod>
  /** Null for a store without a lender. */
  financing: Financing | null
  /** Null for a store with only its own net terms. */
  netTerms: NetTermsProvider | null
  payouts: PayoutProvider
  /** Null for a store that taxes by its table of rates. */
  taxes: TaxProvider | null
  /** The accounts that setup checks run with. */
  checkProviders: CheckProviders
  /** Reads payment pages as browsers do. */
  paymentPages: PaymentPageReader
  mailer: Mailer
  /** Attempts by shoppers, shops, and partners. */
  rateLimits: RateLimits
  /** Null if the mail provider sends no events. */
  mailEvents: MailEvents | null
  carrier: Carrier
  /** Null for a store without carrier pickup. */
  pickupPlaces: PickupPlaces | null
  /** Null for a store that doesn't send products to Google. */
  merchantCenter: MerchantCenter | null
  suppliers: Suppliers['suppliers']
  /** Fetches suppliers’ files. */
  supplierFiles: Suppliers['supplierFiles']
  /** Queries suppliers’ availability services. */
  supplierAvailability: SupplierAvailability
  /** To the platforms of shopping agents. */
  platforms: PlatformWire
  /** Takes documents about orders of companies' purchasing systems. */
  purchasingSystems: PurchasingSystems
  /** The DTDs that received documents are checked against, once an operator put them there. */
  documentCheck: CurrentCheck
  /** Null for a store that sends no texts. */
  texts: TextSender | null
  /** The way to addresses that others gave us. */
  outgoing: Outgoing
  /** Null for a store without accounts. */
  identity: IdentityProvider | null
  /** Null for a store without a provider that verifies military service. */
  eligibility: Eligibility | null
  /** Calls of programs, counted for all web processes together. */
  callCounts: CallCounts
  vinDecoder: VinDecoder
  /** Null for a store without a provider for license plates. */
  plateLookup: PlateLookup | null
  /** Null for a store without a provider for original sizes. */
  sizeSource: SizeSource | null
  /** The seconds before orders are charged and shipped. It is the cancellation window unless a demo shortens it. */
  releaseAfterSeconds: number
  /** The most seconds before orders are charged and shipped. An order's terms can shorten it. */
  maxReleaseSeconds: number
  /** What the limits on a network are multiplied by, where many share one. */
  limitFactor: number
  close(): Promise<void>
}

/**
 * Opens a process's application, on the database's clock. Pages use the pooler, if there is one, and short timeouts; jobs
 * bypass it, because their queue listens and their workers hold locks.
 */
export async function openApplication(config: Config, purpose: 'pages' | 'jobs'): Promise<Application> {
  const stopTracing = await openTracing(config, purpose)
  const db = purpose === 'pages' ? openPageDatabase(config) : openJobDatabase(config)
  const clock = await startDatabaseClock(db)
  const app = createApplication(config, {
    db,
    clock,
    replica: purpose === 'pages' ? openPageReplica(config, db) : null,
  })
  if (purpose === 'pages' && config.database.pooler) await warnOfMissingLimits(app, config.database.patience)
  const live = [app.settings, app.catalogWatch, app.content, app.deliveryTimes, app.supplierAvailability.services]
  await Promise.all(live.map((each) => each.start()))
  if (purpose === 'pages') app.visits.start()
  return {
    ...app,
    get releaseAfterSeconds() {
      return app.releaseAfterSeconds
    },
    async close() {
      clock.stop()
      for (const each of live) each.stop()
      await app.visits.stop()
      await app.close()
      await stopTracing()
    },
  }
}

/** What sends traces is loaded only where they are sent. */
async function openTracing({ tracing }: Config, purpose: 'pages' | 'jobs'): Promise<() => Promise<void>> {
  if (!tracing) return () => Promise.resolve()
  const { startTracing } = await import('#platform/trace-export.ts')
  return startTracing({ ...tracing, service: purpose === 'pages' ? 'sidewall-web' : 'sidewall-worker' })
}

function openPageDatabase({ database: { url, poolSize: size, patience, pooler } }: Config): Database {
  return createDatabase(url, { size, patience, pooler })
}

function openPageReplica({ database: { replica, poolSize: size } }: Config, db: Database): Replica | null {
  return replica && openReplica(db, { ...replica, size })
}

function openJobDatabase({ database: { directUrl, poolSize: size, jobPatience: patience } }: Config): Database {
  return createDatabase(directUrl, { size, patience })
}

export type ApplicationOverrides = Partial<
  Pick<
    Application,
    | 'clock'
    | 'db'
    | 'replica'
    | 'log'
    | 'payments'
    | 'financing'
    | 'payouts'
    | 'mailer'
    | 'carrier'
    | 'identity'
    | 'eligibility'
    | 'pickupPlaces'
    | 'platforms'
    | 'cardVault'
  >
>

/** The records of those providers of `paymentsOf` that have any. */
function recordsOf({ payments, paypal, resolve }: Config, clock: Clock, financing: Financing | null): PaymentRecords {
  return {
    stripe: createStripeRecords(payments),
    ...(paypal && { paypal: createPayPalRecords({ ...paypal, clock }) }),
    ...(financing && { lender: createLenderRecords(financing) }),
    ...(resolve && { resolve: createResolveRecords({ ...resolve, clock }) }),
  }
}

function financingOf({ financing }: Config, clock: Clock, overrides: ApplicationOverrides): Financing | null {
  return overrides.financing ?? (financing && createFinancing({ ...financing, clock }))
}

function providerOf(method: ChargedMethod): PaymentProviderName {
  return ruleOf(method)?.provider ?? 'stripe'
}

function resolveOf({ resolve }: Config, clock: Clock): ReturnType<typeof createResolve> | null {
  return resolve && createResolve({ ...resolve, clock })
}

function netTermsOf(resolve: ReturnType<typeof resolveOf>): NetTermsProvider | null {
  return resolve && resolve.netTerms
}

function paymentsOf(
  { payments, paypal }: Config,
  clock: Clock,
  { financing, resolve }: { financing: Financing | null; resolve: ReturnType<typeof resolveOf> },
): PaymentProvider {
  const { apiOrigin, secretKey, webhookSecret } = payments
  const stripe = createStripePayments({ apiOrigin, secretKey, webhookSecret, clock })
  const further = {
    ...(paypal && { paypal: createPayPalPayments({ ...paypal, clock }) }),
    ...(financing && { lender: createLenderPayments(financing) }),
    ...(resolve && { resolve: resolve.payments }),
  }
  return routePayments(stripe, further, providerOf)
}

function payoutsOf({ payments }: Config, clock: Clock): PayoutProvider {
  const { apiOrigin, secretKey, webhookSecret, connectWebhookSecret } = payments
  const [first, ...others] = webhookSecret
  const webhookSecrets = [first, ...others, ...(connectWebhookSecret ?? [])] as const
  return createStripePayouts({ apiOrigin, secretKey, webhookSecrets, clock })
}

function placesOf({ places }: Config, clock: Clock): PickupPlaces | null {
  return places && createFedExPlaces({ ...places, now: () => clock.now() })
}

function merchantCenterOf({ merchant }: Config, clock: Clock): MerchantCenter | null {
  return merchant && createGoogleMerchant({ ...merchant, clock })
}

/** A demo on this machine also talks to platforms on it. */
function platformsOf({ demo, web, outgoing }: Config, overrides: ApplicationOverrides): PlatformWire {
  const trustsThisMachine = demo && !web.isSecure
  return overrides.platforms ?? createPlatformWire(createOutgoing({ ...outgoing, trustsThisMachine }))
}

function identityOf({ identity, web: { origin } }: Config, log: Log): IdentityProvider | null {
  const addresses = {
    landingUrl: `${origin}/api/sso-landing`,
    // Shopping agents know the store by its address, where their protocol looks for it.
    resources: { api: `${origin}/api`, mcp: `${origin}/mcp`, ucp: origin, admin: `${origin}/api/admin` },
  }
  return identity && createOidcProvider({ ...identity, ...addresses, log })
}

function cardVaultOf({ payments }: Config, overrides: ApplicationOverrides): CardVault {
  return overrides.cardVault ?? createStripeCards(payments)
}

function eligibilityOf({ eligibility, web }: Config, log: Log): Eligibility | null {
  return eligibility && createIdMe({ ...eligibility, callbackUrl: web.origin + serverPaths.militaryCallback(), log })
}

function watchingOf({ syntheticBuyer, web: { origin } }: Config, metrics: Metrics) {
  return {
    metrics,
    health: createHealthCounts(metrics),
    syntheticBuyer: syntheticBuyer && createSyntheticBuyer({ ...syntheticBuyer, storeOrigin: origin }),
  }
}

/** The catalog, read from the replica if there is one; that it changed is always read from the database. */
function catalogOf(
  { db, clock, businessTerms }: Pick<Application, 'db' | 'clock' | 'businessTerms'>,
  { replica = null }: ApplicationOverrides,
) {
  const catalog = createCatalog({ db: replica?.readings ?? db, clock, businessTerms })
  return {
    replica,
    catalog,
    retailCatalog: catalog,
    catalogWatch: watchCatalog(db, catalog, replica?.notePosition),
  }
}

/** Runs the checks of `npm run verify`. Loads the invariants on demand. */
async function inspectStore(db: Database, { session }: Config, now: Temporal.Instant) {
  const [{ inspect }, { findUnopened }] = await Promise.all([
    import('#db/invariants/invariants.ts'),
    import('#db/sealed-values.ts'),
  ])
  return [...(await inspect(db, now, 60)), await findUnopened(db, session.secret)]
}

function carrierOf({ carrier: { apiOrigin, apiKey, callbackSecret }, store }: Config): Carrier {
  return createEasyPost({ apiOrigin, apiKey, webhookSecret: callbackSecret, phone: store.phone })
}

function suppliersOf(config: Config, deps: Pick<Application, 'db' | 'clock' | 'log'>) {
  const { availabilityService: service, ...rest } = openSuppliers(config)
  const { secret } = config.session
  return { ...rest, supplierAvailability: createSupplierAvailability({ ...deps, service, secret }) }
}

/** Builds the store. `overrides` replace parts before anything that depends on them is created. */
export function createApplication(config: Config, overrides: ApplicationOverrides = {}): Application {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLog(config.log.level, 'sidewall')
  const db = overrides.db ?? openPageDatabase(config)
  const settings = createLiveSettings({ db, clock }, config.store)
  const financing = financingOf(config, clock, overrides)
  const resolve = resolveOf(config, clock)
  const outgoing = createOutgoing(config.outgoing)
  const mailer = overrides.mailer ?? createSmtpMailer({ smtpUrl: config.mail.smtpUrl, from: config.mail.from })
  return {
    config: { ...config, store: settings.store },
    settings,
    businessTerms: settings.terms,
    content: createLiveContent({ db, clock }),
    deliveryTimes: createLiveDeliveryTimes(db),
    clock,
    log,
    ...watchingOf(config, createMetrics({ db, ...overrides })),
    db,
    visits: createVisitCounter({ db, clock, log, secret: config.session.secret }),
    inspect: () => inspectStore(db, config, clock.now()),
    turns: createTurns({
      connections: config.database.poolSize,
      patienceMs: config.overload.patienceMs,
      isWaitedFor: () => (poolState(db)?.waiting ?? 0) > 0,
    }),
    ...catalogOf({ db, clock, businessTerms: settings.terms }, overrides),
    priceLists: createPriceLists(db),
    findCatalogIds,
    customerRecords,
    buyer: retailBuyer,
    terms: async () => publicTerms,
    hostProof: createDnsHostProof(),
    brandedStore: null,
    paymentPages: createPageReader({ origin: config.web.origin, inventoryFile: 'build/payment-scripts.json' }),
    outgoing,
    punchout: null,
    isStaffHere: async () => false,
    calendars: createCalendars(db),
    pictures: createPictureStore({ directory: join(config.dataDir, 'pictures') }),
    files: openFiles(config.files),
    payments: overrides.payments ?? paymentsOf(config, clock, { financing, resolve }),
    cardVault: cardVaultOf(config, overrides),
    paymentRecords: recordsOf(config, clock, financing),
    paymentMethods: offeredMethods(config),
    financing,
    netTerms: netTermsOf(resolve),
    payouts: overrides.payouts ?? payoutsOf(config, clock),
    taxes: config.salesTax === 'stripe' ? createStripeTax(config.payments) : null,
    checkProviders: checkProvidersOf(config),
    mailer,
    mailEvents:
      config.mail.signingKey === null ? null : createMailgunEvents({ signingKey: config.mail.signingKey, clock }),
    carrier: overrides.carrier ?? carrierOf(config),
    pickupPlaces: overrides.pickupPlaces ?? placesOf(config, clock),
    merchantCenter: merchantCenterOf(config, clock),
    ...suppliersOf(config, { db, clock, log }),
    platforms: platformsOf(config, overrides),
    purchasingSystems: createPurchasingSystems({ from: config.purchasing, outgoing, clock }),
    documentCheck: createDocumentCheck(config.purchasing.dtdDir),
    texts: config.texts && createTwilioTexts({ ...config.texts, webOrigin: config.web.origin }),
    identity: overrides.identity ?? identityOf(config, log),
    eligibility: overrides.eligibility ?? eligibilityOf(config, log),
    callCounts: createSharedCalls({ db, clock }),
    rateLimits: createRateLimits({ db, networkFactor: config.limits.networkFactor }),
    ...openVehicleLookups(config, { clock, log, outgoing }),
    ...documents,
    get releaseAfterSeconds() {
      return releaseAfterOf(settings.terms.current['cancel-minutes'], config.orders.releaseAfterSeconds)
    },
    maxReleaseSeconds: config.orders.releaseAfterSeconds,
    limitFactor: config.limits.networkFactor,
    close: async () => void (await Promise.all([db.destroy(), overrides.replica?.close(), mailer.close?.()])),
  }
}
