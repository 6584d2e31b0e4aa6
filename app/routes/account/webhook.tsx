import { data } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { applicationContext } from '#app/server/context.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { serverPaths } from '#content/server-paths.ts'
import {
  changeWebhookEndpoint,
  listWebhookDeliveries,
  removeWebhookEndpoint,
  replayWebhooks,
  rotateWebhookSecret,
  showWebhookSecret,
  testWebhookEndpoint,
  type Delivery,
  type Endpoint,
} from '#domain/channels/webhooks/webhooks.server.ts'
import {
  deliveryStateWords,
  endpointChangeForm,
  mostAttempts,
  pauseWords,
  resultWords,
  secretOverlapHours,
  webhookRefusals,
} from '#domain/channels/webhooks/webhooks.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import { AccountPage } from './account-page.tsx'
import { EventChoice, typedEvents } from './webhook-parts.tsx'
import type { Route } from './+types/webhook.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageHead(matches, {
    title: 'Webhook',
    description: 'Endpoint details and recent deliveries.',
    path: serverPaths.accountWebhook(params.webhookId),
    isIndexed: false,
  })

const news: Readonly<Record<string, string>> = {
  added: 'Added. Show its secret, and give it to your system.',
  saved: 'Saved.',
  paused: 'Endpoint paused. New events won’t be delivered. You can redeliver them later.',
  resumed: 'Resumed. Dead letters can be sent again.',
  rotated: `Secret rotated. The previous secret stays valid for ${countOf(secretOverlapHours, 'hour')}.`,
  tested: 'A test event is on its way.',
  replayed: 'On its way again.',
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, serverPaths.accountWebhook(params.webhookId))
  const before = url.searchParams.get('before') ?? ''
  const place = /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null
  const found = await listWebhookDeliveries(app, signedIn, params.webhookId, place)
  if (!found) throw new Response(null, { status: 404 })
  const { endpoint, deliveries, next } = found
  return {
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    endpoint: endpointView(endpoint, app.clock.now()),
    deliveries: deliveries.map(deliveryView),
    hasDead: deliveries.some(({ state }) => state === 'dead'),
    older: next === null ? null : serverPaths.accountWebhook(params.webhookId, { before: next }),
  }
}

function endpointView({ url, types, pausedBecause, secretShownAt, rotatedAt }: Endpoint, now: Temporal.Instant) {
  const until = rotatedAt?.add({ hours: secretOverlapHours })
  return {
    url,
    types: types.join(' '),
    paused: pausedBecause && pauseWords[pausedBecause],
    isSecretShown: secretShownAt !== null,
    overlap: until && Temporal.Instant.compare(now, until) < 0 ? timeText(until, storeZone) : null,
  }
}

function deliveryView({ id, type, orderId, at, state, attempts, nextAt, ...result }: Delivery) {
  return {
    id,
    type,
    order: orderId === null ? null : orderNumber(orderId),
    at: timeText(at, storeZone),
    state: deliveryStateWords[state],
    isDead: state === 'dead',
    result: resultWords(result),
    attempts: `${attempts} of ${countOf(mostAttempts, 'attempt')}`,
    next: nextAt && attempts > 0 ? timeText(nextAt, storeZone) : null,
  }
}

type Act = { app: Application; signedIn: SignedIn; id: string; fields: URLSearchParams }

/** Each button of the page is an intent. `show` renders the page with the secret, which is never displayed again. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, serverPaths.accountWebhook(params.webhookId))
  const fields = typedEvents(await readForm(request))
  const intent = fields.get('intent')
  const act = { app, signedIn, id: params.webhookId, fields }
  if (intent === 'save') return save(act)
  if (intent === 'show') return show(act)
  const done = await perform(intent, act)
  if (done.ok)
    return seeOther(
      done.value === 'removed'
        ? serverPaths.accountWebhooks('removed')
        : serverPaths.accountWebhook(params.webhookId, { done: done.value }),
    )
  if (done.reason === 'not-known') throw new Response(null, { status: 404 })
  return refuseForm(formRefusal(fields, webhookRefusals[done.reason]), done.reason === 'too-many-tests' ? 429 : 409)
}

type Refusal = { ok: false; reason: 'not-known' | 'paused' | 'not-dead' | 'too-many-tests' }

async function perform(
  intent: string | null,
  { app, signedIn, id, fields }: Act,
): Promise<{ ok: true; value: string } | Refusal> {
  const done = (value: string, outcome: { ok: true } | { ok: false; reason: string }) =>
    outcome.ok ? { ok: true as const, value } : (outcome as Refusal)
  switch (intent) {
    case 'pause':
    case 'resume': {
      const isPaused = intent === 'pause'
      const changed = await changeWebhookEndpoint(app, signedIn, id, { isPaused })
      return done(isPaused ? 'paused' : 'resumed', changed)
    }
    case 'rotate':
      return done('rotated', await rotateWebhookSecret(app, signedIn, id))
    case 'test':
      return done('tested', await testWebhookEndpoint(app, signedIn, id))
    case 'remove':
      return done('removed', await removeWebhookEndpoint(app, signedIn, id))
    case 'replay':
    case 'replay-all': {
      const asked = fields.get('delivery') ?? ''
      const one = /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : 0
      const deliveryId = intent === 'replay-all' ? null : one
      return done('replayed', await replayWebhooks(app, signedIn, { endpointId: id, deliveryId }))
    }
    default:
      return { ok: false, reason: 'not-known' }
  }
}

async function save({ app, signedIn, id, fields }: Act) {
  const checked = checkForm(endpointChangeForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const changed = await changeWebhookEndpoint(app, signedIn, id, checked.value)
  if (changed.ok) return seeOther(serverPaths.accountWebhook(id, { done: 'saved' }))
  if (changed.reason === 'not-known') throw new Response(null, { status: 404 })
  return refuseForm(formRefusal(fields, 'Fix 1 field:', { url: webhookRefusals[changed.reason] }))
}

async function show({ app, signedIn, id, fields }: Act) {
  const shown = await showWebhookSecret(app, signedIn, id)
  if (!shown.ok && shown.reason === 'not-known') throw new Response(null, { status: 404 })
  if (!shown.ok) return refuseForm(formRefusal(fields, webhookRefusals[shown.reason]), 409)
  const reply: FormReply & { secret: string } = { values: { intent: 'show' }, errors: {}, secret: shown.value.secret }
  return data(reply)
}

export default function Webhook({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { news: done, endpoint, deliveries, hasDead, older } = loaderData
  const isSave = reply?.values['intent'] === 'save'
  const secret = reply && 'secret' in reply && typeof reply.secret === 'string' ? reply.secret : null
  return (
    <AccountPage title="Webhook" at="company">
      {done && !reply ? (
        <p className="notice" role="status">
          {done}
        </p>
      ) : null}
      {reply?.formError && !isSave ? <ErrorSummary reply={{ ...reply, errors: {} }} /> : null}
      <p>
        <a href={serverPaths.accountWebhooks()}>All webhooks</a>
      </p>
      <SecretPanel endpoint={endpoint} secret={secret} />
      <ChangeForm endpoint={endpoint} reply={isSave ? reply : undefined} />
      <Deliveries deliveries={deliveries} hasDead={hasDead} isPaused={endpoint.paused !== null} older={older} />
    </AccountPage>
  )
}

type View = Route.ComponentProps['loaderData']

function SecretPanel({ endpoint, secret }: { endpoint: View['endpoint']; secret: string | null }) {
  return (
    <section className="panel padded stack" aria-labelledby="secret">
      <h2 id="secret">Secret</h2>
      {secret ? (
        <>
          <p role="status">Copy it now. It is not shown again.</p>
          <p>
            <code className="webhook-secret">{secret}</code>
          </p>
        </>
      ) : (
        <p className="muted">
          {endpoint.isSecretShown
            ? 'It was shown. If you lost it, make a new one.'
            : 'Your system checks our signatures with it. It is shown once.'}
        </p>
      )}
      {endpoint.overlap ? (
        <p className="small muted">The previous secret also signs until {endpoint.overlap}.</p>
      ) : null}
      <form method="post" className="row wrap-row">
        {endpoint.isSecretShown || secret ? (
          <button className="btn" name="intent" value="rotate">
            Make a new secret
          </button>
        ) : (
          <button className="btn primary" name="intent" value="show">
            Show the secret
          </button>
        )}
      </form>
    </section>
  )
}

function ChangeForm({ endpoint, reply }: { endpoint: View['endpoint']; reply: FormReply | undefined }) {
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>Address and events</h2>
      {endpoint.paused ? <p className="strong">{endpoint.paused}</p> : null}
      <ErrorSummary reply={reply} labels={{ url: 'Address', types: 'Events' }} />
      <Field
        name="url"
        label="Address"
        reply={reply}
        value={endpoint.url}
        inputMode="url"
        autoComplete="off"
        maxLength={500}
        required
      />
      <EventChoice chosen={reply ? (reply.values['types'] ?? '') : endpoint.types} error={reply?.errors['types']} />
      <p className="row wrap-row">
        <button className="btn primary" name="intent" value="save">
          Save
        </button>
        {endpoint.paused ? (
          <button className="btn" name="intent" value="resume">
            Resume
          </button>
        ) : (
          <>
            <button className="btn" name="intent" value="test">
              Send a test event
            </button>
            <button className="btn" name="intent" value="pause">
              Pause
            </button>
          </>
        )}
        <button className="btn quiet" name="intent" value="remove">
          Remove
        </button>
      </p>
    </form>
  )
}

function Deliveries({
  deliveries,
  hasDead,
  isPaused,
  older,
}: Pick<View, 'deliveries' | 'hasDead' | 'older'> & { isPaused: boolean }) {
  return (
    <section className="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">Last deliveries</h2>
      {deliveries.length === 0 ? <p className="muted">No deliveries yet.</p> : null}
      {hasDead && !isPaused ? (
        <form method="post">
          <button className="btn" name="intent" value="replay-all">
            Send all dead letters again
          </button>
        </form>
      ) : null}
      <ul className="account-list">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="panel padded company-member">
            <p>
              <b>{delivery.type}</b>
              {delivery.order ? `, ${delivery.order}` : ''}
              <span className="small muted">{delivery.at}</span>
            </p>
            <p>
              {delivery.state}: {delivery.result}
              <span className="small muted">
                {delivery.attempts}
                {delivery.next ? `, next ${delivery.next}` : ''}
              </span>
            </p>
            {delivery.isDead && !isPaused ? (
              <form method="post">
                <input type="hidden" name="delivery" value={delivery.id} />
                <button
                  className="btn quiet"
                  name="intent"
                  value="replay"
                  aria-label={`Send ${delivery.type} of ${delivery.order ?? 'the test'} again`}
                >
                  Send again
                </button>
              </form>
            ) : null}
          </li>
        ))}
      </ul>
      {older ? (
        <p>
          <a className="btn" href={older}>
            Older deliveries
          </a>
        </p>
      ) : null}
    </section>
  )
}
