/** The sandbox's mailbox, read as JSON. */
import { eventually } from '#tests/support/eventually.ts'

export type Mail = { subject: string; text: string; html: string | null; headers: Record<string, string> }

/** Mail that has arrived for an address, newest first. */
export async function mailFor({ sandboxOrigin }: { sandboxOrigin: string }, address: string): Promise<Mail[]> {
  const answer = await fetch(`${sandboxOrigin}/mailbox.json?to=${encodeURIComponent(address)}`)
  const { messages } = (await answer.json()) as { messages: Mail[] }
  return messages
}

/** Waits for mail to an address; returns the newest. */
export function newestMail(store: { sandboxOrigin: string }, address: string): Promise<Mail> {
  return eventually(`mail to ${address}`, async () => (await mailFor(store, address))[0])
}

/** The first link in a mail that contains `part`. */
export function linkIn({ text }: Mail, part: string): string {
  const link = text.match(/http\S+/g)?.find((found) => found.includes(part))
  if (link === undefined) throw new Error(`No link with ${part} in the mail:\n${text}`)
  return link
}
