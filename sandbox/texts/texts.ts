import { createHmac } from 'node:crypto'
import { makingSecret, type Secrets } from '#platform/secrets.ts'
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'

/** A text in either direction. */
export type StoredText = {
  sid: string
  direction: 'outbound-api' | 'outbound-reply' | 'inbound'
  from: string
  to: string
  body: string
  status: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'received'
  errorCode: number | null
  createdAt: string
  statusCallback: string | null
}

/** A form that is posted to the store, until it answers 2xx or the attempts are used up. */
type Post = { id: string; url: string; fields: Record<string, string>; attempts: number }

export type Texts = {
  readonly accountSid: string
  /** The first token signs webhooks, and every token is accepted. */
  readonly authToken: Secrets
  readonly texts: Collection<StoredText>
  now(): Temporal.Instant
  /** Returns whether the phone sent STOP. Text messages to it are refused with 21610. */
  isStopped(phone: string): boolean
  /** A text from the store. */
  send(text: { to: string; from: string; body: string; statusCallback: string | null }): StoredText
  /** A text that someone types on their phone. */
  receive(from: string, body: string): void
  /** Sends due webhooks to the store. */
  postDue(): Promise<void>
}

const number = '+18005550142'
const maxAttempts = 6

/**
 * Twilio's messaging API. Like Twilio, it answers STOP, START, and HELP itself, and then notifies the store. Text
 * messages to numbers that end in 0404 aren't delivered.
 */
export function openTexts({
  store,
  now,
  accountSid,
  authToken,
  inboundUrl,
}: {
  store: Store
  now: () => Temporal.Instant
  accountSid: string
  authToken: Secrets
  inboundUrl: string | null
}): Texts {
  const texts = store.collection<StoredText>('text')
  const stops = store.collection<{ phone: string }>('text-stop')
  const posts = store.collection<Post>('text-post')

  function keep(text: Omit<StoredText, 'sid' | 'createdAt'>): StoredText {
    const kept = { ...text, sid: newSid(), createdAt: now().toString() }
    texts.put(kept.sid, kept)
    return kept
  }

  function post(url: string | null, fields: Record<string, string>, afterSeconds = 0): void {
    if (url === null) return
    const id = newId('post_')
    posts.put(id, { id, url, fields, attempts: 0 }, now().add({ seconds: afterSeconds }))
  }

  function report(text: StoredText, status: StoredText['status'], afterSeconds: number): void {
    const error = status === 'undelivered' ? { ErrorCode: '30003' } : {}
    const fields = { MessageSid: text.sid, MessageStatus: status, To: text.to, From: text.from, AccountSid: accountSid }
    post(text.statusCallback, { ...fields, ...error }, afterSeconds)
  }

  return {
    accountSid,
    authToken,
    texts,
    now,
    isStopped: (phone) => stops.get(phone) !== undefined,
    send({ to, from, body, statusCallback }) {
      const isLost = to.endsWith('0404')
      const text = keep({
        direction: 'outbound-api',
        from: from.startsWith('MG') ? number : from,
        to,
        body,
        status: isLost ? 'undelivered' : 'delivered',
        errorCode: isLost ? 30003 : null,
        statusCallback,
      })
      report(text, 'sent', 1)
      report(text, text.status, 2)
      return { ...text, status: 'queued', errorCode: null }
    },
    receive(from, body) {
      const quiet = { errorCode: null, statusCallback: null }
      const { sid } = keep({ ...quiet, direction: 'inbound', from, to: number, body, status: 'received' })
      const answer = ownAnswer(body)
      if (answer === 'stop') stops.put(from, { phone: from })
      if (answer === 'start') stops.remove(from)
      if (answer !== undefined) {
        const reply = { from: number, to: from, body: ownAnswers[answer] }
        keep({ ...quiet, ...reply, direction: 'outbound-reply', status: 'delivered' })
      }
      post(inboundUrl, { MessageSid: sid, From: from, To: number, Body: body, AccountSid: accountSid, NumMedia: '0' })
    },
    async postDue() {
      for (let due = posts.nextDue(now()); due; due = posts.nextDue(now())) {
        const { body } = due
        if (await isTaken(body, makingSecret(authToken))) posts.remove(due.id)
        else {
          const attempts = body.attempts + 1
          const again = attempts < maxAttempts ? now().add({ seconds: 2 ** attempts }) : null
          posts.put(due.id, { ...body, attempts }, again)
        }
      }
    },
  }
}

function newSid(): string {
  const hex = newId('', 40).replaceAll(/[^\da-f]/g, '')
  return `SM${hex.padEnd(32, '0').slice(0, 32)}`
}

const ownAnswers = {
  stop: 'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.',
  start:
    'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe.',
  help: 'Reply STOP to unsubscribe. Msg&Data Rates May Apply.',
}

function ownAnswer(body: string): keyof typeof ownAnswers | undefined {
  const word = body.trim().toUpperCase()
  if (['STOP', 'UNSUBSCRIBE', 'END', 'QUIT', 'STOPALL', 'REVOKE', 'OPTOUT', 'CANCEL'].includes(word)) return 'stop'
  if (['START', 'UNSTOP'].includes(word)) return 'start'
  return word === 'HELP' || word === 'INFO' ? 'help' : undefined
}

async function isTaken({ url, fields }: Post, authToken: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-twilio-signature': twilioSignature(authToken, url, fields) },
      body: new URLSearchParams(fields),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** Base64 of HMAC-SHA1 over the URL and the sorted fields. https://www.twilio.com/docs/usage/security */
function twilioSignature(authToken: string, url: string, fields: Record<string, string>): string {
  const text = Object.keys(fields)
    .toSorted()
    .reduce((before, name) => before + name + fields[name], url)
  return createHmac('sha1', authToken).update(text).digest('base64')
}
