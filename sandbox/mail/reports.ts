import { createHmac, randomBytes } from 'node:crypto'
import { newId } from '../ids.ts'
import type { Store } from '../store.ts'
import { addressList, parseMail, type StoredMail } from './mailbox.ts'

/** A post to the store; its signature is made when it is sent. */
type Post = {
  id: string
  to: 'events' | 'incoming'
  fields: Record<string, string>
  event: object | null
  attempts: number
}

export type MailReports = {
  /** Sends the delivery event of a message, determined by its recipients' local part. */
  reportOn(mail: StoredMail): Promise<void>
  /** An answer that someone writes to a message. */
  answer(mail: StoredMail, text: string): Promise<void>
  postDue(): Promise<void>
}

const maxAttempts = 6

/**
 * Sends Mailgun's webhooks and inbound routes after an email was sent. `gone@…` bounces after acceptance, and
 * `complains@…` marks it as spam.
 */
export function openMailReports({
  store,
  now,
  signingKey,
  urls,
}: {
  store: Store
  now: () => Temporal.Instant
  signingKey: string
  urls: { events: string; incoming: string } | null
}): MailReports {
  const posts = store.collection<Post>('mail-post')

  function post(to: Post['to'], content: Pick<Post, 'fields' | 'event'>): void {
    if (urls === null) return
    const id = newId('post_')
    posts.put(id, { id, to, ...content, attempts: 0 }, now().add({ seconds: 1 }))
  }

  const sign = () => signed(now(), signingKey)

  async function isTaken({ to, fields, event }: Post): Promise<boolean> {
    if (urls === null) return true
    const signature = sign()
    const request =
      event === null
        ? { body: new URLSearchParams({ ...fields, ...signature }) }
        : { body: JSON.stringify({ signature, 'event-data': event }), headers: { 'content-type': 'application/json' } }
    try {
      const response = await fetch(urls[to], { method: 'POST', ...request, signal: AbortSignal.timeout(10_000) })
      await response.body?.cancel()
      // With a 406, Mailgun doesn't retry.
      return response.ok || response.status === 406
    } catch {
      return false
    }
  }

  return {
    async reportOn(mail) {
      const email = await parseMail(mail.source)
      const variables = email?.headers.find(({ key }) => key === 'x-mailgun-variables')?.value ?? '{}'
      for (const recipient of mail.to) {
        const event = reportOf(recipient)
        const common = { id: newId('', 22), recipient, timestamp: Number(sign().timestamp) }
        if (event) post('events', { fields: {}, event: { ...common, 'user-variables': parsed(variables), ...event } })
      }
    },
    async answer(mail, text) {
      const email = await parseMail(mail.source)
      const [recipient = ''] = (email?.replyTo ?? []).map((address) => addressList([{ ...address, name: '' }]))
      const fields = {
        recipient: recipient || mail.from,
        sender: mail.to[0] ?? '',
        subject: `Re: ${mail.subject}`,
        'body-plain': text,
        'stripped-text': text,
        'Message-Id': `<${newId('', 20)}@sandbox.invalid>`,
      }
      post('incoming', { fields, event: null })
    },
    async postDue() {
      for (let due = posts.nextDue(now()); due; due = posts.nextDue(now())) {
        const { body } = due
        if (await isTaken(body)) posts.remove(due.id)
        else {
          const attempts = body.attempts + 1
          posts.put(
            due.id,
            { ...body, attempts },
            attempts < maxAttempts ? now().add({ seconds: 2 ** attempts }) : null,
          )
        }
      }
    },
  }
}

/** Returns the event for an email to this address. Returns undefined if it's delivered without an event. */
function reportOf(recipient: string): Record<string, unknown> | undefined {
  const word = recipient.toLowerCase().split('@')[0]?.split('+')[0]
  if (word === 'complains') return { event: 'complained' }
  if (word !== 'gone') return undefined
  return {
    event: 'failed',
    severity: 'permanent',
    reason: 'bounce',
    'delivery-status': { code: 550, message: '5.1.1 The email account that you tried to reach does not exist' },
  }
}

function signed(at: Temporal.Instant, key: string): { timestamp: string; token: string; signature: string } {
  const timestamp = String(Math.floor(at.epochMilliseconds / 1000))
  const token = randomBytes(25).toString('hex')
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  return { timestamp, token, signature }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
