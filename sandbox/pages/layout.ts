import { html } from 'hono/html'

/** HTML made by the `html` tag, with every value escaped. */
export type Html = ReturnType<typeof html>

/** A whole page of the sandbox, with its menu. */
export function page(title: string, content: Html, width: 'wide' | 'narrow' = 'wide'): Html {
  return document(
    title,
    html`<body>
      <header>
        <p class="banner">Sandbox: no real money</p>
        <div class="top">
          <nav aria-label="Sandbox">
            <a class="logo" href="/">Sidewall sandbox</a>
            <a href="/payments">Payments</a>
            <a href="/paypal">PayPal</a>
            <a href="/mailbox">Mailbox</a>
            <a href="/carrier">Carrier board</a>
          </nav>
        </div>
      </header>
      <main class="${width}">
        <h1>${title}</h1>
        ${content}
      </main>
    </body>`,
  )
}

/** Renders a page shown to shoppers, without the sandbox's menu. Wallet buttons use a minimal frame. */
export function shopperPage(title: string, content: Html, shape: 'page' | 'frame' | 'wallets'): Html {
  return document(
    title,
    html`<body class="${shape}">
      ${shape === 'wallets' ? '' : html`<header><p class="banner">Sandbox: no real money</p></header>`}
      <main class="narrow">${content}</main>
    </body>`,
  )
}

/** 129900 → $1,299.00 */
export function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}

/** A time in words, with the exact one in `datetime`. */
export function moment(instant: Temporal.Instant): Html {
  const words = instant.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
  return html`<time datetime="${instant.toString()}">${words} UTC</time>`
}

export function unixMoment(seconds: number): Html {
  return moment(Temporal.Instant.fromEpochMilliseconds(seconds * 1000))
}

/** Renders a state as a small label in green for success, red for failure, and yellow in between. */
export function stateTag(state: string): Html {
  const good = ['succeeded', 'requires_capture', 'delivered', 'complete']
  const bad = ['canceled', 'failed', 'lost', 'returned', 'given-up', 'expired']
  return html`<span class="tag ${good.includes(state) ? 'go' : bad.includes(state) ? 'stop' : 'wait'}"
    >${state.replaceAll(/[_-]/g, ' ')}</span
  >`
}

/** One labeled text field with its error message. */
export function field(input: {
  name: string
  label: string
  autocomplete: string
  inputmode?: 'numeric' | 'text' | 'email'
  type?: 'text' | 'password'
  placeholder?: string
  value?: string
  fault?: string | undefined
  maxlength?: number
}): Html {
  const {
    name,
    label,
    autocomplete,
    inputmode = 'text',
    type = 'text',
    placeholder = '',
    value = '',
    fault = '',
    maxlength = 100,
  } = input
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      inputmode="${inputmode}"
      placeholder="${placeholder}"
      maxlength="${maxlength}"
      aria-describedby="${name}-fault"
      aria-invalid="${fault ? 'true' : 'false'}"
    />
    <span class="fault" id="${name}-fault">${fault}</span>
  </div>`
}

/**
 * The card fields, for both the frame and the hosted page. `values` never contains the number or the code. They must be
 * retyped.
 */
export function cardFields(
  faults: { number?: string; expiry?: string; cvc?: string; zip?: string },
  values: { expiry?: string; zip?: string },
): Html {
  return html`${field({
      name: 'number',
      label: 'Card number',
      autocomplete: 'cc-number',
      inputmode: 'numeric',
      placeholder: '4242 4242 4242 4242',
      fault: faults.number,
      maxlength: 23,
    })}
    <div class="pair">
      ${field({
        name: 'expiry',
        label: 'Expiration (MM/YY)',
        autocomplete: 'cc-exp',
        inputmode: 'numeric',
        placeholder: 'MM/YY',
        value: values.expiry ?? '',
        fault: faults.expiry,
        maxlength: 9,
      })}
      ${field({ name: 'cvc', label: 'Security code', autocomplete: 'cc-csc', inputmode: 'numeric', placeholder: 'CVC', fault: faults.cvc, maxlength: 4 })}
    </div>
    ${field({
      name: 'zip',
      label: 'Billing ZIP code',
      autocomplete: 'billing postal-code',
      inputmode: 'numeric',
      value: values.zip ?? '',
      fault: faults.zip,
      maxlength: 10,
    })}`
}

function document(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en-US">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Sidewall sandbox</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/sandbox.css" />
      </head>
      ${body}
    </html>`
}
