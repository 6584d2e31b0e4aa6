import { chargeActions } from '#app/office/actions/charges.server.ts'
import { decideActions, doneNews, found, shownRows } from '#app/office/decision.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { KeyValues, Panel, PanelBody, Tag, Timer } from '#app/ui/office/office-parts.tsx'
import { openChargeView } from '#app/views/open-charge.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findOpenCharge, whyNotCaptured, type OpenCharge } from '#domain/ordering/open-charges/open-charges.server.ts'
import type { OpenChargeKind } from '#domain/ordering/open-charges/open-charges.ts'
import { isPaidOnDelivery } from '#domain/payments/payments/payments.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { isId } from '#platform/ids.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/open-charge.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Charge of ${loaderData.charge.what}` : 'Open charge', officePaths.officeCharges())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeCharge(params.paymentId)
  const { app, session } = await requireStaff(context, 'money.watch', path)
  const charge = found(await findOpenCharge(app, idOf(params.paymentId)))
  const view = openChargeView(app, session.roles, charge)
  return {
    charge: view,
    facts: factsOf(charge, view),
    may: staffCan(session.roles, 'charges.resolve') ? actsOn(charge, app.clock.now()) : [],
    waits: charge.kind === 'to-capture' ? whyNotCaptured(charge, app.clock.now()) : null,
    isOwn: charge.owner === session.email,
    news: doneNews(url, news),
  }
}

function idOf(text: string): string {
  return found(isId(text) ? text : undefined)
}

function factsOf(charge: OpenCharge, view: ReturnType<typeof openChargeView>): [string, string][] {
  const { captureBefore, toldAt, toldBy, payUntil, kind } = charge
  return shownRows([
    ['For', view.what],
    ['Customer', view.person],
    ['Method', view.method],
    ['Amount', view.amount],
    [sinceWords[kind], view.since],
    ['Authorized until', kind === 'lapsed' ? null : captureBefore && timeText(captureBefore, storeZone)],
    ['Owner', view.owner ?? 'Unassigned'],
    ['Customer emailed', toldAt && `${timeText(toldAt, storeZone)} by ${toldBy ?? ''}`],
    ['Payment link expires', payUntil && timeText(payUntil, storeZone)],
  ])
}

const sinceWords: Readonly<Record<OpenChargeKind, string>> = {
  'no-answer': 'Waiting since',
  'to-capture': 'Authorized since',
  lapsed: 'Expired',
}

/** Returns the actions for a charge now, the most useful first. */
function actsOn(charge: OpenCharge, now: Temporal.Instant): ActOnCharge[] {
  const { kind, email, method, isDifference, cartId } = charge
  if (kind === 'no-answer') return ['ask', ...(email === null ? [] : (['write'] as const)), 'void']
  const canPayAgain = !isPaidOnDelivery(method) && !isDifference && cartId !== null && email !== null
  const capture = whyNotCaptured(charge, now) === null && charge.orderId !== null
  return [...(capture ? (['capture'] as const) : []), 'ask', ...(canPayAgain ? (['pay-again'] as const) : [])]
}

type ActOnCharge = 'take' | 'ask' | 'void' | 'capture' | 'pay-again' | 'write'

export const action = (args: Route.ActionArgs) => {
  const paymentId = idOf(args.params.paymentId)
  return decideActions(
    args,
    {
      id: paymentId,
      path: (done) => officePaths.officeCharge(paymentId, done),
      done: {
        take: 'take',
        ask: (_, { isOpen }) => (isOpen ? 'ask' : officePaths.officeCharges('answered')),
        void: officePaths.officeCharges('let-go'),
        capture: officePaths.officeCharges('captured'),
        'pay-again': 'pay-again',
        write: 'write',
      },
    },
    chargeActions,
  )
}

const news = {
  take: 'Assigned to you.',
  ask: 'The provider reports no change.',
  'pay-again': 'We emailed the customer a link to pay again. The order is on hold until then.',
  write: 'We emailed the customer that their bank hasn’t responded.',
}

const buttons: Readonly<Record<ActOnCharge, ReturnType<typeof button>>> = {
  take: button('take', 'Assign to me', 'quiet'),
  ask: button('ask', 'Check with the provider again', 'quiet'),
  void: button('void', 'Void authorization', 'stop'),
  capture: button('capture', 'Capture now', 'primary'),
  'pay-again': button('pay-again', 'Ask the customer to pay again', 'primary'),
  write: button('write', 'Email the customer', 'primary'),
}

const help: Readonly<Record<OpenChargeKind, string>> = {
  'no-answer':
    'The customer sees that the payment is processing, and the appointment stays reserved. Voiding releases both; if the bank authorizes the charge later, that is released automatically.',
  'to-capture':
    'Asking the customer to pay again voids the current authorization. The order’s price and appointment don’t change.',
  lapsed: 'The customer wasn’t charged and the order won’t ship. If they don’t pay again, cancel the order.',
}

export default function OpenChargePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { charge, facts, may, waits, isOwn } = loaderData
  const acts = isOwn ? may : (['take', ...may] as const)
  return (
    <DetailPage
      title={charge.what}
      crumbs={[{ label: 'Open charges', path: officePaths.officeCharges() }]}
      tags={
        <>
          <Tag tone="signal">{charge.kindWords}</Tag>
          <Timer tone={charge.timer.tone}>{charge.timer.words}</Timer>
        </>
      }
      news={loaderData.news}
      reply={reply}
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
      forms={
        may.length === 0 ? undefined : (
          <FormPanel
            id="decide"
            title="Resolve"
            isOpen
            reply={reply}
            text={waits}
            buttons={acts.map((act) => buttons[act])}
            note={help[charge.kind]}
          />
        )
      }
    />
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
