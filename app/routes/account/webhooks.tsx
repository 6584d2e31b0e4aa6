import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { applicationContext } from '#app/server/context.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { addWebhookEndpoint, listWebhookEndpoints, webhookOwnersOf } from '#domain/channels/webhooks/webhooks.server.ts'
import { endpointForm, mostEndpoints, pauseWords, webhookRefusals } from '#domain/channels/webhooks/webhooks.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import { AccountPage } from './account-page.tsx'
import { EventChoice, noTypes, typedEvents } from './webhook-parts.tsx'
import type { Route } from './+types/webhooks.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Webhooks',
    description: 'Send order events to your own systems.',
    path: serverPaths.accountWebhooks(),
    isIndexed: false,
  })

const news: Readonly<Record<string, string>> = { removed: 'Endpoint removed. We no longer send events to it.' }

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, serverPaths.accountWebhooks())
  const owners = await webhookOwnersOf(app, signedIn)
  const endpoints = (await listWebhookEndpoints(app, signedIn)) ?? []
  return {
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    owners: owners.map(({ kind, name }) => ({
      kind,
      words: kind === 'company' ? `${name}, your company` : `${name}, your widget`,
    })),
    endpoints: endpoints.map(({ id, url: address, types, pausedBecause, failingSince, owner }) => ({
      href: serverPaths.accountWebhook(id),
      url: address,
      about: `${owner.kind === 'company' ? 'Company' : 'Partner'}, ${countOf(types.length, 'event')}`,
      state: pausedBecause ? pauseWords[pausedBecause] : failingSince ? 'Failing' : 'Active',
    })),
  }
}

/** Adds an endpoint and redirects to it. That page shows the secret. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, serverPaths.accountWebhooks())
  const fields = typedEvents(await readForm(request))
  const checked = checkForm(endpointForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const added = await addWebhookEndpoint(app, signedIn, checked.value)
  if (added.ok) return seeOther(serverPaths.accountWebhook(added.value.id, { done: 'added' }))
  const words = webhookRefusals[added.reason]
  if (added.reason === 'not-allowed') return refuseForm(formRefusal(fields, words), 403)
  if (added.reason === 'too-many') return refuseForm(formRefusal(fields, words), 409)
  return refuseForm(formRefusal(fields, 'Fix 1 field:', { url: words }))
}

export default function Webhooks({
  loaderData: { news: done, owners, endpoints },
  actionData: reply,
}: Route.ComponentProps) {
  return (
    <AccountPage title="Webhooks" at="company">
      {done && !reply ? (
        <p className="notice" role="status">
          {done}
        </p>
      ) : null}
      <p>
        We send a request to your URL when something happens to your orders, signed as{' '}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a>. <a href={paths.apiDocs()}>Our API</a> shows
        what is sent.
      </p>
      {endpoints.length > 0 ? (
        <ul className="account-list">
          {endpoints.map(({ href, url, about, state }) => (
            <li key={href} className="panel padded company-member">
              <p className="webhook-address">
                <a href={href}>{url}</a>
                <span className="small muted">{about}</span>
              </p>
              <p>{state}</p>
            </li>
          ))}
        </ul>
      ) : null}
      {owners.length === 0 ? (
        <p className="muted">
          {webhookRefusals['not-allowed']} See <a href={paths.company()}>your company</a> and the{' '}
          <a href={paths.partnerProgram()}>partner program</a>.
        </p>
      ) : (
        <EndpointForm owners={owners} reply={reply} />
      )}
    </AccountPage>
  )
}

function EndpointForm({
  owners,
  reply,
}: Pick<Route.ComponentProps['loaderData'], 'owners'> & { reply: FormReply | undefined }) {
  const [only] = owners
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>Add a webhook</h2>
      <ErrorSummary reply={reply} labels={{ url: 'Address', owner: 'Orders of', types: 'Events' }} />
      {owners.length > 1 ? (
        <SelectField name="owner" label="Orders of" reply={reply} value="company">
          {owners.map(({ kind, words }) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </SelectField>
      ) : (
        <input type="hidden" name="owner" value={only?.kind ?? ''} />
      )}
      <Field
        name="url"
        label="Address"
        reply={reply}
        inputMode="url"
        autoComplete="off"
        maxLength={500}
        required
        hint="On the internet, and https."
      />
      <EventChoice chosen={reply ? (reply.values['types'] ?? '') : noTypes} error={reply?.errors['types']} />
      <p className="row wrap-row">
        <button className="btn primary">Add webhook</button>
        <span className="small muted">Up to {mostEndpoints}.</span>
      </p>
    </form>
  )
}
