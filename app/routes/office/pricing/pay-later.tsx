import { randomUUID } from 'node:crypto'
import { payLaterActions } from '#app/office/actions/pay-later.server.ts'
import { decideActions, doneNews } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listPayLaterOffers } from '#domain/catalog/payment-offers/payment-offers.server.ts'
import { payLaterFunders, payLaterMethods, payLaterState } from '#domain/catalog/payment-offers/payment-offers.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { stateTabs } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/pay-later.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Lender offers', officePaths.officePayLater())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'promotions.read', officePaths.officePayLater())
  const now = app.clock.now()
  return {
    formKey: randomUUID(),
    mayEdit: staffCan(session.roles, 'promotions.edit'),
    news: doneNews(url, news),
    offers: (await listPayLaterOffers(app)).map((offer) => ({
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

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('id') ?? '',
      path: (done) => officePaths.officePayLater({ done }),
      done: { add: (_, { state }) => state, end: 'ended' },
    },
    payLaterActions,
  )

const news = {
  scheduled: 'Scheduled.',
  ended: 'Offer ended. Carts update immediately.',
  requested: 'Sent for approval. It starts only if another team member schedules the same offer.',
}

export default function PayLaterPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayEdit, offers, formKey } = loaderData
  const live = offers.filter(({ state }) => state !== 'ended')
  return (
    <OfficePage title="Lender offers" news={loaderData.news} reply={reply}>
      <TablePanel
        id="pay-later"
        title="Offers by payment method"
        note="A discount on everything we sell on the order, for customers who pay with that method. Times are Eastern."
        empty="No offers yet."
        columns={{
          method: 'Payment method',
          percent: 'Discount',
          funder: 'Paid by',
          state: 'State',
          starts: 'Starts',
          ends: 'Ends',
          by: 'Created by',
        }}
        amounts={['percent']}
        rows={offers.map(({ id, state, ...cells }) => ({ id, cells: { ...cells, state: stateTabs[state] } }))}
      />
      {mayEdit ? (
        <FormPanel
          id="new"
          title="New offer"
          isPair
          reply={reply}
          hidden={{ formKey }}
          fields={{
            method: { label: 'Payment method', kind: 'choice', options: Object.entries(payLaterMethods) },
            percent: { label: 'Discount in percent', kind: 'number', max: 2, hint: '1 to 50.' },
            fundedBy: { label: 'Paid by', kind: 'choice', options: Object.entries(payLaterFunders) },
            startsAt: { label: 'Starts', kind: 'moment' },
            endsAt: { label: 'Ends', kind: 'moment' },
          }}
          buttons={[button('add', 'Schedule', 'primary')]}
        />
      ) : null}
      {mayEdit && live.length > 0 ? (
        <FormPanel
          id="end"
          title="End an offer"
          lead="A scheduled offer then never starts."
          isPair
          reply={reply}
          fields={{
            id: {
              label: 'Offer',
              kind: 'choice',
              options: live.map(({ id, method, percent, ends }) => [id, `${method}, ${percent} until ${ends}`]),
            },
            reason: { label: 'Reason', max: 200 },
          }}
          buttons={[button('end', 'End offer')]}
        />
      ) : null}
    </OfficePage>
  )
}
