/** Purchasing systems of companies, which take documents in cXML at an address that staff entered. */
import type { PurchasingSystems } from '#domain/channels/purchasing/purchasing-system.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { CxmlParty } from '#platform/cxml.ts'
import type { Outgoing, OutgoingFault } from '#platform/outgoing-http.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { childAt, parseXml } from '#platform/xml.ts'
import { writeDocument } from './documents.ts'

const timeoutMs = 15_000

const faults: Record<OutgoingFault, string> = {
  'bad-address': 'The address is not one to send to.',
  'not-https': 'Only https addresses are allowed.',
  'private-address': 'The address is not a public one.',
  unresolved: 'The name of the address is not known.',
  unreachable: 'It cannot be reached.',
  timeout: 'It did not answer in time.',
  'broken-answer': 'Its answer broke off.',
}

/** `from` is the store. */
export function createPurchasingSystems({
  from,
  outgoing,
  clock,
}: {
  from: CxmlParty
  outgoing: Outgoing
  clock: Clock
}): PurchasingSystems {
  return {
    async send({ url, ...document }) {
      const answer = await outgoing.post({
        url,
        body: writeDocument(document, { from, at: clock.now() }),
        headers: { 'content-type': 'text/xml; charset=utf-8', ...requestIdHeader() },
        timeoutMs,
      })
      if (!answer.ok) return { ok: false, words: faults[answer.fault] }
      if (answer.status < 200 || answer.status > 299) return { ok: false, words: `It answered HTTP ${answer.status}.` }
      return answer.isCut ? { ok: false, words: 'The answer is too long.' } : readStatus(answer.body)
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
