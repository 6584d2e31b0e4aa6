import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type Stripe from 'stripe'
import { z } from 'zod'
import { formFields } from '../body.ts'
import { breakConnection } from '../broken-connection.ts'
import { page, shopperPage } from '../pages/layout.ts'
import { confirmIntent, findIntentBySecret, whenSettled } from './intents.ts'
import type { Ledger } from './ledger.ts'
import { PaymentApiRefusal } from './refusal.ts'
import { walletCard, walletNames, walletPeople, walletTypes, type WalletType } from './wallet-people.ts'
import {
  elementMaker,
  openFrames,
  playStripeJs,
  runWalletButtons,
  runWalletSheet,
  sheetOpener,
  type WalletAnswer,
} from './wallet-scripts.ts'

/** The simulated devices. `browser` depends on the browser, like a real one. */
const devices = {
  browser: 'What this browser is: Apple Pay in Safari, Google Pay in Chrome',
  'apple-pay': 'An iPhone with Apple Pay',
  'google-pay': 'A phone with Google Pay',
  none: 'A device without a wallet',
} as const
type Device = keyof typeof devices

const deviceCookie = 'wallet_device'

const confirmBody = z.object({
  clientSecret: z.string().max(300),
  wallet: z.enum(walletTypes),
  person: z.string().max(40),
  amount: z.number().int(),
  captureMethod: z.string().max(40),
})

type Env = { Bindings: Partial<HttpBindings> }

/**
 * The wallets of devices behind Stripe.js's Express Checkout Element: the script itself, its frames, and the page on
 * which a visitor chooses what device this browser plays.
 */
export function createWallets(ledger: Ledger, storeOrigin: string): Hono<Env> {
  const app = new Hono<Env>()
  const script = (path: string, text: string) =>
    app.get(path, (c) => c.body(text, 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  script('/stripe.js', stripeJs(ledger.publicOrigin))
  script('/buttons.js', `(${runWalletButtons.toString()})()`)
  script('/sheet.js', `(${runWalletSheet.toString()})()`)

  app.get('/', (c) => c.html(devicePage(deviceOf(c))))
  app.post('/', async (c) => {
    const device = (await formFields(c)).get('device') ?? ''
    if (isDevice(device)) setCookie(c, deviceCookie, device, { path: '/wallets', sameSite: 'Lax', httpOnly: true })
    return c.redirect('/wallets', 303)
  })

  app.get('/buttons', (c) => {
    if (c.req.query('origin') !== storeOrigin) return c.html(strayFrame, 400)
    const never = (c.req.query('never') ?? '').split(',')
    const wallets = walletsOn(deviceOf(c), c.req.header('user-agent') ?? '').filter(
      (wallet) => !never.includes(wallet === 'apple_pay' ? 'applePay' : 'googlePay'),
    )
    return c.html(
      shopperPage(
        'Wallets',
        html`<div id="wallets" data-parent-origin="${storeOrigin}" data-wallets="${wallets.join(' ')}">
            ${wallets.map(
              (wallet) => html`<button class="wallet" type="button" value="${wallet}">${walletNames[wallet]}</button>`,
            )}
          </div>
          <script src="/wallets/buttons.js" defer></script>`,
        'wallets',
      ),
    )
  })

  app.get('/sheet', (c) => {
    const wallet = c.req.query('wallet')
    if (c.req.query('origin') !== storeOrigin || !isWalletType(wallet)) return c.html(strayFrame, 400)
    return c.html(sheetPage(wallet, storeOrigin))
  })

  app.post('/confirm', async (c) => {
    const parsed = confirmBody.safeParse(await c.req.json().catch(() => null))
    const stored = parsed.success ? findIntentBySecret(ledger, parsed.data.clientSecret) : undefined
    const card = parsed.success ? walletCard(parsed.data.person, parsed.data.wallet, ledger.now()) : undefined
    if (!parsed.success || !stored || !card)
      return c.json(refusal('resource_missing', 'Payment intent not found.'), 404)
    const { amount, captureMethod } = parsed.data
    // Stripe.js compares the intent with the elements it was confirmed with.
    if (amount !== stored.intent.amount || captureMethod !== stored.intent.capture_method)
      return c.json(
        refusal('parameter_invalid', "The amount or capture method of the intent doesn't match the elements."),
        400,
      )
    try {
      if (stored.intent.status !== 'processing')
        ledger.store.transaction(() => confirmIntent(ledger, null, stored.intent.id, card, null))
    } catch (error) {
      if (!(error instanceof PaymentApiRefusal)) throw error
      const known = ledger.intents.get(stored.intent.id)?.intent
      return c.json(refusal(error.body.code ?? '', error.message, known), 400)
    }
    const intent = await whenSettled(ledger, stored.intent.id)
    if (card.behavior.kind === 'drops-response') return breakConnection(c)
    return c.json(answerOf(intent))
  })
  return app
}

/** Returns the script, made of functions that use only their arguments. */
function stripeJs(origin: string): string {
  return `(() => {
const frames = (${openFrames.toString()})(${JSON.stringify(origin)})
const openSheet = (${sheetOpener.toString()})(frames)
const createElement = (${elementMaker.toString()})(frames, openSheet)
;(${playStripeJs.toString()})(frames, createElement)
})()`
}

const strayFrame = shopperPage(
  'Wallet',
  html`<p class="error">This page belongs into the store's checkout.</p>`,
  'frame',
)

function isDevice(text: string): text is Device {
  return Object.hasOwn(devices, text)
}

function isWalletType(text: string | undefined): text is WalletType {
  return walletTypes.some((type) => type === text)
}

function deviceOf(c: Context<Env>): Device {
  const chosen = getCookie(c, deviceCookie) ?? ''
  return isDevice(chosen) ? chosen : 'browser'
}

function walletsOn(device: Device, userAgent: string): WalletType[] {
  switch (device) {
    case 'apple-pay':
      return ['apple_pay']
    case 'google-pay':
      return ['google_pay']
    case 'none':
      return []
    case 'browser':
      if (userAgent.includes('Chrome/')) return ['google_pay']
      return /Macintosh|iPhone|iPad/.test(userAgent) && userAgent.includes('Safari/') ? ['apple_pay'] : []
  }
}

function answerOf(intent: Stripe.PaymentIntent): WalletAnswer {
  const known = { id: intent.id, object: intent.object, amount: intent.amount, status: intent.status }
  const error = intent.last_payment_error
  if (!error) return { paymentIntent: known }
  return {
    error: {
      type: error.type,
      ...(error.code && { code: error.code }),
      ...(error.decline_code && { decline_code: error.decline_code }),
      message: error.message ?? '',
      payment_intent: known,
    },
  }
}

function refusal(code: string, message: string, intent?: Stripe.PaymentIntent): WalletAnswer {
  return {
    error: {
      type: 'invalid_request_error',
      code,
      message,
      ...(intent && { payment_intent: { id: intent.id, status: intent.status } }),
    },
  }
}

function sheetPage(wallet: WalletType, storeOrigin: string) {
  return shopperPage(
    walletNames[wallet],
    html`<div
        id="sheet"
        data-parent-origin="${storeOrigin}"
        data-wallet="${wallet}"
        data-people="${JSON.stringify(walletPeople.map(({ key, billing }) => ({ key, billing })))}"
      >
        <h1>${walletNames[wallet]}</h1>
        <table>
          <tbody id="lines"></tbody>
        </table>
        <p>Whose wallet is it?</p>
        <div class="stack">
          ${walletPeople.map(
            ({ key, words }) =>
              html`<p><button class="button wide" type="button" name="person" value="${key}">${words}</button></p>`,
          )}
          <p><button class="button wide" type="button" id="close">Close</button></p>
        </div>
        <p id="news" role="status"></p>
      </div>
      <script src="/wallets/sheet.js" defer></script>`,
    'frame',
  )
}

function devicePage(chosen: Device) {
  return page(
    'Wallets',
    html`<p>Which device this browser plays when the store asks for its wallets.</p>
      <form method="post">
        ${Object.entries(devices).map(
          ([device, words]) =>
            html`<p>
              <label>
                <input type="radio" name="device" value="${device}" ${device === chosen ? 'checked' : ''} /> ${words}
              </label>
            </p>`,
        )}
        <button class="button primary">Play it</button>
      </form>`,
    'narrow',
  )
}
