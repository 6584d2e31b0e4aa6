import { isRouteErrorResponse } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { officeRequest } from '#app/server/office.server.ts'
import { openDoor, pathWithin } from '#app/server/work-door.server.ts'
import { officePaths, type OfficeProblem } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { findOfficeSession } from '#domain/kernel/staff/staff.server.ts'
import { verificationUnstated } from '#content/messages/sign-in.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { WorkSignIn } from '#app/ui/work-sign-in.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { SentFault } from '#app/ui/sent-fault.tsx'
import styles from '#app/ui/styles/office.css?url'
import type { Route } from './+types/office-sign-in.ts'

export const handle = { script: false, chrome: false }
export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]
export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Sign in', officePaths.officeSignIn())

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const back = backOf(url.searchParams.get('back'))
  const isAgain = url.searchParams.get('again') === 'yes'
  const session = await findOfficeSession(app, context.get(visitorContext).officeSession)
  if (session && !isAgain) throw seeOther(back)
  const asked = url.searchParams.get('problem')
  const problem: OfficeProblem | null = isProblem(asked) ? asked : null
  return {
    back,
    isAgain: isAgain && session !== undefined,
    problem,
    isOffered: app.identity !== null,
  }
}

/** Redirects to the provider; with `again`, staff who are already signed in authenticate there again. */
export function action({ request, context }: Route.ActionArgs) {
  return openDoor(context, request, { backOf, work: officeRequest })
}

const backOf = (asked: string | null) => pathWithin(asked, officePaths.office())

export default function OfficeSignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { back, isAgain, problem, isOffered } = loaderData
  return (
    <WorkSignIn
      title={isAgain ? 'Confirm it’s you' : 'Back office'}
      words={
        isAgain
          ? 'The next step requires your password again. Then submit the form again.'
          : 'For staff. Shopping accounts cannot sign in here.'
      }
      reason={isOffered ? actionData?.reason : 'not-offered'}
      problem={problem ? notOpened[problem] : undefined}
      place="the back office"
      back={back}
      button={isAgain ? 'Continue' : 'Continue to sign in'}
      isAgain={isAgain}
      out={
        isAgain
          ? { label: 'Back to Home', path: officePaths.office() }
          : { label: 'Go to the store', path: paths.home() }
      }
    />
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SentFault status={isRouteErrorResponse(error) ? error.status : undefined} />
}

const isProblem = (asked: string | null): asked is OfficeProblem => asked !== null && Object.hasOwn(notOpened, asked)

const notOpened: Record<OfficeProblem, string> = {
  'no-grant': 'Your sign-in worked, but you have no role here. Ask an owner to invite your email.',
  unverified: 'Your email is not verified yet. Open the link in the verification email, then sign in again.',
  'verification-unstated': verificationUnstated,
}
