/** Saving cards in the sandbox as their owners do, on the provider's page. */
import { must, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { finishCardPage, listSavedCards, openCardPage } from './saved-cards.server.ts'

/** Enters a card on a sandbox page, and completes authentication if required; returns the redirect URL, or null. */
export async function enterCard(url: string, number: string): Promise<string | null> {
  const entered = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ number, expiry: '12/39', cvc: '123', zip: '60614', email: '' }),
  })
  const next = entered.headers.get('location')
  if (!next?.includes('/challenge/')) return next
  const approved = await fetch(next, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ answer: 'approve' }),
  })
  const back = await fetch(approved.headers.get('location') ?? '', { redirect: 'manual' })
  return back.headers.get('location')
}

/** Saves a card for an account and returns its id. */
export async function saveCard(store: TestStore, accountId: string, number = '4242424242424242'): Promise<string> {
  const { url } = must(
    await openCardPage(store, {
      accountId,
      email: null,
      returnUrl: 'http://store.example/saved?of={saving}',
      cancelUrl: 'http://store.example/',
    }),
  )
  const back = new URL((await enterCard(url, number)) ?? 'http://refused.example')
  must(await finishCardPage(store, { id: back.searchParams.get('of') ?? '', accountId }))
  const card = (await listSavedCards(store, accountId)).find(({ last4 }) => number.endsWith(last4))
  if (!card) throw new Error(`The card ${number} was not saved.`)
  return card.id
}
