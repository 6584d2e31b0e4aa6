/** Members who joined a year before the month on different days, so that their memberships renew during it. */
import { eventually } from '#tests/support/eventually.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { createVisitor, registerAt, type Visitor } from '#tests/support/visitor.ts'
import type { FakedClock } from './faked-clock.ts'

/** Each member's card. Most are charged again. One card requires authentication, which never happens. */
const cards = ['4242424242424242', '5555555555554444', '4242424242424242', '4000002760003184', '4242424242424242']
/** The year of the first ends so many days into the month, of each other two days later. */
const firstEnds = 9

/** Returns the first member's joining time for a month that starts at `start`. */
export function beforeMembers(start: Temporal.Instant): Temporal.Instant {
  return start.subtract({ hours: 24 * (365 - firstEnds) })
}

/** Each registers, verifies the email, joins on the provider's page and agrees to be renewed. */
export async function joinMembers(store: RunningStore, clock: FakedClock): Promise<void> {
  for (const [no, card] of cards.entries()) {
    if (no > 0) await clock.to(clock.now().add({ hours: 48 }))
    const visitor = createVisitor()
    const email = `member${no}@example.com`
    await registerAt(store.origin, visitor, `Member ${no}`, { email, back: '/membership' })
    await visitor.ask(linkIn(await newestMail(store, email), 'verify-email'))
    await visitor.ask(`${store.origin}/account?changed=1`)
    const joined = await visitor.ask(`${store.origin}/membership`, { form: { intent: 'join', asked: '1', renew: '1' } })
    await payOnPage(store, visitor, { page: joined.headers.get('location') ?? '', card })
    await eventually('saved card', () => isSaved(store, visitor, card))
  }
}

async function isSaved(store: RunningStore, visitor: Visitor, card: string): Promise<boolean> {
  const page = await (await visitor.ask(`${store.origin}/account/payment-methods`)).text()
  return page.replaceAll('<!-- -->', '').includes(`ending in ${card.slice(-4)}`)
}

/** Whether the bank requires authentication. */
const isAsked = (url: URL) => url.pathname.startsWith('/challenge/')

async function payOnPage(store: RunningStore, visitor: Visitor, { page, card }: { page: string; card: string }) {
  const form = { number: card, expiry: '12/39', cvc: '123', zip: '60614', email: '' }
  const isBack = (url: URL) => url.origin === store.origin
  const entered = await visitor.follow(page, { form, stops: (url) => isBack(url) || isAsked(url) })
  const paid = isAsked(entered.url)
    ? await visitor.follow(entered.url, { form: { answer: 'approve' }, stops: isBack })
    : entered
  const { headers } = await visitor.ask(paid.url)
  if (!headers.get('location')?.includes('news=joined')) throw new Error(`joined: ${headers.get('location')}`)
}
