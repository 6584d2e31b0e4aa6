import { data } from 'react-router'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { manyApplicationsMessages, codeNotFoundMessage, otherTermsMessages } from '#content/messages/programs.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Honeypot } from '#app/ui/honeypot.tsx'
import { mostOrigins, partnerForm } from '#domain/customers/programs/programs.ts'
import { applyAsPartner, changeOrigins, joinPartner, partnerDays } from '#domain/customers/programs/programs.server.ts'
import { findGrant } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import { PartnerWidget } from './partner-widget.tsx'
import { readPartnerWidget } from './partner-widget.server.ts'
import type { Route } from './+types/partner-program.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Partner program',
    description:
      'A special price for the people in your business or club. Ask to join, or enter the code you were given.',
    path: paths.partnerProgram(),
  })

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const signedIn = await context.get(signedInContext)()
  const shared = { hasAccounts: app.identity !== null, phone: app.config.store.phone, days: partnerDays }
  if (!signedIn)
    return data(
      { ...shared, isSignedIn: false, partner: null, widget: null, news: null },
      { headers: { 'Cache-Control': 'public, s-maxage=600' } },
    )
  const grant = await findGrant(app.db, signedIn.accountId, app.clock.now())
  const partner =
    grant?.type === 'Partner Program' ? { name: grant.by, until: grant.until && storeDateText(grant.until) } : null
  const widget = await readPartnerWidget(app, signedIn)
  return data({ ...shared, isSignedIn: true, partner, widget, news: url.searchParams.get('news') })
}

/** `join` with a partner's code; `apply` for a business that wants to become one. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const fields = await readForm(request)
  if (fields.get('intent') === 'join') {
    const { accountId } = await requireSignedIn(context, paths.partnerProgram())
    const joined = await joinPartner(app, { accountId, code: fields.get('code') ?? '' })
    if (joined.ok) return seeOther(paths.partnerProgram('joined'))
    if (joined.reason === 'code-not-found')
      return refuseForm({ values: Object.fromEntries(fields), errors: { code: codeNotFoundMessage } })
    return refuseForm(formRefusal(fields, otherTermsMessages(app.config.store.phone)), 409)
  }
  if (fields.get('intent') === 'origins') {
    const signedIn = await requireSignedIn(context, paths.partnerProgram())
    const changed = await changeOrigins(app, signedIn, fields.get('origins') ?? '')
    if (changed.ok) return seeOther(paths.partnerProgram('saved'))
    if (changed.reason === 'no-widget') throw new Response(null, { status: 404 })
    return refuseForm({ values: Object.fromEntries(fields), errors: { origins: originsMessage(changed.detail.line) } })
  }
  // The honeypot field.
  if ((fields.get('website') ?? '') !== '') return seeOther(paths.partnerThanks())
  const checked = checkForm(partnerForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const applied = await applyAsPartner(app, { ...checked.value, networkKey: context.get(visitorContext).networkKey })
  if (!applied.ok) return refuseForm(formRefusal(fields, manyApplicationsMessages), 429)
  return seeOther(paths.partnerThanks())
}

function originsMessage(line: string | null): string {
  return line === null
    ? `Enter from 1 to ${countOf(mostOrigins, 'site')}, one on each line.`
    : `“${line}” is not a site. Enter it like https://www.example.com.`
}

export default function PartnerProgram({
  loaderData: { hasAccounts, isSignedIn, partner, widget, news, phone, days },
  actionData,
}: Route.ComponentProps) {
  const intent = actionData?.values['intent']
  const isCode = intent === 'join'
  const isOrigins = intent === 'origins'
  return (
    <div className="wrap program-page">
      <header className="program-head">
        <h1>Partner program</h1>
        <p className="lead">
          A special price for the people in your business, club or union: the partner price, on every tire that has one.
        </p>
      </header>
      <div className="program-columns">
        <div className="stack">
          {widget ? (
            <PartnerWidget widget={widget} reply={isOrigins ? actionData : undefined} isSaved={news === 'saved'} />
          ) : null}
          <section className="panel padded stack" aria-labelledby="code">
            {partner ? (
              <PartnerPrice partner={partner} isNew={news === 'joined'} />
            ) : (
              <>
                <h2 id="code">You have a code</h2>
                {isSignedIn ? (
                  <CodeForm reply={isCode ? actionData : undefined} />
                ) : (
                  <SignInFirst hasAccounts={hasAccounts} phone={phone} />
                )}
              </>
            )}
          </section>
          <ul className="program-rules small">
            <li>When you’re signed in, you see partner prices everywhere, from the first list to the receipt.</li>
            <li>It holds for {countOf(days, 'day')}; then enter the code again.</li>
            <li>It replaces deals. Installation, coverage and delivery are the same as for everyone.</li>
            <li>
              Writers and channels who send readers: <a href={paths.written('affiliates')}>affiliate program</a>. A
              friend: <a href={paths.invite()}>your link</a>.
            </li>
          </ul>
        </div>
        {widget ? null : <ApplicationPanel reply={isCode || isOrigins ? undefined : actionData} />}
      </div>
    </div>
  )
}

type View = Route.ComponentProps['loaderData']

function PartnerPrice({ partner, isNew }: { partner: NonNullable<View['partner']>; isNew: boolean }) {
  return (
    <>
      <h2 id="code">You buy at the partner price</h2>
      {isNew ? <p role="status">Your code is good.</p> : null}
      <p>
        Granted by {partner.name}
        {partner.until ? `, until ${partner.until}. Enter the code again then.` : '.'}
      </p>
      <p>
        <a className="btn primary" href={paths.find()}>
          Find your tires
        </a>
      </p>
    </>
  )
}

function CodeForm({ reply }: { reply: FormReply | undefined }) {
  return (
    <form method="post" className="stack" noValidate>
      <input type="hidden" name="intent" value="join" />
      <ErrorSummary reply={reply} labels={{ code: 'Partner code' }} />
      <Field
        name="code"
        label="Partner code"
        reply={reply}
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={20}
        required
      />
      <p>
        <button className="btn primary">Use this code</button>
      </p>
    </form>
  )
}

function SignInFirst({ hasAccounts, phone }: Pick<View, 'hasAccounts' | 'phone'>) {
  if (!hasAccounts) return <p>This store has no accounts. Call {phone}.</p>
  return (
    <>
      <p>The price belongs to an account. Sign in, then enter the code.</p>
      <form method="post" action={paths.signIn(paths.partnerProgram())}>
        <button className="btn primary">Sign in</button>
      </form>
    </>
  )
}

function ApplicationPanel({ reply }: { reply: FormReply | undefined }) {
  return (
    <section className="panel padded stack" aria-labelledby="apply">
      <h2 id="apply">Become a partner</h2>
      <p>Joining is free. We review every application and answer by email within two business days.</p>
      <form method="post" className="stack" noValidate>
        <input type="hidden" name="intent" value="apply" />
        <ErrorSummary reply={reply} labels={labels} />
        <Field
          name="business"
          label="Business or club"
          reply={reply}
          autoComplete="organization"
          maxLength={100}
          required
        />
        <div className="field-pair">
          <Field name="name" label="Your name" reply={reply} autoComplete="name" maxLength={50} required />
          <Field
            name="people"
            label="About how many people"
            reply={reply}
            inputMode="numeric"
            autoComplete="off"
            required
          />
        </div>
        <div className="field-pair">
          <Field name="email" label="Email" reply={reply} type="email" autoComplete="email" maxLength={254} required />
          <Field name="phone" label="Phone" reply={reply} type="tel" autoComplete="tel" maxLength={40} required />
        </div>
        <Field
          name="site"
          label="Your site, for our widget with a share of each order"
          reply={reply}
          inputMode="url"
          autoComplete="url"
          maxLength={400}
        />
        <TextAreaField
          name="message"
          label="What should we know?"
          reply={reply}
          rows={3}
          maxLength={2_000}
          isRequired={false}
        />
        <Honeypot />
        <p>
          <button className="btn primary large">Send application</button>
        </p>
      </form>
    </section>
  )
}

const labels = {
  business: 'Business or club',
  name: 'Your name',
  people: 'How many people',
  email: 'Email',
  phone: 'Phone',
  site: 'Your site',
  message: 'What should we know',
}
