/** What is left out of the kept copy of an email: whatever would let its reader act as the recipient. */
import type { MessageValues } from '#domain/messages/messages.ts'

/** Stands where something was left out. */
const leftOut = '…'

/** The keys of links: of orders, invitations and preferences in the query, of quotes, appointments and changes of orders in the path. */
const keysInUrl = /(?<=[?&](?:key|token|of)=)[^&#]+|(?<=\/(?:quote|order-change|appointment)\/)[^/?#]+/g

/** A link without the key that opens what it leads to. */
export function withoutKeys(url: string): string {
  return url.replaceAll(keysInUrl, leftOut)
}

/** What a kept copy may weigh at most, in bytes; the database refuses more. */
const mostBytes = { text: 131_072, html: 393_216 }

/** The parts of an email as they are kept. One heavier than `mostBytes` keeps the beginning of its text, and no HTML. */
export function keptParts({ text, html }: { text: string; html: string }): { text: string; html: string } {
  const isLight = Buffer.byteLength(text) <= mostBytes.text && Buffer.byteLength(html) <= mostBytes.html
  // A character has at most four bytes in UTF-8.
  return isLight ? { text, html } : { text: `${text.slice(0, mostBytes.text / 4 - 1)}${leftOut}`, html: '' }
}

/** The values of an email without its code and the keys in its links. */
export function withoutSecrets(values: MessageValues): MessageValues {
  const kept: MessageValues = {}
  for (const [name, value] of Object.entries(values))
    kept[name] = name === 'code' || name === 'claim' ? leftOut : withoutSecret(name, value)
  return kept
}

function withoutSecret(name: string, value: MessageValues[string]): MessageValues[string] {
  if (typeof value === 'string') return name.endsWith('Url') ? withoutKeys(value) : value
  return 'links' in value ? { links: value.links.map(({ words, url }) => ({ words, url: withoutKeys(url) })) } : value
}
