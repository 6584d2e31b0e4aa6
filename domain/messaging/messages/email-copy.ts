/** Redacts stored email copies, so that their readers can't act as the recipient. */
import type { MessageValues } from './messages.ts'

/** Replaces redacted text. */
const leftOut = '…'

/**
 * Link keys, in the query for orders, invitations and preferences, and in the path for quotes, appointments and order
 * edits.
 */
const keysInUrl = /(?<=[?&](?:key|token|of)=)[^&#]+|(?<=\/(?:quote|order-change|appointment)\/)[^/?#]+/g

/** A link without the key that opens what it leads to. */
export function withoutKeys(url: string): string {
  return url.replaceAll(keysInUrl, leftOut)
}

/** What a kept copy may weigh at most, in bytes; the database refuses more. */
const mostBytes = { text: 131_072, html: 393_216 }

/**
 * Returns the parts of an email to store. An email larger than `mostBytes` is stored with truncated text and without
 * HTML.
 */
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
