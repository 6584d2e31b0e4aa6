import type { Clock } from '#platform/clock.ts'

/** The sandbox's configuration. main.ts reads it from the environment; tests set it directly. */
export type SandboxOptions = {
  /** HTTP port of the pages, payment API, carrier API and mailbox. */
  port: number
  smtpPort: number
  /** Address to listen on, such as 127.0.0.1. */
  host: string
  /** Where a browser reaches the sandbox, such as http://localhost:4001, without a trailing slash. */
  publicOrigin: string
  /** The one origin that may embed the card fields. */
  storeOrigin: string
  stripeSecretKey: string
  /** Signs payment webhooks. */
  webhookSecret: string
  /** Where payment webhooks go; null sends none. */
  webhookUrl: string | null
  /** The store's bearer token at the carrier, and the key that signs the carrier's callbacks. */
  carrierSecret: string
  /** Where carrier callbacks go; null sends none. */
  carrierCallbackUrl: string | null
  /** Seconds between two movements of a shipment; 0: only manually. */
  carrierPaceSeconds: number
  /** The store's client ID and secret at the identity provider. */
  identityClientId: string
  identityClientSecret: string
  /** How long the stalling test card, recipient and ship-to name take to answer. */
  stallSeconds: number
  /** SQLite file; ':memory:' keeps nothing after exit. */
  dataFile: string
  clock: Clock
}
