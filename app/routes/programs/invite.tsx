import { data } from 'react-router'
import { applicationContext, signedInContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { ownAddressMessages } from '#content/messages/programs.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths, withQuery } from '#content/paths.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { inviteForm, invitesADay, referralLinkDays } from '#domain/customers/programs/programs.ts'
import { inviteFriends, referralCodeOf } from '#domain/customers/programs/programs.server.ts'
import { cookiesFor } from '#http/visitor.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'
import type { Route } from './+types/invite.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageHead(matches, {
    title: 'Refer a friend',
    description: `${loaderData?.today ?? ''} off for your friend, ${loaderData?.reward ?? ''} of credit for you. Send your link by email or any way you like.`,
    path: paths.invite(),
  })

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const signedIn = await context.get(signedInContext)()
  const today = formatRate(app.businessTerms.current['friend-ppm'])
  const returnWindow = countOf(app.businessTerms.current['return-days'], 'day')
  const reward = formatCents(app.businessTerms.current['referrer-reward-cents']).replace(/\.00$/, '')
  if (!signedIn)
    return data(
      { today, returnWindow, reward, link: null, sent: null, hasAccounts: app.identity !== null },
      { headers: { 'Cache-Control': 'public, s-maxage=600' } },
    )
  const code = await referralCodeOf(app, signedIn.accountId)
  const sent = /^\d{1,2}$/.exec(url.searchParams.get('sent') ?? '')?.[0]
  return data(
    {
      today,
      returnWindow,
      reward,
      link: app.config.web.origin + paths.invite(code),
      sent: sent === undefined ? null : Number(sent),
      hasAccounts: true,
    },
    { headers: { 'Set-Cookie': cookiesFor(app.config).ownReferral(code) } },
  )
}

/** Sends the link to the addresses entered. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const signedIn = await context.get(signedInContext)()
  if (!signedIn) return seeOther(paths.signIn(paths.invite()))
  const fields = await readForm(request)
  const checked = checkForm(inviteForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  await referralCodeOf(app, signedIn.accountId)
  const invited = await inviteFriends(app, { accountId: signedIn.accountId, emails: checked.value.emails })
  if (!invited.ok && invited.reason === 'own-address')
    return refuseForm({ values: Object.fromEntries(fields), errors: { emails: ownAddressMessages } })
  if (!invited.ok)
    return refuseForm(
      formRefusal(
        fields,
        `You can send ${countOf(invitesADay, 'email')} a day. Send the rest tomorrow, or share the link yourself.`,
      ),
      429,
    )
  return seeOther(withQuery(paths.invite(), { sent: invited.value.sent }))
}

export default function Invite({
  loaderData: { today, returnWindow, reward, link, sent, hasAccounts },
  actionData,
}: Route.ComponentProps) {
  return (
    <div className="wrap program-page">
      <header className="program-head">
        <h1>Refer a friend, and you both save.</h1>
        <p className="lead">
          Your friend gets <b>{today}</b> off a first order. You get <b>{reward}</b> of credit when they keep the tires.
        </p>
      </header>
      <div className="program-columns">
        {link === null ? (
          <SignInPanel hasAccounts={hasAccounts} />
        ) : (
          <div className="stack">
            <LinkPanel link={link} />
            <MailForm sent={sent} reply={actionData} />
            <p>
              <a href={paths.advocateDashboard()}>See who came and what you earned</a>
            </p>
          </div>
        )}
        <HowItWorks returnWindow={returnWindow} reward={reward} />
      </div>
    </div>
  )
}

/** Replaces the link for guests. */
function SignInPanel({ hasAccounts }: { hasAccounts: boolean }) {
  return (
    <section className="panel padded stack" aria-labelledby="start">
      <h2 id="start">Your link</h2>
      {hasAccounts ? (
        <>
          <p>Your credit is kept in an account. Sign in, and your link is here.</p>
          <form method="post" action={paths.signIn(paths.invite())} className="row wrap-row">
            <button className="btn primary large">Sign in</button>
            <button className="btn large" formAction={paths.register(paths.invite())}>
              Create an account
            </button>
          </form>
        </>
      ) : (
        <p>This store has no accounts, and so no credit to earn.</p>
      )}
    </section>
  )
}

/** Renders the referral link to copy or to send by email or message. */
function LinkPanel({ link }: { link: string }) {
  const words = `I buy my tires here. With this link your first order is cheaper: ${link}`
  return (
    <section className="panel padded stack share" aria-labelledby="link">
      <h2 id="link">Your link</h2>
      <label className="field">
        Share it as it is
        <input className="input" readOnly value={link} />
      </label>
      <p className="row wrap-row">
        <button className="btn primary with-script" type="button" data-interaction="copy">
          Copy link
        </button>
        <a
          className="btn"
          href={`mailto:?subject=${encodeURIComponent('Tires, cheaper for you')}&body=${encodeURIComponent(words)}`}
        >
          Write my own email
        </a>
        <a className="btn" href={`sms:?&body=${encodeURIComponent(words)}`}>
          Send a message
        </a>
      </p>
      <p className="small" role="status" />
    </section>
  )
}

/** Addresses that we email; `sent` is how many emails were just sent. */
function MailForm({ sent, reply }: { sent: number | null; reply: FormReply | undefined }) {
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>Let us send the email</h2>
      {sent === null ? null : <p role="status">{sentWords(sent)}</p>}
      <ErrorSummary reply={reply} labels={{ emails: 'Your friends’ emails' }} />
      <TextAreaField
        name="emails"
        label="Your friends’ emails"
        reply={reply}
        rows={3}
        maxLength={2_000}
        hint={`One per line, up to ${invitesADay} a day. Each gets one email with your name and link, and no other.`}
      />
      <p>
        <button className="btn primary large">Send the emails</button>
      </p>
    </form>
  )
}

function HowItWorks({ returnWindow, reward }: { returnWindow: string; reward: string }) {
  return (
    <section className="stack" aria-labelledby="how">
      <h2 id="how">How it works</h2>
      <ol className="program-steps">
        <li>
          <span>
            <b>You send your link.</b> By email, in a message, any way you like.
          </span>
        </li>
        <li>
          <span>
            <b>Your friend shops with it.</b> The discount on the day they open it is good for{' '}
            {countOf(referralLinkDays, 'day')}, on tires not already on a deal. It is in the price before they pay.
          </span>
        </li>
        <li>
          <span>
            <b>You get {reward}.</b> When the {returnWindow} for returns are over, it is credited to your account.
          </span>
        </li>
      </ol>
      <ul className="program-rules small">
        <li>For a friend's first order, once per household, and not for your own.</li>
        <li>
          It does not combine with another discount program. The cart applies the one that saves your friend more.
        </li>
        <li>
          <a href={paths.written('referral-rewards')}>All the rules</a>
        </li>
      </ul>
    </section>
  )
}

function sentWords(sent: number): string {
  if (sent === 0) return 'We didn’t email them because you already invited them or they unsubscribed.'
  return pluralForm(sent, 'One email is on its way.', `${sent} emails are on their way.`)
}
