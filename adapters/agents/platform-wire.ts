/** Calls to the platforms of shopping agents, at addresses that they name themselves. */
import type { PlatformWire, WireRefusal } from '#domain/channels/agents/platform-wire.port.ts'
import type { Outgoing, OutgoingFault } from '#platform/outgoing-http.ts'
import { ok, refused } from '#platform/outcome.ts'

const maxBytes = 128 * 1024
const timeoutMs = 4_000

const refusals: Record<OutgoingFault, WireRefusal['reason']> = {
  'bad-address': 'refused',
  'not-https': 'refused',
  'private-address': 'refused',
  unresolved: 'unreachable',
  unreachable: 'unreachable',
  timeout: 'unreachable',
  'broken-answer': 'unreachable',
}

/** Speaks with platforms by way of `outgoing`. */
export function createPlatformWire(outgoing: Outgoing): PlatformWire {
  return {
    async read(url) {
      const answer = await outgoing.get({ url: url.href, headers: { accept: 'application/json' }, maxBytes, timeoutMs })
      if (!answer.ok) return refused(refusals[answer.fault])
      if (answer.status !== 200) return refused('unreachable')
      if (answer.isCut) return refused('too-large')
      const maxAge = /(?:^|[\s,])max-age=(\d{1,9})/.exec(answer.headers['cache-control'] ?? '')?.[1]
      return ok({ text: answer.body, maxAgeSeconds: maxAge === undefined ? null : Number(maxAge) })
    },
    async send(url, { headers, body }) {
      const answer = await outgoing.post({ url: url.href, headers, body, maxBytes, timeoutMs })
      if (!answer.ok) return refused(refusals[answer.fault])
      return answer.status >= 200 && answer.status < 300 ? ok(null) : refused('unreachable')
    },
  }
}
