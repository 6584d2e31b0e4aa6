import { Hono } from 'hono'
import { html } from 'hono/html'
import { moment, page, shopperPage, stateTag, type Html } from '../pages/layout.ts'
import { advanceShipment, loseShipment, type Carrier, type Shipment } from './shipments.ts'

/** The carrier's depot: every shipment with buttons that move it, and the labels. */
export function createCarrierBoard(carrier: Carrier): Hono {
  const app = new Hono()

  app.get('/', (c) => {
    const shipments = carrier.shipments.list({ limit: 200 })
    const pace =
      carrier.paceSeconds > 0
        ? html`<p>Shipments move on by themselves every ${carrier.paceSeconds} seconds; the buttons are faster.</p>`
        : html`<p>Shipments move only when you press a button.</p>`
    return c.html(
      page('Carrier board', html`${pace}${shipments.length === 0 ? html`<p>No shipment yet.</p>` : table(shipments)}`),
    )
  })

  app.post('/board/:tracking/:deed{advance|lose}', (c) => {
    const shipment = carrier.shipments.get(c.req.param('tracking'))
    if (!shipment) return c.html(page('Carrier board', html`<p>There is no such shipment.</p>`), 404)
    const deed = c.req.param('deed') === 'advance' ? advanceShipment : loseShipment
    carrier.store.transaction(() => deed(carrier, shipment))
    return c.redirect('/carrier', 303)
  })

  app.get('/labels/:tracking', (c) => {
    const shipment = carrier.shipments.get(c.req.param('tracking'))
    if (!shipment) return c.html(page('Label', html`<p>There is no such shipment.</p>`), 404)
    return c.html(shopperPage(`Label ${shipment.trackingNumber}`, label(shipment), 'page'))
  })
  return app
}

function table(shipments: Shipment[]): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Shipment</th>
          <th scope="col">To</th>
          <th scope="col" class="num">Load</th>
          <th scope="col">State</th>
          <th scope="col">Move it</th>
        </tr>
      </thead>
      <tbody>
        ${shipments.map(
          (shipment) =>
            html`<tr>
              <td>
                <a href="/carrier/labels/${shipment.trackingNumber}"><code>${shipment.trackingNumber}</code></a
                ><br />${shipment.reference}
              </td>
              <td>${shipment.to.name}<br />${cityLine(shipment.to)}</td>
              <td class="num">${shipment.pieces} pieces, ${shipment.weightLb} lb</td>
              <td>${stateTag(shipment.state)} ${latest(shipment)}</td>
              <td>${isUnderWay(shipment) ? buttons(shipment) : ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function buttons({ trackingNumber }: Shipment): Html {
  const button = (deed: string, words: string) =>
    html`<form method="post" action="/carrier/board/${trackingNumber}/${deed}">
      <button class="button small" aria-label="${words} ${trackingNumber}">${words}</button>
    </form>`
  return html`<div class="row">${button('advance', 'Advance')} ${button('lose', 'Lose')}</div>`
}

function latest({ events }: Shipment): Html {
  const event = events.at(-1)
  return event
    ? html`<br /><span class="muted">${event.note}, ${moment(Temporal.Instant.from(event.at))}</span>`
    : html``
}

function isUnderWay({ state }: Shipment): boolean {
  return state === 'pending-carrier-pickup' || state === 'in-transit' || state === 'delayed'
}

function label({ trackingNumber, reference, from, to, pieces, weightLb }: Shipment): Html {
  const address = (party: Shipment['from']) =>
    html`${party.name}<br />${party.street && html`${party.street}<br />`}${party.street2 && html`${party.street2}<br />`}${cityLine(party)}`
  return html`<h1><code>${trackingNumber}</code></h1>
    <section class="panel">
      <p class="muted">From</p>
      <p>${address(from)}</p>
      <p class="muted">To</p>
      <p><strong>${address(to)}</strong></p>
      <p>${pieces} pieces, ${weightLb} lb, reference ${reference}</p>
    </section>`
}

function cityLine({ city, state, zip }: Shipment['from'] | Shipment['to']): string {
  return `${city}, ${state} ${zip}`
}
