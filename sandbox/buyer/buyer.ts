/** A company's purchasing system with its punchout sessions, orders, and received documents. */
import type { Store } from '../store.ts'
import { newId } from '../ids.ts'
import { isSameSecret } from '../signature.ts'
import {
  orderDocument,
  readMessage,
  readNotice,
  readResponse,
  setupDocument,
  type BuyerLine,
  type CartBack,
  type Notice,
} from './documents.ts'

/** The credentials for the store's settings. The store authenticates with the secret. */
export const buyerIdentity = { domain: 'DUNS', identity: 'SANDBOX-BUYER' } as const
export const buyerSecret = 'sandbox-buyer-secret'

export type BuyerVisit = {
  cookie: string
  startedAt: string
  /** Where its user shops; null if the store refused. */
  startUrl: string | null
  state: 'open' | 'returned' | 'ordered' | 'refused'
  /** What the store answered. */
  answer: string
  cart: CartBack | null
  orderId: string | null
}
export type { BuyerLine, Notice }

export type Buyer = ReturnType<typeof openBuyer>

const timeoutMs = 15_000

/** `storeOrigin` is where its documents go, `publicOrigin` where browsers reach this system. */
export function openBuyer({
  store,
  now,
  storeOrigin,
  publicOrigin,
}: {
  store: Store
  now: () => Temporal.Instant
  storeOrigin: string
  publicOrigin: string
}) {
  const visits = store.collection<BuyerVisit>('buyer-visit')
  const notices = store.collection<Notice & { at: string }>('buyer-notice')
  const settings = store.collection<{ secret: string }>('buyer-setting')
  const secret = () => settings.get('secret')?.secret ?? ''

  async function post(body: string): Promise<ReturnType<typeof readResponse>> {
    try {
      const response = await fetch(`${storeOrigin}/cxml`, {
        method: 'POST',
        headers: { 'content-type': 'text/xml; charset=utf-8' },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      return readResponse(await response.text())
    } catch {
      return { code: 0, words: 'The store did not answer.', startUrl: null }
    }
  }

  function envelope() {
    return { payloadId: `${newId('cxml_')}@buyer.sandbox`, at: now(), from: buyerIdentity, secret: secret() }
  }

  return {
    visits,
    notices,
    now,
    hasSecret: () => secret() !== '',
    keepSecret: (given: string) => settings.put('secret', { secret: given }),
    /** Requests a punchout session from the store. */
    async open(): Promise<void> {
      const cookie = newId('visit_')
      const setup = setupDocument(envelope(), { cookie, returnUrl: `${publicOrigin}/buyer/return` })
      const { code, words, startUrl } = await post(setup)
      const state = startUrl === null ? 'refused' : 'open'
      const answer = `${code} ${words}`
      visits.put(cookie, { cookie, startedAt: now().toString(), startUrl, state, answer, cart: null, orderId: null })
    },
    /** Takes a cart that a browser brought back; false if it belongs to no visit. */
    takeBack(message: string): boolean {
      const cart = readMessage(message)
      const visit = cart && visits.get(cart.cookie)
      if (!visit || visit.state === 'ordered') return false
      visits.put(visit.cookie, { ...visit, state: 'returned', cart, answer: 'The cart is back.' })
      return true
    },
    /** Approves a cart and sends the order to the store. */
    async order(cookie: string): Promise<void> {
      const visit = visits.get(cookie)
      if (!visit?.cart || visit.state !== 'returned') return
      const orderId = `PO-${newId('').slice(0, 8).toUpperCase()}`
      const { code, words } = await post(orderDocument(envelope(), { orderId, cart: visit.cart }))
      const isTaken = code >= 200 && code < 300
      visits.put(cookie, {
        ...visit,
        state: isTaken ? 'ordered' : 'returned',
        orderId: isTaken ? orderId : null,
        answer: `${code} ${words}`,
      })
    },
    /** Takes a document of the store; the code of the answer. */
    hear(text: string): number {
      const notice = readNotice(text)
      if (!notice) return 406
      if (!isSameSecret(notice.secret, buyerSecret)) return 401
      notices.put(notice.payloadId, { ...notice, secret: '', at: now().toString() })
      return 200
    },
  }
}
