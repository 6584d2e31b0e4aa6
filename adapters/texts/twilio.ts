import type { TextRefusal, TextSender } from '#domain/messaging/texts/text-sender.port.ts'
import { makingSecret, someSecret, type Secrets } from '#platform/secrets.ts'

export type TwilioConfig = {
  accountSid: string
  authToken: Secrets
  /** "MG…": a messaging service picks the number; or a number such as "+13125550100". */
  from: string
  /** https://api.twilio.com, or a server that speaks its protocol. */
  apiOrigin: string
  /** The store's origin as configured at Twilio. Twilio includes it when signing requests. */
  webOrigin: string
}

/** Text jobs are retried, so a short timeout is better than a blocked worker. */
const timeout = 10_000
/** The recipient has answered STOP. https://www.twilio.com/docs/api/errors/21610 */
const stoppedCode = 21610

/** Texts over Twilio's Messages API. */
export function createTwilioTexts({ accountSid, authToken, from, apiOrigin, webOrigin }: TwilioConfig): TextSender {
  // Loaded with the first text message because it's large and most processes don't send any.
  let loaded: ReturnType<typeof load> | undefined
  const load = async () => {
    const { default: twilio } = await import('twilio')
    const client = twilio(accountSid, makingSecret(authToken), { timeout, lazyLoading: true })
    client.api.baseUrl = apiOrigin
    return { client, twilio }
  }
  const sdk = () => (loaded ??= load())
  const sender = from.startsWith('MG') ? { messagingServiceSid: from } : { from }
  return {
    async send({ to, body }) {
      try {
        const statusCallback = `${webOrigin}${statusPath}`
        const { client } = await sdk()
        const { sid } = await client.messages.create({ to, body, ...sender, statusCallback })
        return { ok: true, ref: sid }
      } catch (cause) {
        return refusalOf(cause)
      }
    },
    async find({ to, body, since }) {
      try {
        const dateSentAfter = new Date(since.subtract({ minutes: 1 }).epochMilliseconds)
        const { client } = await sdk()
        const messages = await client.messages.list({ to, dateSentAfter, limit: 50 })
        return { ok: true, ref: messages.find((message) => message.body === body)?.sid }
      } catch (cause) {
        return refusalOf(cause)
      }
    },
    async isFromProvider({ path, signature, fields }) {
      const { twilio } = await sdk()
      return someSecret(authToken, (token) => twilio.validateRequest(token, signature, `${webOrigin}${path}`, fields))
    },
  }
}

const statusPath = '/webhooks/texts/status'

function refusalOf(cause: unknown): TextRefusal {
  const { status = 0, code } = cause as { status?: number; code?: unknown }
  const known = typeof code === 'number' ? code : null
  if (known === stoppedCode) return { ok: false, reason: 'stopped', code: known, cause }
  const isForGood = status >= 400 && status < 500 && status !== 429 && status !== 401 && status !== 408
  return { ok: false, reason: isForGood ? 'refused' : 'unavailable', code: known, cause }
}
