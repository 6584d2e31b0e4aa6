import { readForm } from '#app/forms/form.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { capacityLabels } from '#app/ui/capacity-choices.ts'
import { CapacityFields, HurtList, Plan, type PlanView } from '#app/ui/portal/capacity-parts.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { ShopTabs } from '#app/ui/portal/shop-tabs.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import type { CapacityPlan } from '#domain/scheduling/booking/booking.server.ts'
import { capacityFacts, capacityValues, hoursLines, portalCan } from '#domain/installer-portal/portal/portal.ts'
import { readCapacity } from '#domain/installer-portal/portal/portal.server.ts'
import { dateText } from '#platform/day-text.ts'
import { clockOf } from '#platform/time-text.ts'
import { actOnCapacity, hurtViews, type CapacityReply } from './capacity-acts.server.ts'
import type { Route } from './+types/capacity.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Capacity', portalPaths.portal())

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const at = await requireShop(context, 'capacity.read', { shopCode, path: portalPaths.capacity(shopCode) })
  const { app, place } = at
  const { plans, version, closures, hurt, today, events } = await readCapacity(app, place)
  const now = plans.findLast(({ from }) => from === null || from <= today.toString())
  const latest = plans.at(-1)
  return {
    shopCode,
    zone: clockOf(place.timeZone, today).zone,
    isInSetUp: place.isInSetUp,
    mayEdit: portalCan(place.role, 'capacity.edit') && !place.isInSetUp,
    now: now ? planView(now, today, true) : null,
    ahead: plans.filter((plan) => isAhead(plan, today)).map((plan) => planView(plan, today)),
    past: plans.filter((plan) => plan !== now && !isAhead(plan, today)).map((plan) => planView(plan, today)),
    closures: closures.map(({ on, reason }) => ({ on, words: `${dateText(on)}, ${reason}` })),
    hurt: hurtViews(hurt, place),
    events: events.map(({ at: when, who, act, note }) => {
      const day = dateText(when.toZonedDateTimeISO(place.timeZone).toPlainDate().toString())
      return `${day}: ${eventWords[act] ?? ''} ${note}${who ? `, by ${who}` : ''}`
    }),
    values: latest ? capacityValues(latest) : {},
    version,
    first: today.add({ days: 1 }).toString(),
    done: doneWords[url.searchParams.get('done') ?? ''] ?? null,
  }
}

const eventWords: Partial<Record<string, string>> = {
  capacity: 'Change planned from',
  'capacity-withdrawn': 'Change taken back, from',
  'closed-day': 'Closed on',
  'opened-day': 'Opened on',
}
const doneWords: Partial<Record<string, string>> = {
  saved: 'Saved. Every appointment fits.',
  kept: 'Saved. The appointments below still have to be moved.',
  withdrawn: 'The change was taken back.',
  closed: 'The day is closed. No appointment was on it.',
  opened: 'The day is open again.',
}

function isAhead({ from }: CapacityPlan, today: Temporal.PlainDate): boolean {
  return from !== null && from > today.toString()
}

function planView(plan: CapacityPlan, today: Temporal.PlainDate, isNow = false): PlanView {
  const { from, until, madeBy } = plan
  const last = until && dateText(Temporal.PlainDate.from(until).subtract({ days: 1 }).toString())
  const begins = from && dateText(from)
  const span = begins ? `From ${begins}${last ? ` to ${last}` : ''}` : last ? `Until ${last}` : ''
  return {
    title: isNow ? `Now${last ? `, until ${last}` : ''}` : span,
    from,
    isAhead: isAhead(plan, today),
    lines: hoursLines(plan.hours),
    facts: capacityFacts(plan),
    made: madeBy ? `By ${madeBy}` : null,
  }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const at = await requireShop(context, 'capacity.edit', { shopCode, path: portalPaths.capacity(shopCode) })
  return actOnCapacity(at, await readForm(request))
}

export default function Capacity({ loaderData, actionData }: Route.ComponentProps) {
  const { shopCode, zone, now, ahead, past, hurt, done, mayEdit, isInSetUp, events } = loaderData
  const reply: CapacityReply | undefined = actionData
  return (
    <div className="wrap portal narrow">
      <ShopTabs at="capacity" />
      <h1>Capacity</h1>
      <p className="muted">What shoppers can book, from each day on. Times in {zone}.</p>
      {done && !reply ? (
        <p className="portal-news" role="status">
          {done}
        </p>
      ) : null}
      {isInSetUp ? (
        <p className="portal-news">
          <a href={portalPaths.setUp(shopCode)}>Finish the set-up</a> to open the shop. You can schedule changes after
          that.
        </p>
      ) : null}
      <ErrorSummary reply={reply} labels={capacityLabels} />
      {reply?.preview ? <Preview preview={reply.preview} /> : null}
      {hurt.length > 0 && !reply?.preview ? (
        <section className="portal-section">
          <h2>Appointments that do not fit</h2>
          <p>Shoppers still count on these. Move each, or call them.</p>
          <HurtList hurt={hurt} />
        </section>
      ) : null}
      {now ? <Plan plan={now} /> : null}
      {ahead.map((plan) => (
        <div key={plan.from} className="portal-section">
          <Plan plan={plan} />
          {mayEdit ? (
            <form method="post">
              <input type="hidden" name="intent" value="withdraw" />
              <button
                className="btn"
                name="day"
                value={plan.from ?? ''}
                aria-label={`Take this change back: ${plan.title}`}
              >
                Take this change back
              </button>
            </form>
          ) : null}
        </div>
      ))}
      <Closures {...loaderData} reply={reply} />
      {mayEdit ? <Change {...loaderData} reply={reply} /> : null}
      {past.length + events.length > 0 ? (
        <details className="portal-section">
          <summary>History</summary>
          {past.map((plan) => (
            <Plan key={plan.title} plan={plan} />
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

/** Renders what a change alters, the bookings it affects, and the form to confirm it. */
function Preview({ preview: { changes, hurt, fields } }: { preview: NonNullable<CapacityReply['preview']> }) {
  return (
    <section className="portal-section is-preview">
      <h2>Before you keep it</h2>
      <dl className="portal-changes tabular">
        {changes.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <s>
                <span className="visually-hidden">Before: </span>
                {before}
              </s>{' '}
              <b>{after}</b>
            </dd>
          </div>
        ))}
        <div>
          <dt>Appointments affected</dt>
          <dd>
            <b className="portal-overlap">{hurt.length}</b>
          </dd>
        </div>
      </dl>
      <p>
        Your change isn’t saved yet. These appointments would not fit. They stay where they are until you move them.
      </p>
      <HurtList hurt={hurt} />
      <form method="post">
        {fields.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button className="btn primary large wide">Keep the change</button>
      </form>
    </section>
  )
}

type FormProps = Route.ComponentProps['loaderData'] & { reply: CapacityReply | undefined }

function Closures({ closures, mayEdit, reply }: FormProps) {
  const mine = reply?.values['intent'] === 'close' ? reply : undefined
  return (
    <section className="portal-section">
      <h2>Holidays and blackout days</h2>
      {closures.length === 0 ? <p className="muted">No scheduled changes.</p> : null}
      <form method="post">
        <input type="hidden" name="intent" value="open" />
        <ul className="portal-days">
          {closures.map(({ on, words }) => (
            <li key={on}>
              <span>{words}</span>
              {mayEdit ? (
                <button className="btn" name="day" value={on} aria-label={`Remove ${words}`}>
                  Remove
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      </form>
      {mayEdit ? (
        <form method="post" className="portal-form" noValidate>
          <Field name="on" label="Day" reply={mine} type="date" autoComplete="off" />
          <Field
            name="reason"
            label="Reason"
            reply={mine}
            maxLength={60}
            autoComplete="off"
            hint="Shoppers see it, such as Thanksgiving."
          />
          <button className="btn large wide" name="intent" value="close">
            Close on this day
          </button>
        </form>
      ) : null}
    </section>
  )
}

function Change({ values, version, first, zone, reply }: FormProps & { zone: string }) {
  const mine = reply?.values['intent'] === 'version' ? reply : undefined
  return (
    <section className="portal-section">
      <h2>Schedule a change</h2>
      <p className="muted">Appointments that would not fit are shown before anything is saved.</p>
      <form method="post" className="portal-form" noValidate>
        <p className="muted">All times in {zone}.</p>
        <input type="hidden" name="basedOn" value={mine?.values['basedOn'] ?? version} />
        <CapacityFields reply={mine} values={values} first={first} />
        <button className="btn primary large wide" name="intent" value="version">
          Save the change
        </button>
      </form>
    </section>
  )
}
