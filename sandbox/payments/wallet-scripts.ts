/**
 * The sandbox's Stripe.js, as far as the store uses its Express Checkout Element, and the scripts of the two frames
 * behind it: the buttons, and the wallet's sheet. Sent to the browser as source text, so each function uses only its
 * own code. Names, events and answers are Stripe's:
 * https://docs.stripe.com/js/elements_object/express_checkout_element_confirm_event
 *
 * Messages of the frames, all with `from: 'sidewall-wallets'`:
 *   { type: 'available', wallets }     the buttons are there; which wallets this device has
 *   { type: 'height', height }         pixels the buttons need
 *   { type: 'click', wallet }          a button was pressed
 *   { type: 'opened' }                 the sheet is there
 *   { type: 'authorized', person, billing }, { type: 'closed' }
 *   { type: 'result', answer }         answers `confirm`
 * Messages to the sheet, all with `to: 'sidewall-wallets'`:
 *   { type: 'show', amount, lineItems }, { type: 'confirm', clientSecret, amount, captureMethod }
 */
import type { WalletBilling, WalletType } from './wallet-people.ts'

/** What confirming answers, as Stripe.js: the intent, or an error that may hold it. */
export type WalletAnswer =
  | { paymentIntent: { id: string; status: string } }
  | { error: { type: string; code?: string; message: string; payment_intent?: { id: string; status: string } } }

type FrameMessage = { from?: string } & (
  | { type: 'available'; wallets: { applePay: boolean; googlePay: boolean } }
  | { type: 'height'; height: number }
  | { type: 'click'; wallet: WalletType }
  | { type: 'opened' | 'closed' }
  | { type: 'authorized'; person: string; billing: WalletBilling }
  | { type: 'result'; answer: WalletAnswer }
)
type LineItem = { name: string; amount: number }
type ElementsOptions = {
  mode?: string
  amount?: number
  currency?: string
  captureMethod?: string
  allowedPaymentMethodTypes?: string[]
}
type CreateOptions = {
  billingAddressRequired?: boolean
  paymentMethods?: Record<string, string>
  buttonHeight?: number
}
type Handler = (event: object) => void

/** The frames at `origin`, and how they are heard. */
export function openFrames(origin: string) {
  return {
    refuse: (message: string): Error => Object.assign(new Error(message), { name: 'IntegrationError' }),
    frameAt(path: string, title: string): HTMLIFrameElement {
      const frame = document.createElement('iframe')
      frame.title = title
      frame.src = `${origin}/wallets/${path}&origin=${encodeURIComponent(location.origin)}`
      frame.allow = 'payment'
      return frame
    },
    listenTo(frame: HTMLIFrameElement, hear: (message: FrameMessage) => void): () => void {
      const listener = ({ origin: from, source, data }: MessageEvent<FrameMessage | null>) => {
        if (from === origin && source === frame.contentWindow && data?.from === 'sidewall-wallets') hear(data)
      }
      addEventListener('message', listener)
      return () => removeEventListener('message', listener)
    },
    say: (frame: HTMLIFrameElement, message: object) =>
      frame.contentWindow?.postMessage({ to: 'sidewall-wallets', ...message }, origin),
  }
}
type Frames = ReturnType<typeof openFrames>

/** An open sheet. The elements instance has one at a time. */
type Sheet = { confirm(clientSecret: string): Promise<WalletAnswer>; close(): void }
type Held = { options: ElementsOptions; sheet: Sheet | null }

/** Opens the sheet of a wallet over the page. */
export function sheetOpener({ frameAt, listenTo, say, refuse }: Frames) {
  return (
    wallet: WalletType,
    held: Held,
    { lineItems, withBilling }: { lineItems: LineItem[]; withBilling: boolean },
    fire: (type: string, event: object) => void,
  ): void => {
    const { amount, captureMethod = 'automatic' } = held.options
    if (held.sheet) return
    if (lineItems.reduce((sum, item) => sum + item.amount, 0) > (amount ?? 0))
      throw refuse('The line items come to more than the amount of the elements.')
    const frame = frameAt(`sheet?wallet=${wallet}`, wallet === 'apple_pay' ? 'Apple Pay' : 'Google Pay')
    Object.assign(frame.style, {
      position: 'fixed',
      inset: '0',
      margin: 'auto',
      zIndex: '1000',
      width: 'min(420px, 100%)',
      height: 'min(620px, 100%)',
      border: '0',
      borderRadius: '12px',
      background: '#fff',
      boxShadow: '0 0 0 100vmax rgb(0 0 0 / 0.5)',
    })
    let answered: ((answer: WalletAnswer) => void) | undefined
    const forget = listenTo(frame, (message) => {
      if (message.type === 'opened') {
        say(frame, { type: 'show', amount, lineItems })
        frame.focus()
      }
      if (message.type === 'authorized')
        fire('confirm', {
          expressPaymentType: wallet,
          ...(withBilling && { billingDetails: message.billing }),
          paymentFailed: () => held.sheet?.close(),
        })
      if (message.type === 'closed' || message.type === 'result') held.sheet?.close()
      if (message.type === 'closed') fire('cancel', {})
      if (message.type === 'result') answered?.(message.answer)
    })
    held.sheet = {
      confirm: (clientSecret) =>
        new Promise((resolve) => {
          answered = resolve
          say(frame, { type: 'confirm', clientSecret, amount, captureMethod })
        }),
      close() {
        forget()
        frame.remove()
        held.sheet = null
      },
    }
    document.body.append(frame)
  }
}

/** Makes an Express Checkout Element of the elements that hold the sheet. */
export function elementMaker({ frameAt, listenTo }: Frames, openSheet: ReturnType<typeof sheetOpener>) {
  return (held: Held, { paymentMethods = {}, buttonHeight = 44, billingAddressRequired = false }: CreateOptions) => {
    const handlers = new Map<string, Set<Handler>>()
    const fire = (type: string, event: object) => {
      for (const handler of handlers.get(type) ?? []) handler({ elementType: 'expressCheckout', ...event })
    }
    const open = (wallet: WalletType, lineItems: LineItem[] = []) =>
      openSheet(wallet, held, { lineItems, withBilling: billingAddressRequired }, fire)
    let remove = () => {}

    function click(wallet: WalletType): void {
      let isAnswered = false
      const once = (work: () => void) => {
        if (!isAnswered) work()
        isAnswered = true
      }
      if (!handlers.has('click')) return open(wallet)
      fire('click', {
        expressPaymentType: wallet,
        resolve: (details?: { lineItems?: LineItem[] }) => once(() => open(wallet, details?.lineItems)),
        reject: () => once(() => {}),
      })
      setTimeout(() => once(() => console.error('The click event was not resolved within a second.')), 1_000)
    }

    function hear(message: FrameMessage, frame: HTMLIFrameElement): void {
      if (message.type === 'height') frame.style.height = `${message.height}px`
      if (message.type === 'click') click(message.wallet)
      if (message.type !== 'available') return
      const others = { amazonPay: false, link: false, paypal: false, klarna: false }
      const hasAny = message.wallets.applePay || message.wallets.googlePay
      fire('ready', { availablePaymentMethods: hasAny ? { ...others, ...message.wallets } : undefined })
    }

    const element = {
      on(type: string, handler: Handler) {
        handlers.set(type, (handlers.get(type) ?? new Set()).add(handler))
        return element
      },
      mount(box: HTMLElement) {
        const never = Object.keys(paymentMethods).filter((name) => paymentMethods[name] === 'never')
        const path = `buttons?never=${never.join(',')}&height=${buttonHeight}`
        const frame = frameAt(path, 'Pay with a wallet of this device')
        // Leaves 4 px for the focus ring, so that the buttons align with the content above.
        Object.assign(frame.style, { width: 'calc(100% + 8px)', margin: '-4px', height: '0', border: '0' })
        const forget = listenTo(frame, (message) => hear(message, frame))
        remove = () => {
          forget()
          frame.remove()
        }
        box.replaceChildren(frame)
      },
      destroy() {
        held.sheet?.close()
        remove()
      },
    }
    return element
  }
}

/** Makes `window.Stripe`. */
export function playStripeJs({ refuse }: Frames, createElement: ReturnType<typeof elementMaker>): void {
  function elements(options: ElementsOptions) {
    if (options.mode !== 'payment') throw refuse('The sandbox plays only elements({ mode: "payment" }).')
    if (options.currency !== 'usd') throw refuse('The sandbox has only usd.')
    if (!Number.isInteger(options.amount) || (options.amount ?? 0) < 1) throw refuse('The amount is missing.')
    if ('paymentMethodTypes' in options)
      throw refuse('paymentMethodTypes is no longer supported: say allowedPaymentMethodTypes.')
    const held: Held = { options, sheet: null }
    return {
      create(kind: string, created: CreateOptions = {}) {
        if (kind !== 'expressCheckout') throw refuse(`The sandbox does not play the element '${kind}'.`)
        return createElement(held, created)
      },
      submit: () => Promise.resolve({}),
      held,
    }
  }

  Object.assign(window, {
    Stripe: () => ({
      elements,
      async confirmPayment(asked: { elements: ReturnType<typeof elements>; clientSecret: string }) {
        const { sheet } = asked.elements.held
        if (!sheet) throw refuse('No wallet is open to confirm with.')
        return sheet.confirm(asked.clientSecret)
      },
    }),
  })
}

/** The frame with the buttons. */
export function runWalletButtons(): void {
  const { parentOrigin = '', wallets = '' } = document.getElementById('wallets')?.dataset ?? {}
  const tell = (message: object) => parent.postMessage({ from: 'sidewall-wallets', ...message }, parentOrigin)
  for (const button of document.querySelectorAll('button'))
    button.addEventListener('click', () => tell({ type: 'click', wallet: button.value }))
  const here = wallets.split(' ')
  tell({
    type: 'available',
    wallets: { applePay: here.includes('apple_pay'), googlePay: here.includes('google_pay') },
  })
  tell({ type: 'height', height: wallets === '' ? 0 : document.documentElement.offsetHeight })
}

/** Runs the wallet's sheet, with the amount, the owner, and the payment request. */
export function runWalletSheet(): void {
  const { parentOrigin = '', wallet = '', people = '[]' } = document.getElementById('sheet')?.dataset ?? {}
  const tell = (message: object) => parent.postMessage({ from: 'sidewall-wallets', ...message }, parentOrigin)
  const words = document.getElementById('news')
  const known = JSON.parse(people) as { key: string; billing: object }[]
  let person = ''

  function money(cents: number): string {
    return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  }

  function show(amount: number, lineItems: { name: string; amount: number }[]): void {
    const rows = [...lineItems, { name: 'Total', amount }].map((item) => {
      const row = document.createElement('tr')
      const [name, sum] = [document.createElement('th'), document.createElement('td')]
      name.scope = 'row'
      name.textContent = item.name
      sum.className = 'num'
      sum.textContent = money(item.amount)
      row.append(name, sum)
      return row
    })
    document.getElementById('lines')?.replaceChildren(...rows)
  }

  async function confirm(asked: object): Promise<void> {
    try {
      const response = await fetch('/wallets/confirm', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...asked, wallet, person }),
        signal: AbortSignal.timeout(40_000),
      })
      tell({ type: 'result', answer: (await response.json()) as WalletAnswer })
    } catch {
      tell({
        type: 'result',
        answer: { error: { type: 'api_connection_error', message: 'We are experiencing issues connecting.' } },
      })
    }
  }

  addEventListener('message', ({ origin, source, data }: MessageEvent<Record<string, unknown> | null>) => {
    if (origin !== parentOrigin || source !== parent || data?.['to'] !== 'sidewall-wallets') return
    const { type, clientSecret, amount, captureMethod, lineItems } = data
    if (type === 'show') show(Number(amount), lineItems as { name: string; amount: number }[])
    if (type === 'confirm') void confirm({ clientSecret, amount, captureMethod })
  })
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[name=person]'))
    button.addEventListener('click', () => {
      person = button.value
      for (const each of document.querySelectorAll('button')) each.disabled = true
      if (words) words.textContent = 'Processing…'
      tell({ type: 'authorized', person, billing: known.find(({ key }) => key === person)?.billing })
    })
  const close = () => tell({ type: 'closed' })
  document.getElementById('close')?.addEventListener('click', close)
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && person === '') close()
  })
  tell({ type: 'opened' })
}
