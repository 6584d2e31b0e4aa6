import { keepChoice, optsOut, readChoice } from '#http/consent.ts'
import { applicationContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { stateOptions } from '#app/ui/states.ts'
import type { Route } from './+types/privacy-choices.ts'

/** The privacy choices for analytics, as text and a form without JavaScript. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your privacy choices',
    description: 'Choose whether this store can measure your visits, and see your browser’s privacy signal.',
    path: paths.privacyChoices(),
  })

export function loader({ context, request }: Route.LoaderArgs) {
  const { analytics } = context.get(applicationContext).config
  return {
    measures: analytics && {
      to: new URL(analytics.tagUrl).host,
      asks: typeof analytics.ask === 'string' ? analytics.ask : analytics.ask.map(stateName).join(', '),
    },
    isOptedOut: optsOut(request.headers.get('sec-gpc')),
    choice: readChoice(request.headers.get('cookie')) ?? null,
  }
}

export async function action({ context, request }: Route.ActionArgs) {
  const { origin } = context.get(applicationContext).config.web
  const choice = (await readForm(request)).get('measure') === 'yes' ? 'yes' : 'no'
  return seeOther(paths.privacyChoices(), [['set-cookie', keepChoice(choice, origin.startsWith('https:'))]])
}

export default function PrivacyChoices({ loaderData: { measures, isOptedOut, choice } }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page stack">
      <h1>Your privacy choices</h1>
      <p>
        We do not sell personal data and do not share it for advertising. What we keep and why is in the{' '}
        <a href={paths.written('privacy-policy')}>privacy policy</a>.
      </p>
      <h2>Your browser</h2>
      {isOptedOut ? (
        <p className="notice">
          <b>Global Privacy Control honored.</b> Your browser asks not to be tracked, sold or shared. No page of this
          store measures you, whatever you choose below.
        </p>
      ) : (
        <p>
          Your browser does not send Global Privacy Control. If it did, no page of this store would measure you, and the
          bottom of every page would say so.
        </p>
      )}
      <h2>Measuring visits</h2>
      {measures ? (
        <Measuring {...measures} isOptedOut={isOptedOut} choice={choice} />
      ) : (
        <p>This store doesn’t measure visits, so there are no settings to change.</p>
      )}
    </div>
  )
}

type MeasuringProps = { to: string; asks: string; isOptedOut: boolean; choice: 'yes' | 'no' | null }

function Measuring({ to, asks, isOptedOut, choice }: MeasuringProps) {
  return (
    <>
      <p>
        Which tires are viewed, added to a cart and ordered, with prices, is counted by {to}. Your name, address, email,
        phone and card are not among it.
        {asks === 'nowhere'
          ? ''
          : asks === 'everywhere'
            ? ' Nothing is counted before you say yes.'
            : ` In ${asks}, and where we do not know your ZIP, nothing is counted before you say yes.`}
      </p>
      <p role="status">{wordsOf(isOptedOut, choice)}</p>
      <form method="post" className="row">
        <button className="btn quiet" name="measure" value="no" aria-pressed={choice === 'no'}>
          Do not measure my visits
        </button>
        <button className="btn quiet" name="measure" value="yes" aria-pressed={choice === 'yes'}>
          Measure my visits
        </button>
      </form>
    </>
  )
}

function wordsOf(isOptedOut: boolean, choice: 'yes' | 'no' | null): string {
  if (isOptedOut) return 'We don’t measure your visits because your browser sends a privacy signal.'
  if (choice === 'no') return 'You opted out. We don’t measure your visits.'
  return choice === 'yes' ? 'You said yes. You can change that at any time.' : 'You have not chosen yet.'
}

function stateName(code: string): string {
  return stateOptions.find(([known]) => known === code)?.[1] ?? code
}
