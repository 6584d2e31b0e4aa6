import { Hono, type Context } from 'hono'
import { isBasicOf } from '../signature.ts'
import type { StoredText, Texts } from './texts.ts'

/** Twilio's Messages resource: https://www.twilio.com/docs/messaging/api/message-resource */
export function createTextsApi(texts: Texts): Hono {
  const app = new Hono()
  app.use((c, next) =>
    isBasicOf(c.req.header('authorization'), texts.accountSid, texts.authToken)
      ? next()
      : Promise.resolve(c.json(notAllowed, 401)),
  )

  app.post('/Accounts/:account/Messages.json', async (c) => {
    const fields = await c.req.parseBody()
    const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
    const [to, body, from] = [text('To'), text('Body'), text('MessagingServiceSid') || text('From')]
    if (!/^\+1[2-9]\d{9}$/.test(to)) return fault(c, 21211, `The 'To' number ${to} is not a valid phone number.`)
    if (from === '') return fault(c, 21603, "A 'From' phone number is required.")
    if (body === '') return fault(c, 21602, 'Message body is required.')
    if (body.length > 1_600) return fault(c, 21617, 'The concatenated message body exceeds the 1600 character limit.')
    if (texts.isStopped(to)) return fault(c, 21610, 'Attempt to send to unsubscribed recipient')
    const sent = texts.send({ to, from, body, statusCallback: text('StatusCallback') || null })
    return c.json(view(texts, sent), 201)
  })

  app.get('/Accounts/:account/Messages.json', (c) => {
    const to = c.req.query('To')
    const after = c.req.query('DateSent>')
    const found = texts.texts
      .list({ limit: 1_000 })
      .filter((text) => text.direction === 'outbound-api' && (to === undefined || text.to === to))
      .filter((text) => after === undefined || text.createdAt >= after)
    const uri = `/2010-04-01/Accounts/${texts.accountSid}/Messages.json`
    return c.json({
      messages: found.map((text) => view(texts, text)),
      first_page_uri: uri,
      next_page_uri: null,
      previous_page_uri: null,
      uri,
      page: 0,
      page_size: 50,
      start: 0,
      end: found.length,
    })
  })
  return app
}

const notAllowed = {
  code: 20003,
  message: 'Authenticate',
  more_info: 'https://www.twilio.com/docs/errors/20003',
  status: 401,
}

function fault(c: Context, code: number, message: string): Response {
  return c.json({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status: 400 }, 400)
}

function view({ accountSid }: Texts, text: StoredText): object {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${text.sid}`
  const date = new Date(Temporal.Instant.from(text.createdAt).epochMilliseconds).toUTCString().replace('GMT', '+0000')
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: text.body,
    date_created: date,
    date_sent: text.status === 'queued' ? null : date,
    date_updated: date,
    direction: text.direction,
    error_code: text.errorCode,
    error_message: text.errorCode === null ? null : 'Unreachable destination handset',
    from: text.from,
    messaging_service_sid: null,
    num_media: '0',
    num_segments: String(Math.ceil(text.body.length / 153)),
    price: null,
    price_unit: 'USD',
    sid: text.sid,
    status: text.status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: text.to,
    uri: `${uri}.json`,
  }
}
