import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Attachment, Email } from 'postal-mime'
import { moment, page, type Html } from '../pages/layout.ts'
import type { MailReports } from './reports.ts'
import { addressList, parseMail, type Mailbox, type StoredMail } from './mailbox.ts'

/** The mailbox as web pages and as JSON. */
export function createMailPages(mailbox: Mailbox, reports: Pick<MailReports, 'answer'>): Hono {
  const app = new Hono()

  app.get('/mailbox.json', async (c) => {
    const mails = mailbox.list({ to: c.req.query('to'), limit: 100 })
    return c.json({ messages: await Promise.all(mails.map(describe)) })
  })

  app.get('/mailbox', (c) => {
    const to = c.req.query('to')?.trim() || undefined
    return c.html(page('Mailbox', list(mailbox.list({ to, limit: 200 }), to)))
  })

  app.get('/mailbox/:id', async (c) => {
    const mail = mailbox.get(c.req.param('id'))
    if (!mail) return c.html(page('Mailbox', html`<p>Message not found.</p>`), 404)
    const email = await parseMail(mail.source)
    return c.html(
      page(
        mail.subject || '(no subject)',
        email ? message(mail, email) : html`<p class="error">This message could not be read.</p>`,
      ),
    )
  })

  app.post('/mailbox/:id/answer', async (c) => {
    const mail = mailbox.get(c.req.param('id'))
    if (!mail) return c.html(page('Mailbox', html`<p>Message not found.</p>`), 404)
    const text = (await c.req.parseBody())['text']
    if (typeof text === 'string' && text.trim() !== '') await reports.answer(mail, text)
    return c.redirect('/mailbox', 303)
  })

  app.get('/mailbox/:id/html', async (c) => {
    const mail = mailbox.get(c.req.param('id'))
    const email = mail && (await parseMail(mail.source))
    if (!email?.html) return c.text('HTML part not found.', 404)
    // Untrusted HTML without scripts and forms, in a separate origin. Images and inline styles are allowed, as in a
    // mail program.
    c.header(
      'Content-Security-Policy',
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; frame-ancestors 'self'",
    )
    return c.html(`<base target="_blank">${withInlinePictures(email)}`)
  })

  app.get('/mailbox/:id/attachments/:index', async (c) => {
    const mail = mailbox.get(c.req.param('id'))
    const email = mail && (await parseMail(mail.source))
    const attachment = email?.attachments[Number(c.req.param('index'))]
    if (!attachment) return c.text('Attachment not found.', 404)
    const filename = encodeURIComponent(attachment.filename ?? 'attachment')
    // Always a download because the type is untrusted.
    return c.body(bytesOf(attachment), 200, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${filename}`,
    })
  })
  return app
}

/** Returns a message as JSON, with text, recipients, headers (lowercase, the first of each), and attachments. */
async function describe(mail: StoredMail): Promise<object> {
  const email = await parseMail(mail.source)
  return {
    id: mail.id,
    receivedAt: mail.receivedAt,
    envelope: { from: mail.from, to: mail.to },
    subject: mail.subject,
    from: email?.from ? addressList([email.from]) : '',
    to: addressList(email?.to),
    text: email?.text ?? null,
    html: email?.html ?? null,
    headers: Object.fromEntries((email?.headers ?? []).toReversed().map(({ key, value }) => [key, value])),
    attachments: (email?.attachments ?? []).map((attachment, index) => ({
      filename: attachment.filename,
      mimeType: attachment.mimeType,
      bytes: bytesOf(attachment).byteLength,
      path: `/mailbox/${mail.id}/attachments/${index}`,
    })),
  }
}

function list(mails: StoredMail[], to: string | undefined): Html {
  return html`<form class="row" role="search">
      <label for="to">Sent to</label>
      <input id="to" name="to" type="email" value="${to ?? ''}" />
      <button class="button small">Show</button>
    </form>
    ${
      mails.length === 0
        ? html`<p>No message${to ? ` to ${to}` : ''} yet.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">To</th>
                  <th scope="col">Subject</th>
                </tr>
              </thead>
              <tbody>
                ${mails.map(
                  (mail) =>
                    html`<tr>
                      <td>${moment(Temporal.Instant.from(mail.receivedAt))}</td>
                      <td>${mail.to.join(', ')}</td>
                      <td><a href="/mailbox/${mail.id}">${mail.subject || '(no subject)'}</a></td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }`
}

function message(mail: StoredMail, email: Email): Html {
  return html`<dl>
      <dt>From</dt>
      <dd>${email.from ? addressList([email.from]) : mail.from}</dd>
      <dt>To</dt>
      <dd>${addressList(email.to) || mail.to.join(', ')}</dd>
      <dt>Received</dt>
      <dd>${moment(Temporal.Instant.from(mail.receivedAt))}</dd>
    </dl>
    ${
      email.attachments.length > 0
        ? html`<h2>Attachments</h2>
            <ul>
              ${email.attachments.map(
                (attachment, index) =>
                  html`<li>
                    <a href="/mailbox/${mail.id}/attachments/${index}" download
                      >${attachment.filename ?? 'attachment'}</a
                    >
                    <span class="muted">${attachment.mimeType}, ${bytesOf(attachment).byteLength} bytes</span>
                  </li>`,
              )}
            </ul>`
        : ''
    }
    ${
      email.html
        ? html`<h2>HTML part</h2>
            <iframe
              title="HTML part of the message"
              src="/mailbox/${mail.id}/html"
              sandbox="allow-popups allow-popups-to-escape-sandbox"
            ></iframe>`
        : ''
    }
    ${
      email.replyTo && email.replyTo.length > 0
        ? html`<h2>Answer</h2>
            <form method="post" action="/mailbox/${mail.id}/answer">
              <label for="answer">To ${addressList(email.replyTo)}</label>
              <textarea id="answer" name="text" rows="4" cols="60"></textarea>
              <button class="button small">Send</button>
            </form>`
        : ''
    }
    ${
      email.text
        ? html`<h2>Text part</h2>
            <pre>${email.text}</pre>`
        : ''
    }`
}

/** Inlines attached pictures, referenced by `cid:` in the HTML, as data URLs. */
function withInlinePictures(email: Email): string {
  return email.attachments.reduce((text, attachment) => {
    const name = attachment.contentId?.replace(/^<|>$/g, '')
    if (!name || !/^image\/(png|jpeg|gif|webp)$/.test(attachment.mimeType)) return text
    return text.replaceAll(
      `cid:${name}`,
      `data:${attachment.mimeType};base64,${Buffer.from(bytesOf(attachment)).toString('base64')}`,
    )
  }, email.html ?? '')
}

function bytesOf({ content }: Attachment): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  return content instanceof ArrayBuffer ? new Uint8Array(content) : new Uint8Array(content)
}
