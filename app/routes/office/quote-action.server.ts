/** What the buttons of a quote do. A draft is saved by each of them first. */
import { checkForm, formRefusal, refuseForm, type FormReply } from '#app/forms/form.ts'
import type { Staff } from '#app/server/office.server.ts'
import { quoteMessages } from '#content/messages/quotes.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { findAccountByEmail } from '#domain/accounts/accounts.server.ts'
import { findItem } from '#domain/catalog/catalog.server.ts'
import {
  findVehicleByName,
  rejectQuote,
  saveQuote,
  sendQuote,
  startVersion,
  withdrawQuote,
  type Quote,
  type SavedDraft,
} from '#domain/quotes/quotes.server.ts'
import { mostQuoteLines, quoteDraftForm, readQuoteLines, reasonForm, type QuoteDraft } from '#domain/quotes/quotes.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { newId } from '#platform/ids.ts'
import { countOf } from '#platform/count-text.ts'

const refusals = {
  'not-allowed': 'Your role was revoked meanwhile. Nothing was changed.',
  'not-found': 'This quote was deleted meanwhile.',
  'not-a-draft': 'This quote is no draft anymore. Nothing was changed.',
  'changed-meanwhile': 'Someone else saved this quote meanwhile. Your entries are below: save again to replace theirs.',
  'too-many-tires': `A quote has at most ${countOf(mostQuoteLines, 'different tire')}.`,
  'not-possible': 'The state of this quote changed meanwhile. Nothing was changed.',
  'not-sent': 'Only a sent quote gets a new version.',
} as const

type Answer = Response | ReturnType<typeof refuseForm>

function refuse(fields: URLSearchParams, reason: keyof typeof refusals): Answer {
  return refuseForm(formRefusal(fields, refusals[reason]), reason === 'not-allowed' ? 403 : 409)
}

/** Runs the act whose button of `quote` was clicked and leads back to its page, or says why not. */
export async function actOnQuote(staff: Staff, quote: Quote, fields: URLSearchParams): Promise<Answer> {
  const { shop, actor } = staff
  const { id } = quote
  const intent = fields.get('intent') ?? ''
  switch (intent) {
    case 'approve':
      return send(staff, quote)
    case 'version': {
      const started = await startVersion(shop, actor, { id, key: newId() })
      return started.ok ? seeOther(officePaths.officeQuote(started.value.id)) : refuse(fields, started.reason)
    }
    case 'reject':
    case 'withdraw': {
      const checked = checkForm(reasonForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const end = intent === 'reject' ? rejectQuote : withdrawQuote
      const ended = await end(shop, actor, { id, reason: checked.value.reason })
      return ended.ok
        ? seeOther(officePaths.officeQuote(id, { done: intent === 'reject' ? 'rejected' : 'withdrawn' }))
        : refuse(fields, ended.reason)
    }
    default:
      return changeDraft(staff, quote, { intent, fields })
  }
}

async function send({ shop, actor }: Staff, { id, revision }: Pick<Quote, 'id' | 'revision'>): Promise<Answer> {
  const sent = await sendQuote(shop, actor, { id, revision })
  const done = sent.ok ? sent.value.state : sent.reason === 'ordered-meanwhile' ? 'ordered-meanwhile' : 'not-sent'
  return seeOther(officePaths.officeQuote(id, { done }))
}

async function changeDraft(
  staff: Staff,
  quote: Quote,
  { intent, fields }: { intent: string; fields: URLSearchParams },
): Promise<Answer> {
  const { shop, actor } = staff
  const { id } = quote
  const [act, item] = intent.split('-')
  if (!['save', 'send', 'find', 'add', 'remove'].includes(act ?? ''))
    return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const read = await readDraft(staff, quote, { fields, act, itemId: Number(item) })
  if (!read.ok) return refuseForm(read.reply)
  const saved = await saveQuote(shop, actor, id, read.draft)
  if (!saved.ok) return refuse(fields, saved.reason)
  if (act === 'send') return send(staff, { id, revision: saved.value.revision })
  const q = (fields.get('q') ?? '').trim().slice(0, 120)
  return seeOther(officePaths.officeQuote(id, act === 'find' ? { q: q || 'vehicle' } : { done: 'saved' }))
}

type Read = { ok: true; draft: SavedDraft } | { ok: false; reply: FormReply }

/** The draft as posted, with the tire that a button adds or removes; or what is wrong with it. */
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
  { account, vehicle, shop: shopId, ...draft }: QuoteDraft,
): Promise<{ draft: Omit<SavedDraft, 'lines'>; wrong: Record<string, string> }> {
  const accountId = account === null ? null : await findAccountByEmail(shop, account)
  const chosen =
    vehicle === null ? null : vehicle === quote.vehicle?.name ? quote.vehicle : await findVehicleByName(shop, vehicle)
  return {
    draft: { ...draft, shopId, accountId: accountId ?? null, vehicle: chosen ?? null },
    wrong: {
      ...(accountId === undefined && { account: 'No account has this email.' }),
      ...(chosen === undefined && { vehicle: 'Enter year, make and model, like 2019 Honda CR-V EX.' }),
    },
  }
}

/** What the page says after a button: the specification's words where it has them. */
export const quoteNews = {
  saved: { tone: 'go', title: 'Saved' },
  sent: { tone: 'go', title: quoteMessages.sent },
  'needs-approval': { tone: 'signal', title: 'Waiting for the approval of a manager' },
  'not-sent': { tone: 'stop', title: quoteMessages.notSent },
  'ordered-meanwhile': { tone: 'stop', title: 'The customer already ordered the previous version' },
  rejected: { tone: 'go', title: 'Sent back to its draft' },
  withdrawn: { tone: 'go', title: 'Withdrawn' },
} as const
