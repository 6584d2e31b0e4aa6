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
  /** Where payment webhooks go; null sends none. */
  webhookUrl: string | null
  /** The store's access to PayPal, and the id of its webhook there, which every signature covers. */
  paypalClientId: string
  paypalClientSecret: Secrets
  paypalWebhookId: string
  /** Where PayPal's webhooks go; null sends none. */
  paypalWebhookUrl: string | null
  /** The store's merchant ID and secret key at Resolve, what signs its webhooks, and where they go; null sends none. */
  resolveMerchantId: string
  resolveSecretKey: string
  resolveWebhookSecret: string
  resolveUrl: string | null
  /** The store's API key at EasyPost. */
  easyPostKey: Secrets
  /** The store's projects at FedEx, which says where parcels are kept: of each the API key, a colon and its one secret. */
  fedExProjects: Secrets
  /** Signs the carrier's webhooks. */
  carrierSecret: string
  /** Where the carrier's webhooks go; null sends none. */
  carrierCallbackUrl: string | null
  /** Seconds between two movements of a shipment; 0: only manually. */
  carrierPaceSeconds: number
  /** What the store proves itself with at the suppliers' network, and the network at the store. */
  supplierSecret: string
  supplierCallbackSecret: string
  /** Where suppliers post their answers; null sends none. */
  supplierUrl: string | null
  /** The store's client ID and secret at the identity provider. */
  identityClientId: string
  identityClientSecret: Secrets
  /** The store's client at the stand-in for ID.me. */
  idMeClientId: string
  idMeClientSecret: string
  /** The store's account and token at the provider of text messages. */
  twilioAccountSid: string
  twilioAuthToken: Secrets
  /** Where texts from phones are posted to; null sends none. */
  textsUrl: string | null
  /** Signs what the mail provider posts to the store, and where; null posts nothing. */
  mailSigningKey: string
  mailUrls: { events: string; incoming: string } | null
  /** The store's client at the lender, what signs the lender's webhooks, and where they go; null sends none. */
  financingClientId: string
  financingClientSecret: Secrets
  financingWebhookSecret: string
  financingUrl: string | null
  /** How long the stalling test card, recipient and ship-to name take to answer. */
  stallSeconds: number
  /** SQLite file; ':memory:' keeps nothing after exit. */
  dataFile: string
  /** After so many requests a connection is closed; without it, none is. */
  maxRequestsPerSocket?: number
  clock: Clock
}
