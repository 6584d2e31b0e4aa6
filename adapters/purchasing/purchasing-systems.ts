/** Purchasing systems of companies, which take documents in cXML at an address that staff entered. */
import type { PurchasingSystems } from '#domain/purchasing/purchasing-system.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { CxmlParty } from '#platform/cxml.ts'
import { postToPublic } from '#platform/outgoing-http.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { childAt, parseXml } from '#platform/xml.ts'
import { writeDocument } from './documents.ts'

const timeoutMs = 15_000
const longestAnswer = 64 * 1024

/** `from` is the store; `trusted` are origins that are reached although they are not public. */
export function createPurchasingSystems({
  from,
  trusted,
  clock,
}: {
  from: CxmlParty
  trusted: readonly string[]
  clock: Clock
}): PurchasingSystems {
  return {
    async send({ url, ...document }) {
      try {
        const { status, text } = await postToPublic(url, {
          body: writeDocument(document, { from, at: clock.now() }),
          headers: { 'content-type': 'text/xml; charset=utf-8', ...requestIdHeader() },
          timeoutMs,
          longestAnswer,
          trusted,
        })
        if (status < 200 || status > 299) return { ok: false, words: `It answered HTTP ${status}.` }
        return readStatus(text)
      } catch (cause) {
        // Its words only: the request has the secret.
        return { ok: false, words: cause instanceof Error ? cause.message.slice(0, 200) : 'It did not answer.' }
      }
    },
  }
}

function readStatus(text: string): { ok: true } | { ok: false; words: string } {
  const status = childAt(parseXml(text), 'Response', 'Status')
  const code = Number(status?.attributes['code'])
  if (!status || !Number.isInteger(code)) return { ok: false, words: 'It answered something else than cXML.' }
  return code >= 200 && code < 300
    ? { ok: true }
    : {
        ok: false,
        words: `It answered ${code} ${status.text.trim() || (status.attributes['text'] ?? '')}`.slice(0, 200),
      }
}
