import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { FreshSignInNotice } from '#app/office/decision.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { concessionMessages } from '#content/messages/concessions.ts'
import { officePaths } from '#content/office-paths.ts'
import { readMatrix, setRate } from '#domain/payouts/payouts.server.ts'
import { payBands, payBandText, payJobs, rateForm } from '#domain/payouts/payouts.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Route } from './+types/pay-matrix.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Pay matrix', officePaths.officePayMatrix())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'pay.matrix', officePaths.officePayMatrix())
  const { shop } = staff
  const today = storeDay(shop.clock.now())
  const rates = await readMatrix(shop)
  return {
    isFresh: isFresh(staff),
    isSaved: url.searchParams.get('done') === 'saved',
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

const refusals = {
  'not-fresh': { words: concessionMessages['not-fresh'], field: null, status: 403 },
  'not-allowed': { words: 'Your role does not allow that. Nothing was changed.', field: null, status: 403 },
  'not-in-future': { words: 'Choose a day after today.', field: 'startsOn', status: 422 },
  'planned-already': {
    words: 'Another change of this rate is to come. Wait until it applies.',
    field: null,
    status: 409,
  },
} as const

export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'pay.matrix', officePaths.officePayMatrix())
  const fields = await readForm(request)
  const checked = checkForm(rateForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const set = await setRate(shop, actor, checked.value)
  if (set.ok) return seeOther(officePaths.officePayMatrix({ done: 'saved' }))
  const { words, field, status } = refusals[set.reason]
  return refuseForm(formRefusal(fields, words, field ? { [field]: words } : {}), status)
}

const labels = {
  job: 'Kind of job',
  band: 'Rims, inches',
  state: 'State',
  amount: 'A tire',
  startsOn: 'From',
}

export default function PayMatrixPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { isSaved, isFresh: mayNow, tomorrow, rows } = loaderData
  return (
    <OfficePage
      title="Pay matrix"
      end={
        <a className="btn" href={officePaths.officeShopPays()}>
          Shop pay
        </a>
      }
    >
      {isSaved && !reply ? <Notice tone="go" title="Saved. It applies from its first day on." isNews /> : null}
      <FreshSignInNotice
        isFresh={mayNow}
        title="Changing a rate requires a recent sign-in"
        back={officePaths.officePayMatrix()}
      />
      <Panel id="set" title="Change a rate">
        <form method="post" noValidate>
          <PanelBody isPair>
            <ErrorSummary reply={reply} labels={labels} />
            <SelectField name="job" label={labels.job} reply={reply}>
              {payJobs.map(({ job, name }) => (
                <option key={job} value={job}>
                  {name}
                </option>
              ))}
            </SelectField>
            <SelectField name="band" label={labels.band} reply={reply}>
              {payBands.map((band, index) => (
                <option key={band[0]} value={index}>
                  {payBandText(band)}
                </option>
              ))}
            </SelectField>
            <Field name="state" label={labels.state} reply={reply} maxLength={2} hint="As IL. Empty for all states." />
            <Field
              name="amount"
              label={labels.amount}
              reply={reply}
              inputMode="decimal"
              maxLength={14}
              hint="From $15.00 to $24.00."
            />
            <Field name="startsOn" label={labels.startsOn} reply={reply} type="date" min={tomorrow} />
          </PanelBody>
          <PanelBody>
            <button className="btn primary">Save rate</button>
          </PanelBody>
        </form>
      </Panel>
      <Panel id="rates" title="Rates" note="a tire; what applied before is kept with the jobs it paid">
        <DataTable
          caption="Rates a tire"
          columns={[
            { key: 'job', label: 'Kind of job', isRowHeader: true },
            { key: 'rims', label: 'Rims, inches' },
            { key: 'state', label: 'State' },
            { key: 'from', label: 'From' },
            { key: 'until', label: 'Until before' },
            { key: 'cents', label: 'A tire', isAmount: true },
          ]}
          rows={rows}
        />
      </Panel>
    </OfficePage>
  )
}
