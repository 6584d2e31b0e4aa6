/** What the buttons of a quote do. A draft is saved by each of them first. */
import { checkForm, type FormReply } from '#app/forms/form.ts'
import { press, step, type Posted, type Step } from '#app/office/decision.server.ts'
import type { Staff } from '#app/server/office.server.ts'
import { quoteMessages } from '#content/messages/quotes.ts'
import { officePaths } from '#content/office-paths.ts'
import { findAccountByEmail } from '#domain/customers/accounts/accounts.server.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import type { TermsRefusal } from '#domain/payments/invoices/invoices.ts'
import { termsOrderForm } from '#domain/ordering/phone-orders/phone-orders.ts'
import { placeOnTerms } from '#domain/ordering/phone-orders/phone-orders.server.ts'
import {
  findVehicleByName,
  rejectQuote,
  saveQuote,
  sendQuote,
  startVersion,
  withdrawQuote,
  type Quote,
  type SavedDraft,
} from '#domain/ordering/quotes/quotes.server.ts'
import {
  mostQuoteLines,
  quoteDraftForm,
  readQuoteLines,
  reasonForm,
  type QuoteDraft,
} from '#domain/ordering/quotes/quotes.ts'
import { readQuoteContact } from '#app/views/quote-contact.server.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'

export const quoteRefusals = {
  expired: 'This quote has expired. Send a new version.',
  withdrawn: 'This quote was withdrawn.',
  replaced: 'This quote has a newer version.',
  ordered: 'This quote was already ordered.',
  account: 'This quote uses another account’s prices.',
  'no-account': 'Only a quote for an account can be ordered on net terms.',
  'not-delivered': 'Customers choose their own installation time. Send them the link.',
  changed: 'The customer changed the tires in their cart. Send a new version.',
  'bad-contact': 'The address can’t be delivered to. Send a new version with another address.',
  'total-changed': ({ totalCents }: { totalCents: number }) =>
    `The total is ${formatCents(totalCents)} now. Tell the customer, and send a new version.`,
  'net-terms-refused': (detail: TermsRefusal['detail']) => termsRefusals[detail.why],
  'not-placed': ({ reason }: { reason: string }) =>
    notPlaced[reason] ?? 'The order can’t be placed. Send the customer the link.',
  'not-found': 'Quote not found.',
  'not-a-draft': 'This quote is no longer a draft.',
  'too-many-tires': `A quote has at most ${countOf(mostQuoteLines, 'different tire')}.`,
  'not-possible': 'This quote changed after you opened it.',
  'not-sent': 'Only a sent quote can have a new version.',
} as const

const termsRefusals: Readonly<Record<TermsRefusal['detail']['why'], string>> = {
  'no-terms': 'This company has no net terms.',
  overdue: 'This company has overdue invoices.',
  'over-limit': 'The total is above the company’s available credit.',
}

/** Why the checkout places no order, for what staff can tell the customer. */
const notPlaced: Readonly<Record<string, string>> = {
  'needs-approval': 'The total is above this person’s spending limit. Send them the link.',
  incomplete: 'This company requires a PO number. Enter it.',
  'does-not-fit': 'These tires don’t fit the quote’s vehicle.',
  problem: 'A tire is sold out or can’t be delivered to this address.',
  'store-closed': 'The store is not open yet.',
}

/** The steps of a quote's page, by the button that was clicked. */
export function quoteSteps(posted: Posted, quote: Quote) {
  const { shop, by, staff, fields } = posted
  const { id } = quote
  const intent = fields.get('intent') ?? ''
  return {
    approve: press<string, never>(
      async () => ok(await send(staff, quote)),
      (done) => done,
    ),
    version: press(
      () => startVersion(shop, by, { id, key: newId() }),
      (started) => officePaths.officeQuote(started.id),
    ),
    reject: step(reasonForm, ({ reason }) => rejectQuote(shop, by, { id, reason }), 'rejected'),
    terms: step(
      termsOrderForm,
      async ({ poNumber, totalCents }): ReturnType<typeof placeOnTerms> => {
        const read = readQuoteContact({ ...quote, vehicle: quote.vehicle?.name ?? null })
        if (!read?.ok) return refused('bad-contact')
        return placeOnTerms(shop, by, { quoteId: id, contact: read.contact, poNumber, totalCents })
      },
      ({ orderId }) => officePaths.officeOrder(orderId),
    ),
    withdraw: step(reasonForm, ({ reason }) => withdrawQuote(shop, by, { id, reason }), 'withdrawn'),
    ...(/^(?:save|send|find|add-\d{1,9}|remove-\d{1,9})$/.test(intent) && { [intent]: draftStep(posted, quote) }),
  }
}

/** Returns the page's status after sending the quote. */
async function send({ shop, actor }: Staff, { id, revision }: Pick<Quote, 'id' | 'revision'>): Promise<string> {
  const sent = await sendQuote(shop, actor, { id, revision })
  return sent.ok ? sent.value.state : sent.reason === 'ordered-meanwhile' ? 'ordered-meanwhile' : 'not-sent'
}

type SaveRefusal = Extract<Awaited<ReturnType<typeof saveQuote>>, { ok: false }>

/** Saves the posted draft, then runs the button's action. */
function draftStep({ shop, by, staff }: Posted, quote: Quote): Step<SaveRefusal> {
  const { id } = quote
  return {
    requiresFresh: false,
    async run(fields) {
      const [act, item] = (fields.get('intent') ?? '').split('-')
      const read = await readDraft(staff, quote, { fields, act, itemId: Number(item) })
      if (!read.ok) return read
      const saved = await saveQuote(shop, by, id, read.draft)
      if (!saved.ok) return { refusal: saved }
      if (act === 'send') return { done: await send(staff, { id, revision: saved.value.revision }) }
      const q = (fields.get('q') ?? '').trim().slice(0, 120)
      return { done: act === 'find' ? officePaths.officeQuote(id, { q: q || 'vehicle' }) : 'saved' }
    },
  }
}

type Read = { ok: true; draft: SavedDraft } | { ok: false; reply: FormReply }

/** Reads the posted draft and adds or removes the button's tire. Returns the form with errors if it's invalid. */
async function readDraft(
  { shop }: Staff,
  quote: Quote,
  { fields, act, itemId }: { fields: URLSearchParams; act: string | undefined; itemId: number },
): Promise<Read> {
  const kept = quote.lines.filter((line) => act !== 'remove' || line.itemId !== itemId)
  const { lines, errors } = readQuoteLines(
    fields,
    kept.map((line) => line.itemId),
  )
  const checked = checkForm(quoteDraftForm, fields)
  if (!checked.ok) return { ok: false, reply: { ...checked.reply, errors: { ...checked.reply.errors, ...errors } } }
  const { draft, wrong } = await lookUp({ shop, quote }, checked.value)
  const all = { ...errors, ...wrong }
  const added = act === 'add' ? await findItem(shop.catalog, itemId) : undefined
  if (act === 'add' && !added) all['q'] = 'This tire is no longer sold.'
  if (Object.keys(all).length > 0) return { ok: false, reply: { values: Object.fromEntries(fields), errors: all } }
  const isNew = added && !lines.some((line) => line.itemId === added.id)
  const newLine = { axle: 'all', quantity: 4, coverage: false } as const
  return {
    ok: true,
    draft: {
      ...draft,
      lines: isNew ? [...lines, { ...newLine, itemId: added.id, unitCents: added.retailCents }] : lines,
    },
  }
}

/** Looks up the account and the vehicle that were typed. */
async function lookUp(
  { shop, quote }: { shop: Staff['shop']; quote: Quote },
  { account, vehicle, shop: shopId, address1, address2, city, state, ...draft }: QuoteDraft,
): Promise<{ draft: Omit<SavedDraft, 'lines'>; wrong: Record<string, string> }> {
  const accountId = account === null ? null : await findAccountByEmail(shop, account)
  const chosen =
    vehicle === null ? null : vehicle === quote.vehicle?.name ? quote.vehicle : await findVehicleByName(shop, vehicle)
  const hasAddress = [address1, address2, city, state].some((part) => part !== null)
  const address = hasAddress
    ? { address1: address1 ?? '', address2, city: city ?? '', state: (state ?? '').toUpperCase() }
    : null
  const contact = readQuoteContact({ ...draft, address, vehicle })
  return {
    draft: { ...draft, address, shopId, accountId: accountId ?? null, vehicle: chosen ?? null },
    wrong: {
      ...(contact?.ok === false && contact.errors),
      ...(accountId === undefined && { account: 'No account has this email.' }),
      ...(chosen === undefined && { vehicle: 'Enter year, make and model, like 2019 Honda CR-V EX.' }),
    },
  }
}

/** The page's messages by action. Uses the specification's text if it has one. */
export const quoteNews = {
  saved: { tone: 'go', title: 'Saved' },
  sent: { tone: 'go', title: quoteMessages.sent },
  'needs-approval': { tone: 'signal', title: 'Waiting for manager approval' },
  'not-sent': { tone: 'stop', title: quoteMessages.notSent },
  'ordered-meanwhile': { tone: 'stop', title: 'The customer already ordered the previous version' },
  rejected: { tone: 'go', title: 'Returned to draft' },
  withdrawn: { tone: 'go', title: 'Withdrawn' },
} as const
