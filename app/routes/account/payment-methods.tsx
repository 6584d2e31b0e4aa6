import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { RenewalPanel } from '#app/ui/renewal-panel.tsx'
import { showRenewal } from '#app/views/renewal.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { cardConsent, cardNews, type CardNews } from '#content/messages/saved-cards.ts'
import { serverPaths } from '#content/server-paths.ts'
import { cardName, expiryText, isExpired, mostSavedCards } from '#domain/payments/saved-cards/saved-cards.ts'
import {
  listSavedCards,
  openCardPage,
  removeSavedCard,
  setDefaultCard,
} from '#domain/payments/saved-cards/saved-cards.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { AccountPage } from './account-page.tsx'
import type { Route } from './+types/payment-methods.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Payment methods',
    description: 'Your saved cards.',
    path: serverPaths.paymentMethods(),
    isIndexed: false,
  })

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, serverPaths.paymentMethods())
  const done = url.searchParams.get('done') ?? ''
  const now = app.clock.now()
  const [cards, renewal] = await Promise.all([listSavedCards(app, accountId), showRenewal(app, accountId)])
  return {
    cards: cards.map((card) => ({
      id: card.id,
      name: cardName(card),
      expiry: expiryText(card),
      isExpired: isExpired(card, now),
      isDefault: card.isDefault,
    })),
    renewal,
    consent: cardConsent(app.config.store.name),
    news: Object.hasOwn(cardNews, done) ? cardNews[done as CardNews] : null,
  }
}

/** `add`: redirects to the provider's page that saves a card. `remove`, `default`: change the card of the button. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { accountId, email } = await requireSignedIn(context, serverPaths.paymentMethods())
  const fields = await readForm(request)
  const answer = (done: CardNews) => seeOther(serverPaths.paymentMethods(done))
  const card = fields.get('card') ?? ''
  switch (fields.get('intent')) {
    case 'add': {
      // The consent text is next to the button, so the box must be checked.
      if (fields.get('agreed') !== '1') return data({ problem: 'Check the box to agree.' }, { status: 422 })
      const { origin } = app.config.web
      const page = await openCardPage(app, {
        accountId,
        email,
        returnUrl: `${origin}${serverPaths.cardSaved()}?of={saving}`,
        cancelUrl: origin + serverPaths.paymentMethods(),
      })
      if (page.ok) return seeOther(page.value.url)
      return answer(page.reason === 'too-many' ? 'full' : 'unavailable')
    }
    case 'remove':
      if (!(await removeSavedCard(app, accountId, card)).ok) throw new Response(null, { status: 404 })
      return answer('removed')
    case 'default':
      if (!(await setDefaultCard(app, accountId, card)).ok) throw new Response(null, { status: 404 })
      return answer('default')
    default:
      return data({ problem: null }, { status: 400 })
  }
}

export default function PaymentMethods({ loaderData, actionData }: Route.ComponentProps) {
  const { cards, renewal, consent, news } = loaderData
  return (
    <AccountPage title="Payment methods" at="payment-methods">
      {news ? (
        <p className="notice" role="status">
          {news}
        </p>
      ) : null}
      {cards.length === 0 ? (
        <p className="muted">No card yet. A saved card makes paying quicker, and can renew your membership.</p>
      ) : (
        <ul className="account-list in-columns">
          {cards.map((card) => (
            <li key={card.id} className="panel padded">
              <p className="saved-card">
                <b>{card.name}</b>
                <span className={card.isExpired ? 'field-error' : 'muted'}>
                  {card.isExpired ? 'Expired' : 'Expires'} {card.expiry}
                </span>
                {card.isDefault ? <span className="tag">Default</span> : null}
              </p>
              <form method="post" className="row wrap-row">
                <input type="hidden" name="card" value={card.id} />
                {card.isDefault ? null : (
                  <button
                    className="btn quiet"
                    name="intent"
                    value="default"
                    aria-label={`Make ${card.name} the default`}
                  >
                    Make default
                  </button>
                )}
                <button className="btn quiet" name="intent" value="remove" aria-label={`Remove ${card.name}`}>
                  Remove
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      {cards.length < mostSavedCards ? <AddCard consent={consent} problem={actionData?.problem ?? null} /> : null}
      {renewal ? (
        <div className="panel padded">
          <RenewalPanel renewal={renewal} from="account" />
        </div>
      ) : null}
    </AccountPage>
  )
}

function AddCard({ consent, problem }: { consent: string; problem: string | null }) {
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>Add a card</h2>
      <input type="hidden" name="intent" value="add" />
      <label className="check">
        <input
          type="checkbox"
          name="agreed"
          value="1"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'agreed-error' : undefined}
        />
        <span className="small">{consent}</span>
      </label>
      {problem ? (
        <p className="field-error" id="agreed-error" role="alert">
          {problem}
        </p>
      ) : null}
      <p className="small muted">
        You enter the card on the payment provider’s own page. We never see the card number, and you aren’t charged now.
      </p>
      <p>
        <button className="btn primary">Enter a card</button>
      </p>
    </form>
  )
}
