/** The parts of the assistant's page. */
import { html } from 'hono/html'
import { dollars, field, moment, stateTag, type Html } from '../pages/layout.ts'
import { testCards, type Agent, type Checkout, type Method, type Variant } from './agent.ts'

const none = html``

export function linkView({ linking }: Agent): Html {
  const isLinked = linking.isLinked()
  return html`<p>
      A shopping assistant that you play, over the Universal Commerce Protocol. It asks the store, and you say what to
      do. Only this one may pass on what you accept and pay with a test card, and only in a demo.
    </p>
    <form class="row" method="post" action="/agent/${isLinked ? 'unlink' : 'link'}">
      ${
        isLinked
          ? html`<span>${stateTag('complete')} Your account at the store is linked.</span>`
          : html`<span>It buys as a guest.</span>`
      }
      <button class="button small">${isLinked ? 'Unlink' : 'Link your account at the store'}</button>
    </form>`
}

const fields = [
  ['query', 'Size or words'],
  ['zip', 'ZIP'],
  ['year', 'Year'],
  ['make', 'Make'],
  ['model', 'Model'],
  ['trim', 'Trim'],
] as const

export function finding(agent: Agent): Html {
  const search = agent.search()
  return html`<h2>Search</h2>
    <form class="row" method="post" action="/agent/search">
      ${fields.map(
        ([name, label]) =>
          html`<div class="field">
            <label for="${name}">${label}</label>
            <input id="${name}" name="${name}" value="${search[name]}" autocomplete="off" maxlength="60" size="12" />
          </div>`,
      )}
      <button class="button primary">Search</button>
    </form>
    ${found(agent.found())}`
}

function found(variants: readonly Variant[]): Html {
  if (variants.length === 0) return html`<p class="muted">Nothing found yet.</p>`
  return html`<div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Tire</th>
            <th scope="col">Fit</th>
            <th scope="col" class="num">Each</th>
            <th scope="col">Buy</th>
          </tr>
        </thead>
        <tbody>
          ${variants.map(
            ({ id, title, fitment, price, availability }) =>
              html`<tr>
                <td>${title}<br /><code>${id}</code></td>
                <td>${fitment?.text ?? ''}</td>
                <td class="num">${dollars(price.amount)}</td>
                <td>
                  ${
                    availability.available
                      ? html`<form method="post" action="/agent/checkout">
                          <input type="hidden" name="item" value="${id}" />
                          <button class="button small">Buy four</button>
                        </form>`
                      : 'out of stock'
                  }
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <form class="row" method="post" action="/agent/checkout">
      <input name="item" aria-label="Article in front" placeholder="in front" maxlength="20" size="10" required />
      <input name="rear" aria-label="Article in the rear" placeholder="in the rear" maxlength="20" size="10" required />
      <button class="button small">Buy two and two</button>
    </form>`
}

export function checkoutView(checkout: Checkout): Html {
  const { id, status = '', line_items: lines = [], totals = [], messages = [], order } = checkout
  if (id === undefined) return html`${messages.map(({ content }) => html`<p class="error">${content}</p>`)}`
  return html`<h2>Checkout</h2>
    <p class="row">
      ${stateTag(status === 'completed' ? 'complete' : status)}
      ${order ? html`<a href="${order.permalink_url}">${order.label}</a>` : none}
      ${Object.values(checkout.loyalty ?? {}).map(({ name, display_id: no }) => html`<span>${name} ${no ?? ''}</span>`)}
    </p>
    <ul>
      ${lines.map(({ item, quantity, axle }) => html`<li>${quantity} × ${item.title} ${axle && axle !== 'all' ? `(${axle})` : ''}</li>`)}
    </ul>
    <div class="scroll">
      <table>
        <tbody>
          ${totals.map(
            ({ display_text: text, type, amount }) =>
              html`<tr>
                <td>${text ?? type}</td>
                <td class="num">${dollars(amount)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${verdicts(checkout)}
    <ul>
      ${messages.map(
        ({ type, content, code }) => html`<li>${stateTag(type)} ${content} <code>${code ?? ''}</code></li>`,
      )}
    </ul>`
}

function verdicts({ fitment }: Checkout): Html {
  const rows = (fitment?.sets ?? []).flatMap(({ axles }) => axles)
  if (rows.length === 0) return none
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Axle</th>
          <th scope="col">Verdict</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ axle, verdict, reasons = [] }) =>
            html`<tr>
              <td>${axle}</td>
              <td>${verdict.replaceAll('_', ' ')}</td>
              <td>${reasons.map(({ text }) => html`${text}<br />`)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** The next steps of a checkout that is not over. */
export function buying({ checkout: read }: Agent): Html {
  const checkout = read()
  const { id, status = '', continue_url: next, order } = checkout
  if (id === undefined) return none
  const again = html`<form method="post" action="/agent/refresh">
    <button class="button small">Read it again</button>
  </form>`
  if (order)
    return html`<div class="row">
      ${again}
      <form method="post" action="/agent/order"><button class="button small">Read the order</button></form>
      <form method="post" action="/agent/cancel"><button class="button small">Buy something else</button></form>
    </div>`
  const [method] = checkout.fulfillment?.methods ?? []
  return html`${method ? delivery(method) : none} ${status === 'ready_for_complete' ? completion(checkout) : none}
    <div class="row">
      ${next === undefined ? none : html`<a class="button" href="${next}">Go on in the store</a>`} ${again}
      <form method="post" action="/agent/cancel"><button class="button small">Give it up</button></form>
    </div>`
}

function delivery({ type, destinations = [], selected_destination_id: chosen, groups = [] }: Method): Html {
  const [group] = groups
  const options = group?.options ?? []
  const shops = type === 'shipping' ? [] : destinations
  return html`<h3>Where</h3>
    <form class="row" method="post" action="/agent/shop">
      <select name="destination" aria-label="Shop">
        ${shops.map(
          (shop) =>
            html`<option value="${type} ${shop.id}" ${shop.id === chosen ? 'selected' : ''}>
              ${shop.name ?? shop.id}
            </option>`,
        )}
      </select>
      <button class="button small">Install there</button>
    </form>
    ${
      type !== 'shipping' && options.length > 0
        ? html`<form class="row" method="post" action="/agent/time">
            <select name="option" aria-label="Time">
              ${options.map(
                ({ id, title }) =>
                  html`<option value="${id}" ${id === group?.selected_option_id ? 'selected' : ''}>${title}</option>`,
              )}
            </select>
            <button class="button small">Hold this time</button>
          </form>`
        : none
    }
    <details ${type === 'shipping' ? 'open' : ''}>
      <summary>Ship to an address</summary>
      <form method="post" action="/agent/ship">
        ${address('ship')}
        <button class="button small">Ship there</button>
      </form>
    </details>`
}

const places = [
  ['street', 'Street', '1 Sample Street'],
  ['city', 'City', 'Chicago'],
  ['state', 'State', 'IL'],
  ['postal', 'ZIP', '60614'],
] as const

function address(form: string): Html {
  return html`<div class="row">
    ${places.map(
      ([name, label, value]) =>
        html`<div class="field">
          <label for="${form}-${name}">${label}</label>
          <input id="${form}-${name}" name="${name}" value="${value}" autocomplete="off" maxlength="100" />
        </div>`,
    )}
  </div>`
}

function completion({ totals = [], fitment, links = [] }: Checkout): Html {
  const total = totals.find(({ type }) => type === 'total')?.amount ?? 0
  const terms = links.find(({ type }) => type === 'terms_of_service')?.url ?? '/'
  return html`<h3>Buy</h3>
    <form method="post" action="/agent/complete">
      <div class="pair">
        ${field({ name: 'first_name', label: 'First name', autocomplete: 'off', value: 'Dana' })}
        ${field({ name: 'last_name', label: 'Last name', autocomplete: 'off', value: 'Ruiz' })}
        ${field({ name: 'email', label: 'Email', autocomplete: 'off', inputmode: 'email', value: 'dana@sidewall.example' })}
        ${field({ name: 'phone', label: 'Phone', autocomplete: 'off', value: '+13125550142' })}
      </div>
      <p>Address of the card</p>
      ${address('bill')}
      <div class="field">
        <label for="card">Card</label>
        <select id="card" name="card">
          ${testCards.map((card) => html`<option>${card}</option>`)}
        </select>
      </div>
      ${(fitment?.conditions ?? []).map(
        ({ id, text }) =>
          html`<p>
            <label><input type="checkbox" name="condition" value="${id}" /> ${text}</label>
          </p>`,
      )}
      <p>
        <label
          ><input type="checkbox" name="terms" value="1" /> I accept the <a href="${terms}">terms of sale</a>.</label
        >
      </p>
      <button class="button primary">Pay ${dollars(total)}</button>
    </form>`
}

export function newsView(agent: Agent): Html {
  const all = agent.news()
  if (all.length === 0) return none
  return html`<h2>From the store</h2>
    <ul>
      ${all.map(
        ({ at, label, states, verdict, body }) =>
          html`<li>
            ${moment(Temporal.Instant.from(at))}: ${label} ${states}, signature
            ${stateTag(verdict === 'verified' ? 'complete' : 'failed')} ${verdict}
            <details>
              <summary>The message</summary>
              <pre>${body}</pre>
            </details>
          </li>`,
      )}
    </ul>`
}

/** Every request and its answer, the latest first. */
export function conversation({ wire }: Agent): Html {
  const all = wire.exchanges.list({ limit: 40 })
  if (all.length === 0) return none
  return html`<h2>Requests and answers</h2>
    ${all.map(
      ({ call, status, at, sent, got }) =>
        html`<details>
          <summary><code>${call}</code> ${status} ${moment(Temporal.Instant.from(at))}</summary>
          ${sent === '' ? none : html`<pre>${sent}</pre>`}
          <pre>${got}</pre>
        </details>`,
    )}`
}
