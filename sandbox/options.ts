import type { Clock } from '#platform/clock.ts'
import type { Secrets } from '#platform/secrets.ts'

/** The sandbox's configuration. main.ts reads it from the environment; tests set it directly. */
export type SandboxOptions = {
  /** HTTP port of the pages, payment API, carrier API and mailbox. */
  port: number
  smtpPort: number
  /** Who may send mail, each as user, colon and password; null: anyone. */
  smtpLogins: Secrets | null
  /** Address to listen on, such as 127.0.0.1. */
  host: string
  /** Where a browser reaches the sandbox, such as http://localhost:4001, without a trailing slash. */
  publicOrigin: string
  /** The one origin that may embed the card fields. */
  storeOrigin: string
  /**
   * What the store proves itself with at Stripe. Where a secret here is `Secrets`, the provider takes several while one
   * replaces another; where it is a string, it takes one.
   */
  stripeSecretKey: Secrets
  /** Signs payment webhooks. */
  webhookSecret: string
  /** The URL of payment webhooks. Null disables them. */
  webhookUrl: string | null
  /** The store's access to PayPal, and the id of its webhook there, which every signature covers. */
  paypalClientId: string
  paypalClientSecret: Secrets
  paypalWebhookId: string
  /** The URL of PayPal's webhooks. Null disables them. */
  paypalWebhookUrl: string | null
  /**
   * The store's merchant ID and secret key at Resolve, its webhook secret, and the webhook URL. A null URL disables
   * webhooks.
   */
  resolveMerchantId: string
  resolveSecretKey: string
  resolveWebhookSecret: string
  resolveUrl: string | null
  /** The store's API key at EasyPost. */
  easyPostKey: Secrets
  /**
   * The store's projects at FedEx, which returns pickup locations. Each is an API key and its secret, joined by a
   * colon.
   */
  fedExProjects: Secrets
  /** The store's API key at CarsXE, which looks up license plates. */
  carsXeKey: Secrets
  /** The store's API key at Wheel-Size, which lists original sizes. */
  wheelSizeKey: Secrets
  /** Signs the carrier's webhooks. */
  carrierSecret: string
  /** The URL of the carrier's webhooks. Null disables them. */
  carrierCallbackUrl: string | null
  /** Seconds between two movements of a shipment; 0: only manually. */
  carrierPaceSeconds: number
  /** What the store proves itself with at the suppliers' network, and the network at the store. */
  supplierSecret: string
  supplierCallbackSecret: string
  /** Whether the demo's wholesalers stock its tires. Otherwise they have the parts that are set on their page. */
  hasDemoStock: boolean
  /** The port of the suppliers' SFTP server, and its login. Null: without the server. */
  sftpPort: number | null
  ediUsername: string
  ediPassword: string
  /** The URL of suppliers' responses. Null disables them. */
  supplierUrl: string | null
  /** The store's client ID and secret at the identity provider. */
  identityClientId: string
  identityClientSecret: Secrets
  /** Whether the demo people have accounts and are listed. A store without demo data has no use for them. */
  hasDemoPeople: boolean
  /** The store's client at the stand-in for ID.me. */
  idMeClientId: string
  idMeClientSecret: string
  /** The store's account and token at the provider of text messages. */
  twilioAccountSid: string
  twilioAuthToken: Secrets
  /** The URL of incoming text messages. Null disables them. */
  textsUrl: string | null
  /** The mail provider's signing key and webhook URLs. Null URLs disable webhooks. */
  mailSigningKey: string
  mailUrls: { events: string; incoming: string } | null
  /**
   * The store's client at the lender, the lender's webhook secret, and the webhook URL. A null URL disables webhooks.
   */
  financingClientId: string
  financingClientSecret: Secrets
  financingWebhookSecret: string
  financingUrl: string | null
  /** How long the stalling test card, recipient and ship-to name take to answer. */
  stallSeconds: number
  /** SQLite file. ':memory:' doesn't persist data. */
  dataFile: string
  /** The maximum number of requests per connection. Unlimited if undefined. */
  maxRequestsPerSocket?: number
  clock: Clock
}
