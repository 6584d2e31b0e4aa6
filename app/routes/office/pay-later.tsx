import { randomUUID } from 'node:crypto'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { concessionMessages } from '#content/messages/concessions.ts'
import { officePaths } from '#content/office-paths.ts'
import { endPayLater, listPayLaterOffers, schedulePayLater } from '#domain/payment-offers/payment-offers.server.ts'
import {
  payLaterEndForm,
  payLaterForm,
  payLaterFunders,
  payLaterMethods,
  payLaterState,
} from '#domain/payment-offers/payment-offers.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { Options } from './options.tsx'
import { stateTabs } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/pay-later.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Lender offers', officePaths.officePayLater())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'promotions.read', officePaths.officePayLater())
  const now = shop.clock.now()
  return {
    formKey: randomUUID(),
    mayEdit: staffCan(session.roles, 'promotions.edit'),
    done: newsOf(url.searchParams.get('done')),
    offers: (await listPayLaterOffers(shop)).map((offer) => ({
      id: String(offer.id),
      state: payLaterState(offer, now),
      method: payLaterMethods[offer.method],
      percent: `${offer.percent}%`,
      funder: payLaterFunders[offer.fundedBy],
      starts: timeText(offer.startsAt, storeZone),
      ends: timeText(offer.endsAt, storeZone),
      by: offer.by,
    })),
  }
}

/** `end`: ends an offer. Otherwise: schedules one. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'promotions.edit', officePaths.officePayLater())
  const fields = await readForm(request)
  if (fields.get('intent') === 'end') {
    const checked = checkForm(payLaterEndForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const ended = await endPayLater(shop, actor, checked.value)
    if (ended.ok) return seeOther(officePaths.officePayLater({ done: 'ended' }))
    return refuseForm(formRefusal(fields, refusals[ended.reason]), ended.reason === 'not-allowed' ? 403 : 409)
  }
  const checked = checkForm(payLaterForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const scheduled = await schedulePayLater(shop, actor, checked.value)
  if (scheduled.ok) return seeOther(officePaths.officePayLater({ done: scheduled.value.state }))
  switch (scheduled.reason) {
    case 'not-allowed':
      return refuseForm(formRefusal(fields, refusals['not-allowed']), 403)
    case 'starts-in-past':
      return refuseForm(formRefusal(fields, 'Fix 1 field:', { startsAt: 'Enter a time that has not passed.' }))
    case 'ends-before-start':
      return refuseForm(formRefusal(fields, 'Fix 1 field:', { endsAt: 'Enter a time after the start.' }))
    case 'over-your-limit':
    case 'not-fresh':
      return refuseForm(formRefusal(fields, concessionMessages[scheduled.reason]), 403)
    case 'taken':
      return refuseForm(
        formRefusal(
          fields,
          'This way to pay has another offer in that time. End that one first, or choose other times.',
        ),
        409,
      )
  }
}

const news = {
  scheduled: 'Scheduled.',
  ended: 'Ended. Carts follow at once.',
  requested: 'Sent for approval. It starts only if another team member schedules the same offer.',
} as const

function newsOf(asked: string | null): string | null {
  return asked !== null && Object.hasOwn(news, asked) ? news[asked as keyof typeof news] : null
}

const refusals = {
  'not-allowed': 'Your role does not allow that. Nothing was changed.',
  gone: 'There is no such offer.',
  'other-state': 'This offer has ended already.',
} as const

const labels = {
  method: 'They pay with',
  percent: 'Percent off the order',
  fundedBy: 'Paid by',
  startsAt: 'Starts',
  endsAt: 'Ends',
  reason: 'Reason',
}

const columns = [
  { key: 'method', label: 'They pay with', isRowHeader: true },
  { key: 'percent', label: 'Off the order', isAmount: true },
  { key: 'funder', label: 'Paid by' },
  { key: 'state', label: 'State' },
  { key: 'starts', label: 'Starts' },
  { key: 'ends', label: 'Ends' },
  { key: 'by', label: 'Made by' },
]

export default function PayLaterPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayEdit, done, offers, formKey } = loaderData
  const live = offers.filter(({ state }) => state !== 'ended')
  return (
    <OfficePage title="Lender offers">
      {!reply && done ? <Notice tone={done === news.requested ? 'signal' : 'go'} title={done} isNews /> : null}
      <Panel
        id="pay-later"
        title="Offers of ways to pay"
        note="Off everything we sell on the order, for those who choose that way to pay. Times are Eastern."
      >
        {offers.length === 0 ? (
          <p className="office-panel-body">No offer yet.</p>
        ) : (
          <DataTable
            caption="Offers of ways to pay"
            columns={columns}
            rows={offers.map(({ id, state, ...cells }) => ({ id, cells: { ...cells, state: stateTabs[state] } }))}
          />
        )}
      </Panel>
      {mayEdit ? <OfferForm reply={reply} formKey={formKey} /> : null}
      {mayEdit && live.length > 0 ? <EndForm reply={reply} live={live} /> : null}
    </OfficePage>
  )
}

type Reply = Route.ComponentProps['actionData']

function OfferForm({ reply: posted, formKey }: { reply: Reply; formKey: string }) {
  const reply = posted?.values['intent'] === 'end' ? undefined : posted
  const field = (name: keyof typeof labels) => ({ name, label: labels[name], reply })
  return (
    <Panel id="new" title="New offer">
      <form method="post" noValidate autoComplete="off">
        <input type="hidden" name="formKey" value={reply?.values['formKey'] ?? formKey} />
        {reply ? (
          <PanelBody>
            <ErrorSummary reply={reply} labels={labels} />
          </PanelBody>
        ) : null}
        <PanelBody isPair>
          <SelectField {...field('method')}>
            <Options of={payLaterMethods} />
          </SelectField>
          <Field {...field('percent')} inputMode="numeric" maxLength={2} required hint="1 to 50." />
          <SelectField {...field('fundedBy')}>
            <Options of={payLaterFunders} />
          </SelectField>
          <Field {...field('startsAt')} type="datetime-local" required />
          <Field {...field('endsAt')} type="datetime-local" required />
        </PanelBody>
        <PanelBody>
          <button className="btn primary">Schedule</button>
        </PanelBody>
      </form>
    </Panel>
  )
}

function EndForm({
  reply: posted,
  live,
}: {
  reply: Reply
  live: readonly { id: string; method: string; percent: string; ends: string }[]
}) {
  const reply = posted?.values['intent'] === 'end' ? posted : undefined
  const offers = Object.fromEntries(
    live.map(({ id, method, percent, ends }) => [id, `${method}, ${percent} until ${ends}`]),
  )
  return (
    <Panel id="end" title="End an offer" note="One that has not started never starts.">
      <form method="post" noValidate>
        <input type="hidden" name="intent" value="end" />
        <PanelBody isPair>
          {reply ? <ErrorSummary reply={reply} labels={{ ...labels, id: 'Offer' }} /> : null}
          <SelectField name="id" label="Offer" reply={reply}>
            <Options of={offers} />
          </SelectField>
          <Field name="reason" label={labels.reason} reply={reply} maxLength={200} required />
        </PanelBody>
        <PanelBody>
          <button className="btn">End it</button>
        </PanelBody>
      </form>
    </Panel>
  )
}
