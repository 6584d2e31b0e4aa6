import { checkForm, readForm, refuseForm } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { StepPage } from '#app/ui/portal/step-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { savePrices } from '#domain/installer-portal/portal/portal.server.ts'
import {
  priceField,
  pricedJobs,
  pricesStepForm,
  rimBands,
  rimBandText,
  setUpStepNames,
  type SetUp,
} from '#domain/installer-portal/portal/portal.ts'
import type { Route } from './+types/set-up-prices.ts'
import { requireStep, settleStep } from './set-up-step.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  portalHead(matches, setUpStepNames['prices'], portalPaths.portal())

export async function loader({ context, params: { shopCode } }: Route.LoaderArgs) {
  const { setUp } = await requireStep(context, shopCode, 'prices')
  return { shopCode, values: valuesOf(setUp) }
}

function valuesOf({ rates }: SetUp): Record<string, string> {
  const [first] = rates
  const typed = (cents: number) => (cents / 100).toFixed(2)
  return {
    ...(first && { kit: typed(first.serviceKitCents), disposal: typed(first.disposalCents) }),
    ...Object.fromEntries(rates.map((rate) => [priceField(rate.job, rate.rimFromIn), typed(rate.installCents)])),
  }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor, place } = await requireStep(context, shopCode, 'prices')
  const fields = await readForm(request)
  const checked = checkForm(pricesStepForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { timeZone } = place
  return settleStep(fields, await savePrices(app, actor, { ...checked.value, timeZone }), { shopCode })
}

const labels: Record<string, string> = {
  kit: 'Sensor service kit',
  disposal: 'Disposal of an old tire',
  ...Object.fromEntries(
    pricedJobs.flatMap(({ job, name }) =>
      rimBands.map((band) => [priceField(job, band[0]), `${name}, ${rimBandText(band)} inch`]),
    ),
  ),
}

export default function Prices({ loaderData: { shopCode, values }, actionData: reply }: Route.ComponentProps) {
  return (
    <StepPage
      shopCode={shopCode}
      step="prices"
      words="Dollars per tire, mounted and balanced, as the shopper pays them. Leave run-flat or light truck empty if you do not take them."
      reply={reply}
      labels={labels}
    >
      <form method="post" className="portal-form" noValidate>
        {pricedJobs.map(({ job, name, isRequired }) => (
          <fieldset key={job} className="portal-prices">
            <legend>
              {name}
              {isRequired ? '' : ' (optional)'}
            </legend>
            {rimBands.map((band) => (
              <Field
                key={band[0]}
                name={priceField(job, band[0])}
                label={`${rimBandText(band)} in`}
                reply={reply}
                value={values[priceField(job, band[0])]}
                inputMode="decimal"
                maxLength={20}
                autoComplete="off"
              />
            ))}
          </fieldset>
        ))}
        <fieldset className="portal-prices">
          <legend>For any tire</legend>
          {(['kit', 'disposal'] as const).map((name) => (
            <Field
              key={name}
              name={name}
              label={labels[name] ?? ''}
              reply={reply}
              value={values[name]}
              inputMode="decimal"
              maxLength={20}
              autoComplete="off"
            />
          ))}
        </fieldset>
        <button className="btn primary large wide">Save prices</button>
      </form>
    </StepPage>
  )
}
