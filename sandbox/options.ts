import type { Clock } from '#platform/clock.ts'

/** Everything the sandbox is told from outside. main.ts reads it from the environment; a test writes it down. */
export type SandboxOptions = {
  /** HTTP port; pages, payment API, carrier API and mailbox share it. */
  port: number
  smtpPort: number
  /** Address to listen on, such as 127.0.0.1. */
  host: string
  /** Where a browser reaches the sandbox, such as http://localhost:4001, without a closing slash. */
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
  /** Seconds between two movements of a shipment; 0 moves it only by hand. */
  carrierPaceSeconds: number
  /** The store at the identity provider: its name there, and the secret that goes with it. */
  identityClientId: string
  identityClientSecret: string
  /** How long the stalling test card, recipient and ship-to name take to answer. */
  stallSeconds: number
  /** SQLite file; ':memory:' forgets everything at the end. */
  dataFile: string
  clock: Clock
}
