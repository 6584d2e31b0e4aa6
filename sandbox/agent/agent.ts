/** A simulated AI assistant with its requests to the store and the order updates it received. */
import type { Store } from '../store.ts'
import { openLinking } from './linking.ts'
import { openWire, type WireOptions } from './wire.ts'

export type Money = { amount: number }
export type Variant = {
  id: string
  title: string
  price: Money
  availability: { available: boolean }
  fitment?: { text?: string }
}
export type Message = { type: string; code?: string; content: string; presentation?: string }
export type Axle = { axle: string; verdict: string; reasons?: { text: string }[] }
export type Option = { id: string; title: string }
export type Method = {
  type: string
  destinations?: { id: string; name?: string; street_address?: string }[]
  selected_destination_id?: string | null
  groups?: { options?: Option[]; selected_option_id?: string | null }[]
}
/** What of a checkout's answer the page shows. */
export type Checkout = {
  id?: string
  status?: string
  line_items?: { id: string; item: { id: string; title: string }; quantity: number; axle?: string }[]
  totals?: { type: string; display_text?: string; amount: number }[]
  messages?: Message[]
  continue_url?: string
  links?: { type: string; url: string }[]
  fulfillment?: { methods?: Method[] }
  fitment?: { sets?: { text: string; axles: Axle[] }[]; conditions?: { id: string; text: string }[] }
  appointment?: { hold?: { expires_at: string } }
  loyalty?: Record<string, { name: string; display_id?: string }>
  order?: { id: string; label: string; permalink_url: string }
}
export type Search = { query: string; zip: string; year: string; make: string; model: string; trim: string }
export type Heard = { id: string; at: string; verdict: string; label: string; states: string; body: string }

export type Agent = ReturnType<typeof openAgent>

const longestNews = 60_000
const cards = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_visa_chargeDeclined'] as const
export const testCards: readonly string[] = cards

export function openAgent(options: WireOptions) {
  const { store, now, storeOrigin, publicOrigin } = options
  const wire = openWire(options)
  const linking = openLinking({
    store,
    now,
    storeOrigin,
    clientId: wire.profileUrl,
    redirectUri: `${publicOrigin}/agent/linked`,
  })
  const said = keep(store)

  async function ask(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body: object | null,
  ): Promise<Record<string, unknown>> {
    const answer = await wire.call(method, path, body, await linking.token())
    return answer?.body ?? { messages: [{ type: 'error', content: 'The store did not answer.' }] }
  }

  /** Sends a checkout request. The response is the current checkout. */
  async function step(method: 'GET' | 'POST' | 'PUT', path: string, body: object | null): Promise<void> {
    const answer: Checkout = await ask(method, `/checkout-sessions${path}`, body)
    // Failed requests show their messages next to the current checkout.
    said.checkouts.put(
      'now',
      answer.id === undefined ? { ...said.checkout(), messages: answer.messages ?? [] } : answer,
    )
  }

  /** Sends the whole checkout with a change because an update replaces everything. */
  async function update(change: object): Promise<void> {
    const { id, line_items: lines = [] } = said.checkout()
    if (id === undefined) return
    const line_items = lines.map(({ item, quantity, axle }) => ({
      item: { id: item.id },
      quantity,
      ...(axle && { axle }),
    }))
    await step('PUT', `/${id}`, { line_items, ...contextOf(said.search()), ...change })
  }

  return {
    linking,
    wire,
    search: said.search,
    found: () => said.finds.get('now')?.variants ?? [],
    checkout: said.checkout,
    news: () => said.heard.list({ limit: 20 }),
    async find(asked: Search): Promise<void> {
      said.searches.put('now', asked)
      const answer = await ask('POST', '/catalog/search', {
        ...(asked.query !== '' && { query: asked.query }),
        pagination: { limit: 8 },
        ...contextOf(asked),
      })
      const products = (answer['products'] ?? []) as { variants: Variant[] }[]
      said.finds.put('now', { variants: products.flatMap(({ variants }) => variants) })
    },
    open: (lines: { itemId: string; quantity: number; axle: string }[]) => {
      const line_items = lines.map(({ itemId, quantity, axle }) => ({ item: { id: itemId }, quantity, axle }))
      return step('POST', '', { line_items, ...contextOf(said.search()) })
    },
    ...delivering(said, update),
    refresh: () => step('GET', `/${said.checkout().id ?? 'none'}`, null),
    async cancel(): Promise<void> {
      const { id } = said.checkout()
      if (id !== undefined) await ask('POST', `/checkout-sessions/${id}/cancel`, {})
      said.checkouts.remove('now')
    },
    complete: completing(said, { step, update }),
    readOrder: () => ask('GET', `/orders/${said.checkout().order?.id ?? 'none'}`, null),
    /** Receives the store's message about an order. Returns false for an invalid signature. */
    async hear(url: URL, headers: Record<string, string>, text: string): Promise<boolean> {
      const body = text.slice(0, longestNews)
      const verdict = await wire.judge({ url, headers, body })
      const id = (headers['webhook-id'] ?? 'none').slice(0, 100)
      said.heard.put(id, { id, at: now().toString(), verdict, ...summaryOf(body), body })
      return verdict === 'verified'
    },
  }
}

/** The one conversation that is kept. */
function keep(store: Store) {
  const searches = store.collection<Search>('agent-search')
  const finds = store.collection<{ variants: Variant[] }>('agent-found')
  const checkouts = store.collection<Checkout>('agent-checkout')
  const heard = store.collection<Heard>('agent-heard')
  const none: Search = { query: '', zip: '60614', year: '2021', make: 'Toyota', model: 'RAV4', trim: '' }
  return {
    searches,
    finds,
    checkouts,
    heard,
    search: () => searches.get('now') ?? none,
    checkout: (): Checkout => checkouts.get('now') ?? {},
  }
}

function contextOf({ zip, year, make, model, trim }: Search): object {
  const vehicle = { year: Number(year), make, model, ...(trim !== '' && { trim }) }
  return {
    ...(zip !== '' && { context: { postal_code: zip } }),
    ...(make !== '' && model !== '' && Number.isInteger(vehicle.year) && { fitment: { vehicle } }),
  }
}

function summaryOf(body: string): Pick<Heard, 'label' | 'states'> {
  try {
    const order = JSON.parse(body) as {
      label?: string
      line_items?: { status: string }[]
      appointment?: { status: string }
    }
    const states = [...(order.line_items ?? []).map(({ status }) => status), order.appointment?.status ?? '']
    return { label: order.label ?? '', states: [...new Set(states)].filter(Boolean).join(', ') }
  } catch {
    return { label: '', states: 'no JSON' }
  }
}

type Said = ReturnType<typeof keep>
type Update = (change: object) => Promise<void>

/** Where the tires go. */
function delivering(said: Said, update: Update) {
  const select = (method: object) => update({ fulfillment: { methods: [method] } })
  return {
    chooseShop: (type: string, destination: string) => select({ type, selected_destination_id: destination }),
    chooseTime(option: string): Promise<void> {
      const [method] = said.checkout().fulfillment?.methods ?? []
      const { type, selected_destination_id } = method ?? {}
      return select({ type, selected_destination_id, groups: [{ id: 'group-1', selected_option_id: option }] })
    },
    ship: (address: object) => select({ type: 'shipping', destinations: [address] }),
  }
}

type Accepted = { terms: boolean; conditions: string[]; card: string }
type Steps = { update: Update; step: (method: 'POST', path: string, body: object) => Promise<void> }

/** Sends the buyer, the accepted terms, and the card. */
function completing(said: Said, { step, update }: Steps) {
  const totalOf = ({ totals = [] }: Checkout) => totals.find(({ type }) => type === 'total')?.amount
  return async (buyer: object, address: object, { terms, conditions, card }: Accepted): Promise<void> => {
    const total = totalOf(said.checkout())
    await update({ buyer })
    const now = said.checkout()
    // The user accepted the total on the page, not a later one.
    if (now.id === undefined || totalOf(now) !== total) return
    if ((now.messages ?? []).some(({ type }) => type === 'error')) return
    const instrument = {
      id: 'card-1',
      handler_id: 'sandbox-card',
      type: 'card',
      billing_address: address,
      credential: { type: 'sandbox_token', token: card },
    }
    await step('POST', `/${now.id}/complete`, {
      payment: { instruments: [instrument] },
      sandbox_acceptance: { terms_of_sale: terms, fit_conditions: conditions, total },
    })
  }
}
