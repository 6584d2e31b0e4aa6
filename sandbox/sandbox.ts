/** The sandbox of all providers behind one port. Over 400 lines: the wiring of all services is in one file. */
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { bodyRefusal } from './body.ts'
import { createCarrierApi } from './carrier/api.ts'
import { createCarrierBoard } from './carrier/board.ts'
import { advanceShipment, type Carrier } from './carrier/shipments.ts'
import { trackerEvent } from './carrier/views.ts'
import { createDeliveries, type Stream, type Target } from './deliveries.ts'
import { createIdentity } from './identity/identity.ts'
import { createFinancingApi } from './financing/api.ts'
import { lenderAlarm, openLender } from './financing/applications.ts'
import { createApplyPages, createLenderBoard } from './financing/pages.ts'
import { createIdMeStandIn } from './id-me/id-me.ts'
import { createMerchantSandbox } from './merchant/sandbox.ts'
import { openMailbox } from './mail/mailbox.ts'
import { openMailReports } from './mail/reports.ts'
import { createMailPages } from './mail/pages.ts'
import { createSmtpServer } from './mail/smtp.ts'
import { guardRequests } from './guard-requests.ts'
import type { SandboxOptions } from './options.ts'
import { createAssets } from './pages/assets.ts'
import { createPartnerPage } from './pages/partner.ts'
import { homePage } from './pages/home.ts'
import { page } from './pages/layout.ts'
import { createPaymentApi } from './payments/api.ts'
import { createPaymentsBoard } from './payments/board.ts'
import { openConnect, payoutAlarm } from './payments/connect-ledger.ts'
import { createConnectPage } from './payments/connect-page.ts'
import { createChallenge } from './payments/challenge.ts'
import { decideDispute, openDispute } from './payments/disputes.ts'
import { createFields } from './payments/fields.ts'
import { createHostedPage } from './payments/hosted-page.ts'
import { intentAlarm } from './payments/intents.ts'
import { openLedger } from './payments/ledger.ts'
import { refundAlarm } from './payments/refunds.ts'
import { PaymentApiRefusal } from './payments/refusal.ts'
import { createWebhookSigner, type WebhookSigner } from './paypal/certificate.ts'
import { netTermsPath } from './net-terms/ledger.ts'
import { createNetTermsSandbox } from './net-terms/net-terms.ts'
import { paypalPath } from './paypal/ledger.ts'
import { createPayPalSandbox } from './paypal/paypal.ts'
import { createWallets } from './payments/wallets.ts'
import { expireSession } from './payments/sessions.ts'
import { createRounds } from './rounds.ts'
import { bodySignature, plainSignature, signatureHeader } from './signature.ts'
import { createPlacesApi } from './places/api.ts'
import { createPlatesApi } from './plates/api.ts'
import { createSizesApi } from './sizes/api.ts'
import { createReceiver, receiverPath } from './receiver/receiver.ts'
import { openAgent } from './agent/agent.ts'
import { createAgentBoard } from './agent/board.ts'
import { createBuyerBoard } from './buyer/board.ts'
import { openBuyer } from './buyer/buyer.ts'
import { createSuppliersApi } from './suppliers/api.ts'
import { createSuppliersBoard } from './suppliers/board.ts'
import { openEdi } from './suppliers/edi.ts'
import { createSftpServer } from './suppliers/sftp-server.ts'
import { openSuppliers } from './suppliers/suppliers.ts'
import { createWholesaleSite, openWholesale } from './suppliers/wholesale.ts'
import { createTextsApi } from './texts/api.ts'
import { createTextsBoard } from './texts/board.ts'
import { openTexts } from './texts/texts.ts'
import { openStore, type Collection, type Store } from './store.ts'

export type Sandbox = {
  app: Hono<{ Bindings: Partial<HttpBindings> }>
  /** Listens on both ports and starts timed work; rejects if a port is taken. */
  start(): Promise<void>
  /** Does everything due now; resolves when all of it has been tried once. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

const tickMs = 250

/**
 * Payments, PayPal, mail, a carrier, suppliers, and an identity provider in one process and origin, with all state in
 * one file. Doesn't listen before `start`.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const stopping = new AbortController()
  const services = openServices(options, stopping.signal)
  const { store, deliveries, mailbox, texts, reports, suppliers, sftp } = services
  const rounds = createRounds(
    async () =>
      void (await Promise.all([deliveries.sendDue(), texts.postDue(), reports.postDue(), suppliers.postDue()])),
  )

  async function catchUp(): Promise<void> {
    doDueWork(services, () => options.clock.now())
    await rounds.run()
  }

  function work(): void {
    if (!stopping.signal.aborted) catchUp().catch((error: unknown) => console.error(error))
  }

  const app = createSite(services, options, work)
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })
  if ('maxRequestsPerSocket' in server) server.maxRequestsPerSocket = options.maxRequestsPerSocket ?? 0
  const smtp = createSmtpServer(mailbox, options, reports)
  // Mail clients may hang up; `start` reports a taken port.
  smtp.on('error', () => {})
  let timer: NodeJS.Timeout | undefined

  return {
    app,
    catchUp,
    async start() {
      await listening(server, () => server.listen(options.port, options.host))
      await listening(smtp.server, () => smtp.listen(options.smtpPort, options.host))
      if (options.sftpPort !== null) await sftp.listen(options.sftpPort, options.host)
      timer = setInterval(work, tickMs)
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await rounds.stop()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await Promise.all([
        new Promise((resolve) => server.close(resolve)),
        new Promise<void>((resolve) => smtp.close(() => resolve())),
        sftp.close(),
      ])
      store.close()
    },
  }
}

type Services = ReturnType<typeof openServices>

/** The simulated services, all on the same store. */
function openServices(options: SandboxOptions, stopping: AbortSignal) {
  const { publicOrigin, stallSeconds } = options
  const now = () => options.clock.now()
  const store = openStore(options.dataFile)
  const signer = createWebhookSigner(store, { publicOrigin, webhookId: options.paypalWebhookId, now })
  const deliveries = createDeliveries(store, targetsOf(options, signer, now), now, stopping)
  const ledger = openLedger({
    now,
    publicOrigin,
    stallSeconds,
    sendsWebhooks: options.webhookUrl !== null,
    store,
    deliveries,
  })
  const carrier: Carrier = {
    now,
    publicOrigin,
    paceSeconds: options.carrierPaceSeconds,
    stallSeconds,
    store,
    deliveries,
    shipments: store.collection('easypost-shipment'),
    tracked: store.collection('easypost-tracking-number'),
    scanForms: store.collection('easypost-scan-form'),
    eventOf: trackerEvent,
  }
  const mailbox = openMailbox(store, now)
  const connect = openConnect(ledger, store)
  const paymentApi = createPaymentApi(ledger, connect, options.stripeSecretKey)
  const paypal = createPayPalSandbox({
    store,
    publicOrigin,
    deliveries,
    signer,
    clientId: options.paypalClientId,
    clientSecret: options.paypalClientSecret,
    now,
  })
  const carrierApi = createCarrierApi(carrier, options.easyPostKey)
  const texts = openTexts({
    store,
    now,
    accountSid: options.twilioAccountSid,
    authToken: options.twilioAuthToken,
    inboundUrl: options.textsUrl,
  })
  const reports = openMailReports({ store, now, signingKey: options.mailSigningKey, urls: options.mailUrls })
  return {
    ...openSupplierServices(options, { store, now }),
    ...openCreditors(options, { store, deliveries, now, publicOrigin }),
    agent: openAgent({ store, now, storeOrigin: options.storeOrigin, publicOrigin }),
    buyer: openBuyer({ store, now, storeOrigin: options.storeOrigin, publicOrigin }),
    texts,
    reports,
    store,
    deliveries,
    ledger,
    connect,
    carrier,
    mailbox,
    ...openPeopleServices(options, { store, mailbox, now }),
    paymentApi,
    paypal,
    carrierApi,
    receiver: createReceiver(store, now),
    merchant: createMerchantSandbox({ store, now, publicOrigin }),
    placesApi: createPlacesApi({ now, store, projects: options.fedExProjects }),
    platesApi: createPlatesApi({ key: options.carsXeKey, stallSeconds }),
    sizesApi: createSizesApi({ key: options.wheelSizeKey, stallSeconds }),
  }
}

/** Suppliers in cXML and EDI, and wholesalers' services. */
function openSupplierServices(options: SandboxOptions, { store, now }: { store: Store; now: () => Temporal.Instant }) {
  const { stallSeconds, supplierSecret, ediUsername: username, ediPassword: password } = options
  const { hasDemoStock } = options
  const wholesale = openWholesale(store, { key: supplierSecret, stallSeconds, hasDemoStock, now })
  const edi = openEdi({ store, now, wholesale })
  const suppliers = openSuppliers({
    edi: edi.channel,
    wholesale,
    store,
    now,
    secret: supplierSecret,
    callbackSecret: options.supplierCallbackSecret,
    url: options.supplierUrl,
    paceSeconds: options.carrierPaceSeconds,
    stallSeconds,
  })
  edi.takeOrdersWith(suppliers)
  return {
    suppliers,
    sftp: createSftpServer(edi, { store, username, password }),
    wholesale,
  }
}

/** The credit providers for shoppers and for companies. */
function openCreditors(options: SandboxOptions, parts: Parameters<typeof openLender>[0]) {
  const lender = openLender(parts)
  return {
    lender,
    financingApi: createFinancingApi(lender, options),
    netTerms: createNetTermsSandbox({
      ...parts,
      merchantId: options.resolveMerchantId,
      secretKey: options.resolveSecretKey,
    }),
  }
}

/** Where each service posts its messages, and how it signs them. */
function targetsOf(
  options: SandboxOptions,
  signer: WebhookSigner,
  now: () => Temporal.Instant,
): Record<Stream, Target> {
  return {
    paypal: { url: options.paypalWebhookUrl, headers: signer.headers },
    payments: {
      url: options.webhookUrl,
      headers: (body: string) => ({ 'Stripe-Signature': signatureHeader(body, options.webhookSecret, now()) }),
    },
    carrier: {
      url: options.carrierCallbackUrl,
      headers: (body: string) => ({ 'X-Hmac-Signature': bodySignature(body, options.carrierSecret) }),
    },
    resolve: {
      url: options.resolveUrl,
      headers: (body: string) => ({ 'x-webhook-signature': plainSignature(body, options.resolveWebhookSecret) }),
    },
    lender: {
      url: options.financingUrl,
      headers: (body: string) => ({
        'Financing-Signature': signatureHeader(body, options.financingWebhookSecret, now()),
      }),
    },
  }
}

/** The sign-in and military verification services. */
function openPeopleServices(
  { publicOrigin, storeOrigin, ...options }: SandboxOptions,
  deps: Parameters<typeof createIdentity>[1],
) {
  return {
    identity: createIdentity(
      {
        issuer: `${publicOrigin}/identity`,
        clientId: options.identityClientId,
        clientSecret: options.identityClientSecret,
        storeOrigin,
        hasDemoPeople: options.hasDemoPeople,
      },
      deps,
    ),
    idMe: createIdMeStandIn(
      {
        issuer: `${publicOrigin}/id-me/oidc`,
        clientId: options.idMeClientId,
        clientSecret: options.idMeClientSecret,
        storeOrigin,
      },
      deps,
    ),
  }
}

/** Does everything due now except deliveries to the store. */
function doDueWork(
  { store, ledger, connect, carrier, identity, idMe, paymentApi, paypal, netTerms, suppliers, lender }: Services,
  now: () => Temporal.Instant,
): void {
  function ring<Body>(collection: Collection<Body>, act: (body: Body) => void): void {
    for (let due = collection.nextDue(now()); due; due = collection.nextDue(now())) {
      const { body } = due
      store.transaction(() => act(body))
    }
  }

  ring(ledger.intents, (stored) => {
    if (stored.intent.status !== 'succeeded') return intentAlarm(ledger, stored)
    ledger.intents.put(stored.intent.id, stored, null)
    openDispute(ledger, stored.intent.id)
  })
  ring(ledger.disputes, (dispute) => void decideDispute(ledger, null, dispute.id, 'lost'))
  ring(ledger.refunds, (stored) => refundAlarm(ledger, stored))
  ring(connect.payouts, (payout) => payoutAlarm(connect, payout))
  ring(ledger.sessions, ({ session }) => expireSession(ledger, null, session.id))
  ring(carrier.shipments, (shipment) => advanceShipment(carrier, shipment))
  ring(suppliers.orders, (order) => suppliers.advance(order))
  ring(lender.applications, (stored) => lenderAlarm(lender, stored))
  paymentApi.forgetOldKeys()
  paypal.doDueWork()
  netTerms.doDueWork()
  identity.forget(now())
  idMe.forget(now())
}

/** All paths of the origin; `work` is called after any request that may have changed something. */
function createSite(
  {
    ledger,
    connect,
    carrier,
    mailbox,
    identity,
    idMe,
    paymentApi,
    paypal,
    netTerms,
    carrierApi,
    placesApi,
    platesApi,
    sizesApi,
    texts,
    reports,
    suppliers,
    wholesale,
    agent,
    buyer,
    lender,
    financingApi,
    receiver,
    merchant,
    sftp,
  }: Services,
  { storeOrigin, publicOrigin, stallSeconds, hasDemoPeople, sftpPort }: SandboxOptions,
  work: () => void,
): Sandbox['app'] {
  const app: Sandbox['app'] = new Hono()
  guardRequests(app, { storeOrigin, work })
  app.route('/v1', paymentApi.app)
  app.route('/', platesApi)
  app.route('/', sizesApi)
  app.route('/v2', carrierApi)
  app.route('/financing', financingApi)
  app.use(async (c, next) => {
    const status = bodyRefusal(c, 64 * 1024)
    return status ? c.text('This request is too large.', status) : next()
  })
  app.route(paypalPath, paypal.app)
  app.route(netTermsPath, netTerms.app)
  app.route('/', placesApi)
  app.route('/2010-04-01', createTextsApi(texts))
  app.route('/texts', createTextsBoard(texts))
  app.route('/', merchant)
  app.route('/cxml', createSuppliersApi(suppliers))
  app.route('/suppliers', createSuppliersBoard(suppliers, sftpPort === null ? null : { port: sftpPort, ...sftp }))
  app.route('/wholesale', createWholesaleSite(wholesale))
  app.route('/agent', createAgentBoard(agent, publicOrigin))
  app.route('/buyer', createBuyerBoard(buyer))
  app.route('/partner', createPartnerPage(storeOrigin))
  app.route(receiverPath, receiver)
  app.get('/', (c) => c.html(homePage({ stallSeconds, hasDemoPeople })))
  app.route('/', createAssets())
  app.route('/fields', createFields(ledger, storeOrigin))
  app.route('/wallets', createWallets(ledger, storeOrigin))
  app.route('/challenge', createChallenge(ledger))
  app.route('/pay', createHostedPage(ledger))
  app.route('/apply', createApplyPages(lender))
  app.route('/lender', createLenderBoard(lender))
  app.route('/connect', createConnectPage(connect))
  app.route('/payments', createPaymentsBoard(ledger))
  app.route('/', createMailPages(mailbox, reports))
  app.route('/carrier', createCarrierBoard(carrier))
  app.route('/identity', identity.app)
  app.route('/id-me', idMe.app)
  app.notFound((c) => c.html(page('Nothing here', html`<p>The sandbox has no such page.</p>`), 404))
  app.onError((error, c) => {
    if (error instanceof PaymentApiRefusal)
      return c.html(page('That did not work', html`<p class="error">${error.message}</p>`), error.status)
    console.error(error)
    return c.html(page('The sandbox failed', html`<p class="error">Its log tells why.</p>`), 500)
  })
  return app
}

type Listener = Pick<NodeJS.EventEmitter, 'once' | 'off'>

function listening(server: Listener, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      resolve()
    })
    listen()
  })
}
