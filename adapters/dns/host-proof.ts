import { Resolver } from 'node:dns/promises'
import type { HostProof } from '#domain/installer-portal/branded-stores/host-proof.port.ts'

/** A domain with more texts than this is not read to the end. */
const mostTexts = 50
const none = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Reads TXT records with this machine's resolvers or with `servers`. Sends only DNS queries and makes no other
 * connections.
 */
export function createDnsHostProof({ servers }: { servers?: readonly string[] } = {}): HostProof {
  return {
    async texts(name) {
      const resolver = new Resolver({ timeout: 1_000 })
      if (servers) resolver.setServers(servers)
      try {
        const records = await resolver.resolveTxt(name)
        return { ok: true, value: records.slice(0, mostTexts).map((parts) => parts.join('')) }
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : ''
        return none.has(code) ? { ok: true, value: [] } : { ok: false, reason: 'unavailable' }
      }
    },
  }
}
