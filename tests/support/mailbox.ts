/** The sandbox's mailbox, read as JSON. */
import { eventually } from '#tests/support/eventually.ts'

export type Mail = { subject: string; text: string; html: string | null; headers: Record<string, string> }

/** Mail that has arrived for an address, newest first. */
export async function mailFor({ sandboxOrigin }: { sandboxOrigin: string }, address: string): Promise<Mail[]> {
  const answer = await fetch(`${sandboxOrigin}/mailbox.json?to=${encodeURIComponent(address)}`)
  const { messages } = (await answer.json()) as { messages: Mail[] }
  return messages
}

/** Returns the newest email to an address with `about` in its subject, once it arrives. */
export function newestMail(store: { sandboxOrigin: string }, address: string, about = ''): Promise<Mail> {
  return eventually(`mail to ${address}`, async () =>
    (await mailFor(store, address)).find(({ subject }) => subject.includes(about)),
  )
}

/** Returns the code in an email. It is on a separate line. */
export function codeIn({ text }: Mail): string {
  const code = /^\d{6}$/m.exec(text)?.[0]
  if (code === undefined) throw new Error(`No code in the mail:\n${text}`)
  return code
}

/** The first link in a mail that contains `part`. */
export function linkIn({ text }: Mail, part: string): string {
  const link = text.match(/http\S+/g)?.find((found) => found.includes(part))
  if (link === undefined) throw new Error(`No link with ${part} in the mail:\n${text}`)
  return link
}
