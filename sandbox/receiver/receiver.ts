import { Hono } from 'hono'
import { html } from 'hono/html'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { moment, page, type Html } from '../pages/layout.ts'
import type { Store } from '../store.ts'

/** Where a company or a partner receives the store's webhooks, and its page. */
export const receiverPath = '/receiver'

type Received = { no: number; at: string; id: string; type: string; verdict: string; body: string }
type Settings = { secret: string; status: number }

const answers = [204, 500, 410] as const
const mostShown = 100
const longestBody = 60_000

/**
 * Another company's program. Receives webhooks, verifies each with the official library and the secret entered on its
 * page, and sends the response selected there.
 */
export function createReceiver(store: Store, now: () => Temporal.Instant): Hono {
  const received = store.collection<Received>('received-webhook')
  const settings = store.collection<Settings>('receiver-settings')
  const present = () => settings.get('own') ?? { secret: '', status: 204 }
  const app = new Hono()

  app.get('/', (c) => c.html(page('A partner’s webhooks', view(present(), received.list({ limit: mostShown })))))

  app.get('/received.json', (c) => c.json({ received: received.list({ limit: mostShown }) }))

  app.post('/settings', async (c) => {
    const { secret, status } = await c.req.parseBody()
    const chosen = answers.find((each) => String(each) === status)
    settings.put('own', {
      secret: typeof secret === 'string' ? secret.trim().slice(0, 200) : '',
      status: chosen ?? 204,
    })
    return c.redirect(receiverPath, 303)
  })

  app.post('/hooks', async (c) => {
    const body = (await c.req.text()).slice(0, longestBody)
    const { secret, status } = present()
    const [last] = received.list({ limit: 1 })
    const no = (last?.no ?? 0) + 1
    const verdict = judge(secret, body, c.req.header())
    const id = c.req.header('webhook-id')?.slice(0, 100) ?? 'none'
    received.put(String(no), { no, at: now().toString(), id, type: typeOf(body), verdict, body })
    if (verdict.startsWith('refused')) return c.body(null, 401)
    return c.body(null, status as 204)
  })
  return app
}

function judge(secret: string, body: string, headers: Record<string, string>): string {
  if (secret === '') return 'not checked: paste the secret'
  try {
    new Webhook(secret).verify(body, headers)
    return 'verified'
  } catch (error) {
    return `refused: ${error instanceof WebhookVerificationError ? error.message : 'the secret is none'}`
  }
}

function typeOf(body: string): string {
  try {
    const { type } = JSON.parse(body) as { type?: unknown }
    return typeof type === 'string' ? type.slice(0, 60) : 'none'
  } catch {
    return 'no JSON'
  }
}

function view({ secret, status }: Settings, received: Received[]): Html {
  return html`<p>
      What another company does with the store’s webhooks. Its address is
      <code>${receiverPath}/hooks</code> on this origin. Each is checked with the library <code>standardwebhooks</code>.
    </p>
    <form class="row" method="post" action="${receiverPath}/settings">
      <label for="secret">Secret</label>
      <input id="secret" name="secret" value="${secret}" autocomplete="off" maxlength="200" />
      <label for="status">Answers</label>
      <select id="status" name="status">
        ${answers.map((each) => html`<option ${each === status ? 'selected' : ''}>${each}</option>`)}
      </select>
      <button class="button small">Save</button>
    </form>
    ${
      received.length === 0
        ? html`<p>Nothing yet.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Event</th>
                  <th scope="col">Signature</th>
                  <th scope="col">Body</th>
                </tr>
              </thead>
              <tbody>
                ${received.map(
                  ({ at, type, verdict, body }) =>
                    html`<tr>
                      <td>${moment(Temporal.Instant.from(at))}</td>
                      <td>${type}</td>
                      <td>${verdict}</td>
                      <td><code>${body.length > 300 ? `${body.slice(0, 300)}…` : body}</code></td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }`
}
