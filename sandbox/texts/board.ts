import { Hono } from 'hono'
import { html } from 'hono/html'
import { moment, page, type Html } from '../pages/layout.ts'
import type { StoredText, Texts } from './texts.ts'

/** The phones' page with every text message and a form to reply. */
export function createTextsBoard(texts: Texts): Hono {
  const app = new Hono()

  app.get('/', (c) => c.html(page('Phones', list(texts.texts.list({ limit: 200 })))))

  app.get('/texts.json', (c) => c.json({ texts: texts.texts.list({ limit: 200 }) }))

  app.post('/', async (c) => {
    const fields = await c.req.parseBody()
    const { from, body } = fields
    if (typeof from !== 'string' || typeof body !== 'string') return c.redirect('/texts', 303)
    if (/^\+1[2-9]\d{9}$/.test(from) && body !== '') texts.receive(from, body.slice(0, 1_600))
    return c.redirect('/texts', 303)
  })
  return app
}

function list(all: StoredText[]): Html {
  const phones = [...new Set(all.map(({ direction, from, to }) => (direction === 'inbound' ? from : to)))]
  return html`<p>
      Text messages the store sends. Answer as the phone's owner: YES confirms, STOP stops all texts, START starts them
      again, HELP is answered here. Texts to numbers that end in 0404 are not delivered.
    </p>
    <form class="row" method="post" action="/texts">
      <label for="from">From</label>
      <select id="from" name="from">
        ${phones.map((phone) => html`<option>${phone}</option>`)}
      </select>
      <label for="body">Text</label>
      <input id="body" name="body" maxlength="160" value="YES" />
      <button class="button small">Send</button>
    </form>
    ${
      all.length === 0
        ? html`<p>No text yet.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">From</th>
                  <th scope="col">To</th>
                  <th scope="col">Text</th>
                  <th scope="col">State</th>
                </tr>
              </thead>
              <tbody>
                ${all.map(
                  (text) =>
                    html`<tr>
                      <td>${moment(Temporal.Instant.from(text.createdAt))}</td>
                      <td>${text.from}</td>
                      <td>${text.to}</td>
                      <td>${text.body}</td>
                      <td>${text.status}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }`
}
