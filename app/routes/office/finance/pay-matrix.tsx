import { payoutRateActions } from '#app/office/actions/payout-rates.server.ts'
import { actionStep, callOf, doneNews, submit } from '#app/office/decision.server.ts'
import { FreshSignInNotice } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { readMatrix } from '#domain/installer-portal/payouts/payouts.server.ts'
import { payBands, payBandText, payJobs } from '#domain/installer-portal/payouts/payouts.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Route } from './+types/pay-matrix.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Payout rates', officePaths.officePayMatrix())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'pay.matrix', officePaths.officePayMatrix())
  const { app } = staff
  const today = storeDay(app.clock.now())
  const rates = await readMatrix(app)
  return {
    isFresh: isFresh(staff),
    news: doneNews(url, { saved: 'Saved. It applies starting on its first day.' }),
    tomorrow: today.add({ days: 1 }).toString(),
    rows: rates.map(({ id, job, state, rimFromIn, rimToIn, cents, startsOn, endsOn }) => ({
      id,
      isMuted: startsOn > today.toString(),
      cells: {
        job: payJobs.find((each) => each.job === job)?.name ?? job,
        rims: payBandText([rimFromIn, rimToIn]),
        state: state ?? 'All',
        from: startsOn > today.toString() ? dateText(startsOn) : 'Now',
        until: endsOn === null ? '' : dateText(endsOn),
        cents: formatCents(cents),
      },
    })),
  }
}

export const action = (args: Route.ActionArgs) =>
  submit(
    args,
    {
      noun: 'rate',
      permission: payoutRateActions.permission,
      path: (done) => officePaths.officePayMatrix({ done }),
    },
    (posted) => actionStep(payoutRateActions.actions.add, callOf(posted, '')),
    payoutRateActions.refusals,
  )

export default function PayMatrixPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { isFresh: mayNow, tomorrow, rows } = loaderData
  return (
    <OfficePage
      title="Payout rates"
      news={loaderData.news}
      reply={reply}
      end={
        <a className="btn" href={officePaths.officeShopPays()}>
          Shop pay
        </a>
      }
    >
      <FreshSignInNotice
        isFresh={mayNow}
        title="Changing a rate requires a recent sign-in"
        back={officePaths.officePayMatrix()}
      />
      <FormPanel
        id="set"
        title="Change a rate"
        isPair
        reply={reply}
        fields={{
          job: {
            label: 'Type of job',
            kind: 'choice',
            options: payJobs.map(({ job, name }) => [job, name]),
          },
          band: {
            label: 'Rims, inches',
            kind: 'choice',
            options: payBands.map((band, index) => [String(index), payBandText(band)]),
          },
          state: { label: 'State', max: 2, isOptional: true, hint: 'Such as IL. Leave empty for all states.' },
          amount: { label: 'Dollars per tire', kind: 'money', max: 14, hint: 'From $15.00 to $24.00.' },
          startsOn: { label: 'Starting', kind: 'day', min: tomorrow },
        }}
        buttons={[button('', 'Save rate', 'primary')]}
      />
      <TablePanel
        id="rates"
        title="Rates"
        note="per tire; earlier rates stay with the jobs they paid"
        columns={{
          job: 'Type of job',
          rims: 'Rims, inches',
          state: 'State',
          from: 'From',
          until: 'Until before',
          cents: 'Per tire',
        }}
        amounts={['cents']}
        rows={rows}
      />
    </OfficePage>
  )
}
