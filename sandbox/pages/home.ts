import { html } from 'hono/html'
import { specialNames, specialZips, unservedZip } from '../carrier/shipments.ts'
import { testCards } from '../payments/test-cards.ts'
import { demoPassword, demoPeople } from '../identity/people.ts'
import { idMePeople } from '../id-me/people.ts'
import { backorderedFrom, rejectedFrom, supplierNames } from '../suppliers/suppliers.ts'
import { page, type Html } from './layout.ts'
import type { SandboxOptions } from '../options.ts'

/** What the sandbox is, where its parts are, and all test data with special behavior. */
export function homePage({
  stallSeconds,
  hasDemoPeople,
}: Pick<SandboxOptions, 'stallSeconds' | 'hasDemoPeople'>): Html {
  return page(
    'The outside world, in a box',
    html`<p>Payments, mail, a carrier and sign-in, played on this machine. Nothing here reaches a bank or a truck.</p>
      ${places()}
      <h2>Test cards</h2>
      <p>
        Any month to come, any security code, any ZIP code. A number that is not listed is declined: it may be a real
        one.
      </p>
      ${table(
        ['Number', 'What happens', 'For a server'],
        testCards.map((card) => [
          html`<code>${grouped(card.number)}</code>`,
          card.words,
          html`<code>${card.paymentMethod}</code>`,
        ]),
      )}
      <h2 id="people">People who can sign in</h2>
      ${hasDemoPeople ? signInPeople() : html`<p>Anyone can register. The mail that verifies the address is in the mailbox.</p>`}
      ${militaryPeople()}
      <h2>Mail recipients</h2>
      ${table(
        ['To', 'What happens'],
        [
          [html`<code>bounce@…</code>`, 'Refused for good (550)'],
          [html`<code>gone@…</code>`, 'Accepted, then reported as bounced'],
          [html`<code>complains@…</code>`, 'Accepted, then reported as spam'],
          [html`<code>later@…</code>`, 'Refused for now (451)'],
          [html`<code>slow@…</code>`, `Taken after ${stallSeconds} seconds`],
          [html`<code>bounce+anything@…</code>`, 'The word before the plus sign counts'],
        ],
      )}
      <h2>Destinations and recipients of shipments</h2>
      ${table(
        ['ZIP or name', 'What happens'],
        [
          ...Object.entries(specialZips).map(([zip, { words }]) => [html`<code>${zip}</code>`, words]),
          [html`<code>${unservedZip}</code>`, 'Refused: not served'],
          [html`<code>${specialNames.down}</code>`, 'The carrier is out of order (503)'],
          [html`<code>${specialNames.slow}</code>`, `The carrier answers after ${stallSeconds} seconds`],
        ],
      )}
      <h2>Orders to suppliers</h2>
      ${table(
        ['Recipient or units', 'What happens'],
        [
          [html`<code>${supplierNames.down}</code>`, 'The network is out of order (503)'],
          [html`<code>${supplierNames.slow}</code>`, `The network answers after ${stallSeconds} seconds`],
          [html`<code>${supplierNames.refuses}</code>`, 'The network refuses the order (406)'],
          [html`<code>${supplierNames.rejects}</code>`, 'Rejected'],
          [html`<code>${supplierNames.partly}</code>`, 'Half of each line rejected'],
          [html`<code>${supplierNames.backorders}</code>`, 'Backordered'],
          [html`<code>${supplierNames.twice}</code>`, 'Accepted, and said three times'],
          [html`<code>${supplierNames.changes}</code>`, 'Accepted, then rejected'],
          [html`<code>${supplierNames.silent}</code>`, 'No answer'],
          [`${backorderedFrom} of a tire, for a shopper`, 'Backordered'],
          [`${rejectedFrom} of a tire, for a shopper`, 'Rejected'],
        ],
      )}`,
  )
}

function places(): Html {
  return html`<p class="row">
    <a class="button" href="/payments">Payments</a>
    <a class="button" href="/paypal">PayPal</a>
    <a class="button" href="/mailbox">Mailbox</a>
    <a class="button" href="/carrier">Carrier board</a>
    <a class="button" href="/texts">Phones</a>
    <a class="button" href="/partner">A partner’s page with the widget</a>
    <a class="button" href="/receiver">A partner’s webhooks</a>
    <a class="button" href="/agent">Assistant</a>
    <a class="button" href="/buyer">Purchasing system</a>
    <a class="button" href="/suppliers">Suppliers</a>
    <a class="button" href="/wholesale">Wholesalers</a>
    <a class="button" href="/lender">Lender</a>
    <a class="button" href="/resolve">Resolve</a>
    <a class="button" href="/wallets">Wallets</a>
    <a class="button" href="/google">Google Merchant Center</a>
  </p>`
}

function signInPeople(): Html {
  return html`<p>
      The password of each is <code>${demoPassword}</code>. Others may register; the mail that verifies their address is
      in the mailbox.
    </p>
    ${table(
      ['Email', 'Who'],
      demoPeople.map(({ email, words }) => [html`<code>${email}</code>`, words]),
    )}`
}

function militaryPeople(): Html {
  return html`<h2>People whose military status can be checked</h2>
    <p>Choose one at the stand-in for ID.me; "Cancel" there goes back without an answer.</p>
    ${table(
      ['Person', 'What happens'],
      idMePeople.map(({ name, words }) => [name, words]),
    )}`
}

function grouped(number: string): string {
  return number.length === 15 ? number.replace(/(.{4})(.{6})/, '$1 $2 ') : number.replace(/(.{4})(?=.)/g, '$1 ')
}

function table(head: string[], rows: (Html | string)[][]): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${head.map((words) => html`<th scope="col">${words}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
