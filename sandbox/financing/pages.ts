import { Hono } from 'hono'
import { html } from 'hono/html'
import { formFields } from '../body.ts'
import { dollars, page, shopperPage, stateTag, type Html } from '../pages/layout.ts'
import { apply, people, review, sign, type Lender, type Person, type StoredApplication } from './applications.ts'

/** The pages where a shopper applies and signs. Forms without JavaScript. */
export function createApplyPages(lender: Lender): Hono {
  const app = new Hono()

  app.get('/:id', (c) => {
    const stored = lender.applications.get(c.req.param('id'))
    return stored ? c.html(stepOf(stored)) : c.html(missing, 404)
  })

  app.post('/:id', async (c) => {
    const stored = lender.applications.get(c.req.param('id'))
    if (!stored) return c.html(missing, 404)
    const form = await formFields(c)
    const { status } = stored.application
    const here = `/apply/${stored.application.id}`
    switch (form.get('act')) {
      case 'apply': {
        const person = form.get('person')
        if (!isPerson(person)) return c.html(stepOf(stored, 'Choose who applies.'), 422)
        if (status === 'opened') lender.store.transaction(() => apply(lender, stored, person))
        return c.redirect(here, 303)
      }
      case 'sign': {
        if (status !== 'approved') return c.redirect(here, 303)
        lender.store.transaction(() => sign(lender, stored))
        return c.redirect(stored.person === 'vanish' ? here : stored.returnUrl, 303)
      }
      case 'cancel': {
        if (['opened', 'applying', 'approved'].includes(status))
          lender.store.transaction(() => lender.move(stored, { status: 'canceled' }))
        return c.redirect(stored.cancelUrl, 303)
      }
      default:
        return c.redirect(here, 303)
    }
  })
  return app
}

function isPerson(name: string | undefined): name is Person {
  return name !== undefined && Object.hasOwn(people, name)
}

const missing = shopperPage('Apply', html`<h1>Application not found</h1>`, 'page')

function stepOf(stored: StoredApplication, fault = ''): Html {
  const { application, person, returnUrl } = stored
  const { status, amount, approved_limit: limit, product, message } = application
  const back = html`<p><a class="button primary" href="${returnUrl}">Back to the store</a></p>`
  const name = { lease: 'lease', loan: 'loan', 'store-card': 'store card' }[product]
  switch (status) {
    case 'opened':
      return shopperPage(
        'Apply',
        html`<h1>Apply for a ${name} of ${dollars(amount)}</h1>
          ${fault && html`<p class="error" role="alert">${fault}</p>`}
          <form method="post">
            <fieldset>
              <legend>Who applies?</legend>
              ${Object.entries(people).map(
                ([value, words]) =>
                  html`<p>
                    <label><input type="radio" name="person" value="${value}" /> ${words}</label>
                  </p>`,
              )}
            </fieldset>
            <button class="button primary wide" name="act" value="apply">Apply</button>
            <button class="button wide" name="act" value="cancel">Cancel and go back</button>
          </form>`,
        'page',
      )
    case 'approved':
      return shopperPage(
        'Sign',
        html`<h1>You are approved for ${dollars(limit ?? 0)}</h1>
          <form method="post">
            <button class="button primary wide" name="act" value="sign">
              Sign for ${dollars(Math.min(amount, limit ?? 0))}
            </button>
            <button class="button wide" name="act" value="cancel">Cancel and go back</button>
          </form>`,
        'page',
      )
    case 'signed':
      return person === 'vanish'
        ? shopperPage('Signed', html`<h1>Signed. You may close this window.</h1>`, 'page')
        : shopperPage(
            'Signed',
            html`<h1>You have signed</h1>
              ${back}`,
            'page',
          )
    case 'in-review':
      return shopperPage(
        'In review',
        html`<h1>Someone looks at your application</h1>
          ${back}`,
        'page',
      )
    case 'declined':
      return shopperPage(
        'Declined',
        html`<h1>We cannot approve this</h1>
          <p>${message}</p>
          ${back}`,
        'page',
      )
    default:
      return shopperPage(
        'Closed',
        html`<h1>This application is ${status}</h1>
          ${back}`,
        'page',
      )
  }
}

/** Every application, and the answers to those in review. */
export function createLenderBoard(lender: Lender): Hono {
  const app = new Hono()

  app.get('/', (c) => c.html(page('Lender', board(lender.applications.list({ limit: 200 })))))

  app.get('/applications.json', (c) =>
    c.json({ applications: lender.applications.list({ limit: 200 }).map(({ application }) => application) }),
  )

  app.post('/:id/review', async (c) => {
    const stored = lender.applications.get(c.req.param('id'))
    const answer = (await formFields(c)).get('answer')
    if (stored?.application.status === 'in-review' && (answer === 'approve' || answer === 'decline'))
      lender.store.transaction(() => review(lender, stored, answer === 'approve'))
    return c.redirect('/lender', 303)
  })
  return app
}

function board(all: StoredApplication[]): Html {
  if (all.length === 0) return html`<p>No application yet.</p>`
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Application</th>
          <th scope="col">Product</th>
          <th scope="col">State</th>
          <th scope="col" class="num">Amount</th>
          <th scope="col" class="num">Delivered</th>
          <th scope="col" class="num">Given back</th>
          <th scope="col">Review</th>
        </tr>
      </thead>
      <tbody>
        ${all.map(
          ({ application }) =>
            html`<tr>
              <td><code>${application.id}</code></td>
              <td>${application.product}</td>
              <td>${stateTag(application.status)}</td>
              <td class="num">${dollars(application.amount)}</td>
              <td class="num">${dollars(application.delivered_amount)}</td>
              <td class="num">${dollars(application.refunded_amount)}</td>
              <td>${application.status === 'in-review' ? reviewForm(application.id) : ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function reviewForm(id: string): Html {
  return html`<form class="row" method="post" action="/lender/${id}/review">
    <button class="button small" name="answer" value="approve">Approve</button>
    <button class="button small" name="answer" value="decline">Decline</button>
  </form>`
}
