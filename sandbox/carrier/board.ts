import { Hono } from 'hono'
import { html } from 'hono/html'
import { labelPdf, labelZpl, scanFormPdf } from './label-files.ts'
import { moment, page, shopperPage, stateTag, type Html } from '../pages/layout.ts'
import {
  advanceShipment,
  delayShipment,
  findByTracking,
  isUnderWay,
  loseShipment,
  saidOf,
  type Carrier,
  type Shipment,
} from './shipments.ts'
import type { Address } from './addresses.ts'

const deeds = { advance: advanceShipment, delay: delayShipment, lose: loseShipment }

/** The carrier's page with every shipment, buttons that move it, and the labels. */
export function createCarrierBoard(carrier: Carrier): Hono {
  const app = new Hono()

  app.get('/', (c) => {
    const shipments = carrier.shipments.list({ limit: 200 }).filter(({ label }) => label !== null)
    const pace =
      carrier.paceSeconds > 0
        ? html`<p>Shipments move on by themselves every ${carrier.paceSeconds} seconds; the buttons are faster.</p>`
        : html`<p>Shipments move only when you click a button.</p>`
    return c.html(
      page('Carrier board', html`${pace}${shipments.length === 0 ? html`<p>No shipment yet.</p>` : table(shipments)}`),
    )
  })

  app.post('/board/:tracking/:deed{advance|delay|lose}', (c) => {
    const shipment = findByTracking(carrier, c.req.param('tracking'))
    if (!shipment) return c.html(page('Carrier board', html`<p>Shipment not found.</p>`), 404)
    const deed = deeds[c.req.param('deed') as keyof typeof deeds]
    carrier.store.transaction(() => deed(carrier, shipment))
    return c.redirect('/carrier', 303)
  })

  app.get('/labels/:tracking/:file{file\\.(?:pdf|zpl)}', (c) => {
    const shipment = findByTracking(carrier, c.req.param('tracking'))
    if (!shipment?.label) return c.text('Label not found.', 404)
    return c.req.param('file').endsWith('pdf')
      ? c.body(labelPdf(shipment, trackingOf(shipment)), 200, { 'Content-Type': 'application/pdf' })
      : c.body(labelZpl(shipment, trackingOf(shipment)), 200, { 'Content-Type': 'application/zpl' })
  })

  app.get('/manifests/:id/form.pdf', (c) => {
    const form = carrier.scanForms.get(c.req.param('id'))
    return form?.status === 'created'
      ? c.body(scanFormPdf(form), 200, { 'Content-Type': 'application/pdf' })
      : c.text('Manifest not found.', 404)
  })

  app.get('/labels/:tracking', (c) => {
    const shipment = findByTracking(carrier, c.req.param('tracking'))
    if (!shipment) return c.html(page('Label', html`<p>Shipment not found.</p>`), 404)
    return c.html(shopperPage(`Label ${trackingOf(shipment)}`, label(shipment), 'page'))
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
                <a href="/carrier/labels/${trackingOf(shipment)}"><code>${trackingOf(shipment)}</code></a
                ><br />${shipment.reference}
              </td>
              <td>${shipment.to.name}<br />${cityLine(shipment.to)}</td>
              <td class="num">${weightText(shipment)}</td>
              <td>${stateTag(saidOf[shipment.state].status)} ${latest(shipment)}</td>
              <td>${isUnderWay(shipment) ? buttons(shipment) : ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function buttons(shipment: Shipment): Html {
  const trackingNumber = trackingOf(shipment)
  const button = (deed: string, words: string) =>
    html`<form method="post" action="/carrier/board/${trackingNumber}/${deed}">
      <button class="button small" aria-label="${words} ${trackingNumber}">${words}</button>
    </form>`
  return html`<div class="row">
    ${button('advance', 'Advance')} ${button('delay', 'Delay')} ${button('lose', 'Lose')}
  </div>`
}

function latest({ steps, expectedOn }: Shipment): Html {
  const step = steps.at(-1)
  return step
    ? html`<br /><span class="muted"
          >${step.note}, ${moment(Temporal.Instant.from(step.at))}${expectedOn && `, expected ${expectedOn}`}</span
        >`
    : html``
}

function label(shipment: Shipment): Html {
  const { reference, from, to } = shipment
  const address = (party: Address) =>
    html`${party.name}<br />${party.street1}<br />${party.street2 && html`${party.street2}<br />`}${cityLine(party)}`
  return html`<h1><code>${trackingOf(shipment)}</code></h1>
    <section class="panel">
      <p class="muted">From</p>
      <p>${address(from)}</p>
      <p class="muted">To</p>
      <p><strong>${address(to)}</strong></p>
      <p>${weightText(shipment)}, reference ${reference}</p>
    </section>`
}

function trackingOf({ label: bought }: Shipment): string {
  return bought?.trackingNumber ?? ''
}

function weightText({ weight }: Shipment): string {
  return `${Math.round(weight / 16)} lb`
}

function cityLine({ city, state, zip }: Address): string {
  return `${city}, ${state} ${zip}`
}
