/** The provider accounts that setup checks run with. A check with other keys or in another mode no longer counts. */
import { createHash } from 'node:crypto'
import type { Config } from '#platform/config.ts'
import type { SetupCheckKind } from './checks.ts'

/** `id` is a hash of the address with the key or user. In test mode, nothing is charged or shipped. */
type CheckProvider = { id: string; isTest: boolean }
export type CheckProviders = Readonly<Record<'payments' | 'email' | 'carrier', CheckProvider>>

/**
 * Returns the configured accounts. Stripe and EasyPost mark test keys by their prefix. Passwords can be short, so the mail
 * server's isn't hashed.
 */
export function checkProvidersOf({
  payments,
  mail,
  carrier,
  sandbox,
}: Pick<Config, 'payments' | 'mail' | 'carrier' | 'sandbox'>): CheckProviders {
  const server = new URL(mail.smtpUrl)
  return {
    payments: {
      id: idOf(payments.apiOrigin, payments.publishableKey),
      isTest: payments.kind === 'sandbox' || payments.publishableKey.startsWith('pk_test_'),
    },
    email: { id: idOf(server.host, server.username, mail.from), isTest: false },
    carrier: {
      id: idOf(carrier.apiOrigin, carrier.apiKey),
      isTest: carrier.apiOrigin === sandbox.origin || carrier.apiKey.startsWith('EZTK'),
    },
  }
}

/** Returns the account that a check ran with, or null for the final check of the whole store. */
export function providerIdOf(providers: CheckProviders, kind: SetupCheckKind): string | null {
  if (kind === 'opening') return null
  return providers[kind === 'email-domain' ? 'email' : kind].id
}

function idOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)
}
