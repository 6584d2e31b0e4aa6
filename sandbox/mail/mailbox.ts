import PostalMime, { type Address, type Email } from 'postal-mime'
import { newId } from '../ids.ts'
import type { Store } from '../store.ts'

/** A message as received. `subject` and `headerFrom` are parsed once, for lists. */
export type StoredMail = {
  id: string
  from: string
  to: string[]
  subject: string
  receivedAt: string
  /** The raw message, base64. */
  source: string
}

export type Mailbox = {
  /** Stores a message, even one that cannot be parsed. */
  deliver(message: { from: string; to: string[]; source: Uint8Array }): Promise<StoredMail>
  get(id: string): StoredMail | undefined
  /** Newest first; `to` is one recipient's address, in any case. */
  list(filter: { to?: string | undefined; limit: number }): StoredMail[]
}

export function openMailbox(store: Store, now: () => Temporal.Instant): Mailbox {
  const mails = store.collection<StoredMail>('mail')
  return {
    async deliver({ from, to, source }) {
      const email = await parseMail(source)
      const mail: StoredMail = {
        id: newId('mail_', 16),
        from,
        to,
        subject: email?.subject ?? '',
        receivedAt: now().toString(),
        source: Buffer.from(source).toString('base64'),
      }
      mails.put(mail.id, mail)
      return mail
    },
    get: mails.get,
    list({ to, limit }) {
      const all = mails.list({ limit: 10_000 })
      const wanted = to?.toLowerCase()
      return all
        .filter((mail) => wanted === undefined || mail.to.some((address) => address.toLowerCase() === wanted))
        .slice(0, limit)
    },
  }
}

/** Parses a message; null if it is not one. */
export async function parseMail(source: string | Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(typeof source === 'string' ? Buffer.from(source, 'base64') : source)
  } catch {
    return null
  }
}

/** `Ann <ann@example.com>, bob@example.com` */
export function addressList(addresses: Address[] = []): string {
  return addresses
    .flatMap((address) => address.group ?? [address])
    .map(({ name, address }) => (name ? `${name} <${address}>` : address))
    .join(', ')
}
