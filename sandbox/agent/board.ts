/**
 * The assistant's page, where the user requests, chooses, accepts, and pays, and sees each request with its response.
 */
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { page } from '../pages/layout.ts'
import { testCards, type Agent } from './agent.ts'
import { buying, checkoutView, conversation, finding, linkView, newsView } from './views.ts'

/** `publicOrigin` is what the store signs its messages for. */
export function createAgentBoard(agent: Agent, publicOrigin: string): Hono {
  const app = new Hono()
  addDoors(app, agent, publicOrigin)
  app.get('/', (c) =>
    c.html(
      page(
        'Assistant',
        html`${linkView(agent)}${finding(agent)}${checkoutView(agent.checkout())}${buying(agent)}${newsView(agent)}
        ${conversation(agent)}`,
      ),
    ),
  )
  const act = (path: string, work: (form: Fields) => Promise<unknown>) =>
    app.post(path, async (c) => {
      await work(fieldsOf(await c.req.parseBody({ all: true })))
      return c.redirect('/agent', 303)
    })
  act('/search', ({ get }) =>
    agent.find({
      query: get('query'),
      zip: get('zip'),
      year: get('year'),
      make: get('make'),
      model: get('model'),
      trim: get('trim'),
    }),
  )
  act('/checkout', ({ get }) => {
    const [front, rear] = [get('item'), get('rear')]
    const isStaggered = rear !== '' && rear !== front
    const quantity = isStaggered ? 2 : Number(get('quantity')) || 4
    return agent.open([
      { itemId: front, quantity, axle: isStaggered ? 'front' : 'all' },
      ...(isStaggered ? [{ itemId: rear, quantity, axle: 'rear' }] : []),
    ])
  })
  act('/shop', ({ get }) => {
    const [type = '', ...id] = get('destination').split(' ')
    return agent.chooseShop(type, id.join(' '))
  })
  act('/time', ({ get }) => agent.chooseTime(get('option')))
  act('/ship', (form) => agent.ship(addressOf(form)))
  act('/refresh', () => agent.refresh())
  act('/cancel', () => agent.cancel())
  act('/order', () => agent.readOrder())
  act('/unlink', () => agent.linking.unlink())
  act('/complete', (form) => {
    const { get, all } = form
    const card = testCards.find((each) => each === get('card')) ?? 'pm_card_visa'
    const accepted = { terms: get('terms') === '1', conditions: all('condition'), card }
    const buyer = {
      first_name: get('first_name'),
      last_name: get('last_name'),
      email: get('email'),
      phone_number: get('phone'),
    }
    return agent.complete(buyer, addressOf(form), accepted)
  })
  app.post('/link', async (c) => c.redirect(await agent.linking.begin(), 303))
  return app
}

/** The public profile, sign-in callback, and order webhook endpoints. */
function addDoors(app: Hono, agent: Agent, publicOrigin: string): void {
  app.get('/profile.json', async (c) => {
    c.header('Cache-Control', 'public, max-age=60')
    return c.json(await agent.wire.profile())
  })
  app.get('/linked', async (c) => {
    const isLinked = await agent.linking.complete(new URL(c.req.url).searchParams)
    return isLinked
      ? c.redirect('/agent', 303)
      : c.html(page('Assistant', html`<p class="error">The account was not linked.</p>`), 400)
  })
  app.post('/orders', async (c: Context) => {
    const isTaken = await agent.hear(new URL(`${publicOrigin}/agent/orders`), c.req.header(), await c.req.text())
    return c.body(null, isTaken ? 204 : 401)
  })
}

type Fields = { get(name: string): string; all(name: string): string[] }

function fieldsOf(body: Record<string, unknown>): Fields {
  const all = (name: string) =>
    [body[name]].flat().flatMap((value) => (typeof value === 'string' ? [value.trim().slice(0, 300)] : []))
  return { all, get: (name) => all(name)[0] ?? '' }
}

function addressOf({ get }: Fields): object {
  return {
    street_address: get('street'),
    address_locality: get('city'),
    address_region: get('state'),
    postal_code: get('postal'),
    address_country: 'US',
  }
}
