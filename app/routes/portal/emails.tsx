import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { visitorContext } from '#app/server/context.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { ConsentWords } from '#app/ui/consent-words.tsx'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { ShopTabs } from '#app/ui/portal/shop-tabs.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { textMessages } from '#content/messages/texts.ts'
import { portalPaths } from '#content/portal-paths.ts'
import {
  isSummaryOfNextDay,
  shopEvents,
  type ShopChannel,
  type ShopEvent,
} from '#domain/scheduling/installers/installers.ts'
import {
  clearTextPhone,
  readNotifications,
  saveNotifications,
  saveTextPhone,
} from '#domain/installer-portal/portal/portal.server.ts'
import { notificationsForm, textPhoneForm } from '#domain/installer-portal/portal/portal.ts'
import { teamConsentWords } from '#domain/messaging/texts/texts.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { phoneText } from '#platform/phone-text.ts'
import { minuteText, zoneName } from '#platform/time-text.ts'
import type { Route } from './+types/emails.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Notifications', portalPaths.portal())

const labels: Record<ShopEvent, string> = {
  booked: 'New appointment',
  changed: 'Moved appointment',
  canceled: 'Canceled appointment',
  late: 'Customer late or not coming',
}
const channels = { email: 'Email', text: 'Text' } as const

const fieldOf = (event: ShopEvent, channel: ShopChannel) => `${event}-${channel}`

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const { app, place } = await requireShop(context, 'emails.edit', { shopCode, path: portalPaths.emails(shopCode) })
  const { email, choices, summaryHour, phone } = await readNotifications(app, place.memberId)
  return {
    email,
    rows: shopEvents.map((event) => ({
      event,
      email: choices.some((each) => each.event === event && each.channel === 'email' && each.isWanted),
      text: choices.some((each) => each.event === event && each.channel === 'text' && each.isWanted),
    })),
    summaryHour,
    zone: zoneName(app.clock.now(), place.timeZone),
    // Hides the choice if no text message provider is configured.
    texts: app.texts
      ? {
          words: teamConsentWords(app.config.store.name),
          phone: phone && { number: phoneText(phone.number.slice(2)), state: phone.state },
        }
      : null,
    isSaved: url.searchParams.get('done') === 'saved',
  }
}

/** `save` stores every choice, `phone` requests a phone's consent to text messages, and `no-phone` ends them. */
export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor } = await requireShop(context, 'emails.edit', { shopCode, path: portalPaths.emails(shopCode) })
  const fields = await readForm(request)
  const done = () => seeOther(portalPaths.emails(shopCode, 'saved'))
  const gone = () => refuseForm(formRefusal(fields, 'You no longer have permission to do this.'), 403)
  switch (fields.get('intent')) {
    case 'save': {
      const checked = checkForm(notificationsForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const channelsHere: readonly ShopChannel[] = app.texts ? ['email', 'text'] : ['email']
      const choices = shopEvents.flatMap((event) =>
        channelsHere.map((channel) => ({ event, channel, isWanted: fields.has(fieldOf(event, channel)) })),
      )
      const saved = await saveNotifications(app, actor, { choices, summaryHour: checked.value.summary })
      return saved.ok ? done() : gone()
    }
    case 'phone': {
      if (!app.texts) throw new Response(null, { status: 404 })
      const checked = checkForm(textPhoneForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const { networkKey } = context.get(visitorContext)
      const words = teamConsentWords(app.config.store.name)
      const asked = await saveTextPhone(app, actor, { phone: checked.value.phone, words, networkKey })
      if (asked.ok) return done()
      if (asked.reason === 'not-allowed') return gone()
      if (asked.reason === 'too-many') return refuseForm(formRefusal(fields, textMessages['too-many']), 429)
      const status = asked.reason === 'stopped' ? 409 : 422
      return refuseForm(formRefusal(fields, 'Fix 1 field:', { phone: textMessages[asked.reason] }), status)
    }
    case 'no-phone': {
      const cleared = await clearTextPhone(app, actor)
      return cleared.ok ? done() : gone()
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

export default function Notifications({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { email, rows, summaryHour, zone, texts, isSaved } = loaderData
  const own = reply?.values['intent'] === 'save' ? reply : undefined
  const phoneReply = reply?.values['intent'] === 'phone' ? reply : undefined
  const shown: readonly ShopChannel[] = texts ? ['email', 'text'] : ['email']
  return (
    <div className="wrap portal narrow">
      <ShopTabs at="emails" />
      <h1>Notifications</h1>
      {isSaved && !reply ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> Saved.
        </p>
      ) : null}
      {reply && !phoneReply ? <ErrorSummary reply={reply} labels={{ summary: 'Daily summary' }} /> : null}
      <p className="muted">
        Your own notifications about this shop. Emails go to {email}; those about appointments have a calendar file.
        Changes that you make yourself aren’t sent to you.
      </p>
      <form method="post" className="portal-form" noValidate>
        <table className="portal-choices">
          <thead>
            <tr>
              <th scope="col">Event</th>
              {shown.map((channel) => (
                <th key={channel} scope="col">
                  {channels[channel]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.event}>
                <th scope="row">{labels[row.event]}</th>
                {shown.map((channel) => (
                  <td key={channel}>
                    <label>
                      <input
                        type="checkbox"
                        name={fieldOf(row.event, channel)}
                        aria-label={`${labels[row.event]}: ${channels[channel]}`}
                        defaultChecked={own ? fieldOf(row.event, channel) in own.values : row[channel]}
                      />
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <SummaryField reply={own} hour={summaryHour} zone={zone} />
        <button className="btn primary large wide" name="intent" value="save">
          Save
        </button>
      </form>
      {texts ? <TextPhone {...texts} reply={phoneReply} /> : null}
    </div>
  )
}

function SummaryField({ reply, hour, zone }: { reply: FormReply | undefined; hour: number | null; zone: string }) {
  return (
    <SelectField
      name="summary"
      label="Daily summary by email"
      reply={reply}
      value={hour === null ? 'off' : `${hour}`}
      hint="At this hour in your shop’s time zone. We don’t send an email for days without appointments."
    >
      <option value="off">Off</option>
      {Array.from({ length: 24 }, (_, at) => (
        <option key={at} value={at}>
          {`${minuteText(at * 60)} ${zone}, ${isSummaryOfNextDay(at) ? 'the next day’s appointments' : 'today’s appointments'}`}
        </option>
      ))}
    </SelectField>
  )
}

const stateWords = {
  asked: 'We sent a text to this phone. Reply YES to it to turn texts on.',
  confirmed: 'The texts you chose above go to this phone. Reply STOP from the phone to stop all of our texts.',
  stopped: textMessages.stopped,
} as const

function TextPhone({
  words,
  phone,
  reply,
}: {
  words: string
  phone: { number: string; state: keyof typeof stateWords } | null
  reply: FormReply | undefined
}) {
  return (
    <section className="portal-section" aria-labelledby="texts">
      <h2 id="texts">Text messages</h2>
      {phone ? (
        <form method="post" className="portal-form">
          <p>
            <b>{phone.number}</b>
            <br />
            {stateWords[phone.state]}
          </p>
          <button className="btn" name="intent" value="no-phone">
            Stop texts to this phone
          </button>
        </form>
      ) : null}
      <ErrorSummary reply={reply} labels={{ phone: 'Mobile phone', agreed: 'Agreement' }} />
      <form method="post" className="portal-form" noValidate>
        <Field
          name="phone"
          label={phone ? 'Another mobile phone' : 'Mobile phone'}
          reply={reply}
          type="tel"
          autoComplete="tel"
          maxLength={40}
        />
        <label className="check" htmlFor="agreed">
          <input
            type="checkbox"
            id="agreed"
            name="agreed"
            value="1"
            defaultChecked={reply?.values['agreed'] === '1'}
            aria-invalid={reply?.errors['agreed'] ? true : undefined}
            aria-describedby={reply?.errors['agreed'] ? 'agreed-error' : undefined}
          />
          <ConsentWords words={words} />
        </label>
        {reply?.errors['agreed'] ? (
          <p className="field-error" id="agreed-error">
            {reply.errors['agreed']}
          </p>
        ) : null}
        <button className="btn" name="intent" value="phone">
          Text this phone
        </button>
      </form>
    </section>
  )
}
