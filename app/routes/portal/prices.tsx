import { data } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireShop, type AtShop } from '#app/server/portal.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { priceLabels } from '#app/ui/price-labels.ts'
import { portalHead, useShop } from '#app/ui/portal/portal-page.tsx'
import { PriceList, type PriceListView } from '#app/ui/portal/price-parts.tsx'
import { ShopTabs } from '#app/ui/portal/shop-tabs.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { offeredServices, serviceKinds, type ShopLimits } from '#domain/scheduling/installers/installers.ts'
import type { PriceList as List } from '#domain/scheduling/installers/installers.server.ts'
import {
  jobExamples,
  minutesField,
  portalCan,
  priceField,
  pricedJobs,
  pricesForm,
  pricesValues,
  rateFor,
  readDay,
  rimBands,
  rimBandText,
  serviceFields,
  timeFields,
} from '#domain/installer-portal/portal/portal.ts'
import {
  planPrices,
  readPrices,
  withdrawPrices,
  type PricesRefusal,
} from '#domain/installer-portal/portal/portal.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/prices.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Prices', portalPaths.portal())

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const at = await requireShop(context, 'prices.read', { shopCode, path: portalPaths.prices(shopCode) })
  const { app, place } = at
  const { lists, limits, events } = await readPrices(app, place.shopId)
  const today = app.clock.now().toZonedDateTimeISO(place.timeZone).toPlainDate()
  const isAhead = ({ from }: List) => from !== null && from > today.toString()
  const now = lists.findLast((list) => !isAhead(list))
  const latest = lists.at(-1)
  return {
    isInSetUp: place.isInSetUp,
    mayEdit: portalCan(place.role, 'prices.edit') && !place.isInSetUp,
    now: now ? listView(now, limits, true) : null,
    ahead: lists.filter(isAhead).map((list) => listView(list, limits)),
    past: lists.filter((list) => list !== now && !isAhead(list)).map((list) => listView(list, limits)),
    events: events.map(({ at: when, who, act, note }) => {
      const day = dateText(when.toZonedDateTimeISO(place.timeZone).toPlainDate().toString())
      const words = act === 'prices' ? 'Prices planned from' : 'Prices taken back, from'
      return `${day}: ${words} ${note}${who ? `, by ${who}` : ''}`
    }),
    values: latest ? pricesValues(latest) : {},
    first: today.add({ days: 1 }).toString(),
    done: doneWords[url.searchParams.get('done') ?? ''] ?? null,
  }
}

const doneWords: Partial<Record<string, string>> = {
  saved: 'Saved. Existing quotes, holds, and orders aren’t repriced.',
  withdrawn: 'The price list was taken back.',
}

function listView(list: List, limits: ShopLimits, isNow = false): PriceListView {
  const { from, until, madeBy, rates, times, services } = list
  const last = until && dateText(Temporal.PlainDate.from(until).subtract({ days: 1 }).toString())
  const span = from ? `From ${dateText(from)}${last ? ` to ${last}` : ''}` : last ? `Until ${last}` : ''
  const [first] = rates
  return {
    title: isNow ? `Now${last ? `, until ${last}` : ''}` : span,
    from,
    made: madeBy ? `By ${madeBy}` : null,
    jobs: pricedJobs.map(({ job, name }) => ({
      name,
      bands: rimBands.flatMap((band) => {
        const rate = rateFor(rates, job, band[0])
        return rate
          ? [{ rim: rimBandText(band), price: formatCents(rate.installCents), minutes: rate.minutesPerTire }]
          : []
      }),
    })),
    besides: first
      ? `Sensor service kit ${formatCents(first.serviceKitCents)}, disposal ${formatCents(first.disposalCents)} per tire. A wheel alignment in a shop job takes ${countOf(times.alignmentMinutes, 'minute')}`
      : null,
    services: offeredServices(services).map(({ name, unit, priceCents, minutes }) => ({
      name,
      price: `${formatCents(priceCents)} per ${unit}`,
      minutes,
    })),
    examples: jobExamples({ rates, times, limits }).flatMap(({ words, minutes, cents }) =>
      minutes === null ? [] : [{ words, minutes, price: formatCents(cents) }],
    ),
  }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const at = await requireShop(context, 'prices.edit', { shopCode, path: portalPaths.prices(shopCode) })
  const { app, actor, place } = at
  const { timeZone } = place
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'plan': {
      const checked = checkForm(pricesForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      return settle(at, fields, await planPrices(app, actor, { timeZone, list: checked.value }), 'saved')
    }
    case 'withdraw': {
      const from = readDay(fields.get('day'))
      if (!from) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
      return settle(at, fields, await withdrawPrices(app, actor, { timeZone, from }), 'withdrawn')
    }
    default:
      throw data(null, { status: 400 })
  }
}

function settle(
  { place }: AtShop,
  fields: URLSearchParams,
  saved: { ok: true } | PricesRefusal,
  done: 'saved' | 'withdrawn',
) {
  if (saved.ok) return seeOther(portalPaths.prices(place.code, done))
  const { message, field, status } = refusals[saved.reason]
  return refuseForm(formRefusal(fields, message, field ? { [field]: message } : {}), status)
}

const refusals: Record<PricesRefusal['reason'], { message: string; field?: string; status: number }> = {
  'not-allowed': { message: 'You no longer have permission to do this.', status: 403 },
  'in-set-up': { message: 'Open the shop first. Until then, change prices in setup.', status: 409 },
  past: { message: 'This day has already started. Choose a later day.', field: 'from', status: 422 },
  'too-far': { message: 'Choose a day within a year.', field: 'from', status: 422 },
  'too-many': { message: 'That is the most price lists we keep at a time. Take one back first.', status: 409 },
  'no-plan': { message: 'This price list was taken back already.', status: 409 },
  'changed-meanwhile': {
    message: 'Another team member changed the prices. Review them, then save again.',
    status: 409,
  },
}

export default function Prices({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { now, ahead, past, events, done, mayEdit, isInSetUp, values, first } = loaderData
  const shopCode = useShop()?.code ?? ''
  return (
    <div className="wrap portal narrow">
      <ShopTabs at="prices" />
      <h1>Prices and job lengths</h1>
      <p className="muted">
        Dollars and minutes per tire, mounted and balanced. Shoppers pay the list of the day they order.
      </p>
      {done && !reply ? (
        <p className="portal-news" role="status">
          {done}
        </p>
      ) : null}
      {isInSetUp ? (
        <p className="portal-news">
          <a href={portalPaths.setUp(shopCode)}>Finish the set-up</a> to open the shop. You can schedule new prices
          after that.
        </p>
      ) : null}
      <ErrorSummary reply={reply} labels={priceLabels} />
      {now ? <PriceList list={now} /> : null}
      {ahead.map((list) => (
        <div key={list.from} className="portal-section">
          <PriceList list={list} />
          {mayEdit ? (
            <form method="post">
              <input type="hidden" name="intent" value="withdraw" />
              <button
                className="btn"
                name="day"
                value={list.from ?? ''}
                aria-label={`Take this list back: ${list.title}`}
              >
                Take this list back
              </button>
            </form>
          ) : null}
        </div>
      ))}
      {mayEdit ? <Plan values={values} first={first} reply={reply} /> : null}
      {past.length + events.length > 0 ? (
        <details className="portal-section">
          <summary>History</summary>
          {past.map((list) => (
            <PriceList key={list.title} list={list} />
          ))}
          <ul className="portal-events">
            {events.map((words, index) => (
              <li key={`${index} ${words}`}>{words}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  )
}

function Plan({
  values,
  first,
  reply,
}: {
  values: Record<string, string>
  first: string
  reply: FormReply | undefined
}) {
  const field = (name: string, label: string, isMoney: boolean) => (
    <Field
      key={name}
      name={name}
      label={label}
      reply={reply}
      value={values[name]}
      inputMode={isMoney ? 'decimal' : 'numeric'}
      maxLength={isMoney ? 20 : 3}
      autoComplete="off"
    />
  )
  return (
    <section className="portal-section">
      <h2>Schedule new prices</h2>
      <form method="post" className="portal-form" noValidate>
        <Field name="from" label="From" reply={reply} value={first} type="date" min={first} autoComplete="off" />
        {pricedJobs.map(({ job, name, isRequired }) => (
          <fieldset key={job} className="portal-prices">
            <legend>
              {name}
              {isRequired ? '' : ' (optional)'}
            </legend>
            {rimBands.flatMap((band) => [
              field(priceField(job, band[0]), `${rimBandText(band)} in, dollars`, true),
              field(minutesField(job, band[0]), `${rimBandText(band)} in, minutes`, false),
            ])}
          </fieldset>
        ))}
        <fieldset className="portal-prices">
          <legend>For any tire</legend>
          {field('kit', 'Sensor service kit', true)}
          {field('disposal', 'Disposal of an old tire', true)}
        </fieldset>
        <fieldset className="portal-prices">
          <legend>Extra minutes</legend>
          {timeFields.map(({ name, label }) => field(name, label, false))}
        </fieldset>
        <fieldset className="portal-prices">
          <legend>Services without new tires (optional)</legend>
          {serviceKinds.flatMap(({ key, name, unit }) => {
            const { price, minutes } = serviceFields(key)
            return [
              field(price, `${name}, dollars per ${unit}`, true),
              field(minutes, `${name}, minutes per ${unit}`, false),
            ]
          })}
        </fieldset>
        <button className="btn primary large wide" name="intent" value="plan">
          Save the price list
        </button>
      </form>
    </section>
  )
}
