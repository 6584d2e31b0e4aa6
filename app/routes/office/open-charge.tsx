import { formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag, Timer } from '#app/ui/office/office-parts.tsx'
import { openChargeView } from '#app/views/open-charge.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  askAgain,
  askToPayAgain,
  captureNow,
  findOpenCharge,
  voidUnanswered,
  takeCharge,
  whyNotCaptured,
  writeToPayer,
  type OpenCharge,
  type OpenChargeRefusal,
} from '#domain/open-charges/open-charges.server.ts'
import type { OpenChargeKind } from '#domain/open-charges/open-charges.ts'
import { isPaidOnDelivery } from '#domain/payments/payments.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { isId } from '#platform/ids.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { Outcome } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/open-charge.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Charge of ${loaderData.charge.what}` : 'Open charge', officePaths.officeCharges())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeCharge(params.paymentId)
  const { shop, session } = await requireStaff(context, 'money.watch', path)
  const charge = await findOpenCharge(shop, idOf(params.paymentId))
  if (!charge) throw new Response(null, { status: 404 })
  const view = openChargeView(shop, session.roles, charge)
  return {
    charge: view,
    facts: factsOf(charge, view),
    may: staffCan(session.roles, 'charges.resolve') ? actsOn(charge, shop.clock.now()) : [],
    waits: charge.kind === 'to-capture' ? whyNotCaptured(charge, shop.clock.now()) : null,
    isOwn: charge.owner === session.email,
    news: news[url.searchParams.get('done') ?? ''] ?? null,
  }
}

function idOf(text: string): string {
  if (!isId(text)) throw new Response(null, { status: 404 })
  return text
}

function factsOf(charge: OpenCharge, view: ReturnType<typeof openChargeView>): [string, string][] {
  const { captureBefore, toldAt, toldBy, payUntil, kind } = charge
  const shown: [string, string | null][] = [
    ['For', view.what],
    ['Customer', view.person],
    ['Method', view.method],
    ['Amount', view.amount],
    [sinceWords[kind], view.since],
    ['Set aside until', kind === 'lapsed' ? null : captureBefore && timeText(captureBefore, storeZone)],
    ['Owner', view.owner ?? 'Nobody yet'],
    ['Customer written to', toldAt && `${timeText(toldAt, storeZone)} by ${toldBy ?? ''}`],
    ['Link to pay again works until', payUntil && timeText(payUntil, storeZone)],
  ]
  return shown.flatMap(([label, value]): [string, string][] => (value === null ? [] : [[label, value]]))
}

const sinceWords: Readonly<Record<OpenChargeKind, string>> = {
  'no-answer': 'Waiting since',
  'to-capture': 'Set aside since',
  lapsed: 'Ended',
}

/** What can be done about a charge now, what helps most first. */
function actsOn(charge: OpenCharge, now: Temporal.Instant): ActOnCharge[] {
  const { kind, email, method, isDifference, cartId } = charge
  if (kind === 'no-answer') return ['ask', ...(email === null ? [] : (['write'] as const)), 'let-go']
  const canPayAgain = !isPaidOnDelivery(method) && !isDifference && cartId !== null && email !== null
  const capture = whyNotCaptured(charge, now) === null && charge.orderId !== null
  return [...(capture ? (['capture'] as const) : []), 'ask', ...(canPayAgain ? (['pay-again'] as const) : [])]
}

type ActOnCharge = 'take' | 'ask' | 'let-go' | 'capture' | 'pay-again' | 'write'

export async function action({ request, context, params }: Route.ActionArgs) {
  const paymentId = idOf(params.paymentId)
  const here = (done: string) => officePaths.officeCharge(paymentId, done)
  const { shop, actor: by } = await requireStaff(context, 'charges.resolve', officePaths.officeCharge(paymentId))
  const fields = await readForm(request)
  const intent = fields.get('intent') ?? ''
  const about = { paymentId, by }
  const acts: Record<ActOnCharge, () => Promise<Outcome<string, OpenChargeRefusal>>> = {
    take: async () => leadingTo(await takeCharge(shop, about), here('take')),
    ask: async () => {
      const asked = await askAgain(shop, about)
      return asked.ok && !asked.value.isOpen
        ? leadingTo(asked, officePaths.officeCharges('answered'))
        : leadingTo(asked, here('ask'))
    },
    'let-go': async () => leadingTo(await voidUnanswered(shop, about), officePaths.officeCharges('let-go')),
    capture: async () => leadingTo(await captureNow(shop, about), officePaths.officeCharges('captured')),
    'pay-again': async () => leadingTo(await askToPayAgain(shop, about), here('pay-again')),
    write: async () => leadingTo(await writeToPayer(shop, about), here('write')),
  }
  if (!Object.hasOwn(acts, intent)) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const done = await acts[intent as ActOnCharge]()
  if (done.ok) return seeOther(done.value)
  return refuseForm(formRefusal(fields, wordsOf(done)), statuses[done.reason] ?? 409)
}

function leadingTo(outcome: Outcome<unknown, OpenChargeRefusal>, path: string): Outcome<string, OpenChargeRefusal> {
  return outcome.ok ? { ok: true, value: path } : outcome
}

const statuses: Readonly<Partial<Record<OpenChargeRefusal['reason'], number>>> = {
  'not-allowed': 403,
  'provider-away': 503,
}

function wordsOf(refusal: OpenChargeRefusal): string {
  if (refusal.reason === 'waits') return refusal.detail.why
  if (refusal.reason === 'not-captured')
    return `The provider did not charge it: the charge is ${refusal.detail.state}. Ask the customer to pay again.`
  return refusals[refusal.reason]
}

const refusals = {
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  over: 'This charge does not need anybody any more.',
  'not-this-one': 'That cannot be done with this charge.',
  'no-address': 'We have no email address of this customer.',
  'provider-away': 'The provider does not answer. Try again in a minute.',
} as const

const news: Readonly<Record<string, string>> = {
  take: 'It is yours.',
  ask: 'The provider says the same as before.',
  'pay-again': 'The customer has a link to pay again. The order waits.',
  write: 'The customer is told that their bank has not answered.',
}

const buttons: Readonly<Record<ActOnCharge, { words: string; tone: 'primary' | 'quiet' | 'stop' }>> = {
  take: { words: 'I work on this', tone: 'quiet' },
  ask: { words: 'Ask the provider again', tone: 'quiet' },
  'let-go': { words: 'Let go of it', tone: 'stop' },
  capture: { words: 'Charge it now', tone: 'primary' },
  'pay-again': { words: 'Ask the customer to pay again', tone: 'primary' },
  write: { words: 'Email the customer', tone: 'primary' },
}

const help: Readonly<Record<OpenChargeKind, string>> = {
  'no-answer':
    'The shopper sees that their payment is processing, and their time in the shop is kept. Letting go frees both; what the bank sets aside later is released by itself.',
  'to-capture':
    'Asking the customer to pay again releases what is set aside now. The order keeps its price and appointment meanwhile.',
  lapsed: 'Nothing was charged and nothing ships. Without a new payment, cancel the order.',
}

export default function OpenChargePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { charge, facts, may, waits, isOwn, news: done } = loaderData
  return (
    <OfficePage
      title={charge.what}
      crumbs={[{ label: 'Open charges', path: officePaths.officeCharges() }]}
      tags={
        <>
          <Tag tone="signal">{charge.kindWords}</Tag>
          <Timer tone={charge.timer.tone}>{charge.timer.words}</Timer>
        </>
      }
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <Columns
        body={
          <Panel
            id="charge"
            title="Charge"
            end={charge.orderPath === null ? undefined : <a href={charge.orderPath}>Open the order</a>}
          >
            <PanelBody>
              <div className="stack">
                <KeyValues rows={facts} />
                <Contact charge={charge} />
              </div>
            </PanelBody>
          </Panel>
        }
        first={
          may.length === 0 ? undefined : <Acts may={may} waits={waits} isOwn={isOwn} kind={charge.kind} reply={reply} />
        }
      />
    </OfficePage>
  )
}

function Contact({
  charge: { email, phone, reference, referenceUrl },
}: {
  charge: Pick<ReturnType<typeof openChargeView>, 'email' | 'phone' | 'reference' | 'referenceUrl'>
}) {
  return (
    <ul className="plain-list">
      {email === null ? null : (
        <li>
          <a href={`mailto:${email}`}>{email}</a>
        </li>
      )}
      {phone === null ? null : (
        <li>
          <a href={`tel:${phone}`}>{phoneText(phone)}</a>
        </li>
      )}
      {reference === null ? null : (
        <li>At the provider: {referenceUrl === null ? reference : <a href={referenceUrl}>{reference}</a>}</li>
      )}
    </ul>
  )
}

function Acts({
  may,
  waits,
  isOwn,
  kind,
  reply,
}: {
  may: readonly ActOnCharge[]
  waits: string | null
  isOwn: boolean
  kind: OpenChargeKind
  reply: FormReply | undefined
}) {
  const acts = isOwn ? may : (['take', ...may] as const)
  return (
    <Panel id="decide" title="Resolve" isOpen>
      <PanelBody>
        <ErrorSummary reply={reply} />
        <form method="post" className="stack">
          {waits === null ? null : <p>{waits}</p>}
          {acts.map((act) => (
            <button key={act} className={`btn ${buttons[act].tone}`} name="intent" value={act}>
              {buttons[act].words}
            </button>
          ))}
          <p className="muted">{help[kind]}</p>
        </form>
      </PanelBody>
    </Panel>
  )
}
