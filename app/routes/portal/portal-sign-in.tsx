import { isRouteErrorResponse } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { portalRequest } from '#app/server/portal.server.ts'
import { openDoor, pathWithin } from '#app/server/work-door.server.ts'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { SentFault } from '#app/ui/sent-fault.tsx'
import { WorkSignIn } from '#app/ui/work-sign-in.tsx'
import { portalPaths, type PortalProblem } from '#content/portal-paths.ts'
import { findPortalSession } from '#domain/installer-portal/portal/portal.server.ts'
import { verificationUnstated } from '#content/messages/sign-in.ts'
import { seeOther } from '#http/safe-redirect.ts'
import styles from '#app/ui/styles/portal.css?url'
import type { Route } from './+types/portal-sign-in.ts'

export const handle = { script: false, chrome: false }
export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]
export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Sign in', portalPaths.signIn())

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const back = backOf(url.searchParams.get('back'))
  const isAgain = url.searchParams.get('again') === 'yes'
  const session = await findPortalSession(app, context.get(visitorContext).portalSession)
  if (session && !isAgain) throw seeOther(back)
  const asked = url.searchParams.get('problem')
  const problem: PortalProblem | null = isProblem(asked) ? asked : null
  return { back, problem, isAgain: isAgain && session !== undefined, isOffered: app.identity !== null }
}

export function action({ request, context }: Route.ActionArgs) {
  return openDoor(context, request, { backOf, work: portalRequest })
}

const backOf = (asked: string | null) => pathWithin(asked, portalPaths.portal())

export default function PortalSignIn({
  loaderData: { back, problem, isAgain, isOffered },
  actionData,
}: Route.ComponentProps) {
  return (
    <WorkSignIn
      title={isAgain ? 'Confirm it’s you' : 'Shop portal'}
      words={
        isAgain
          ? 'Bank details need a sign-in of the last ten minutes.'
          : 'For owners and technicians at our partner shops.'
      }
      reason={isOffered ? actionData?.reason : 'not-offered'}
      problem={problem ? notOpened[problem] : undefined}
      place="the portal"
      back={back}
      button="Continue to sign in"
      out={{ label: 'Not a shop yet? Apply', path: portalPaths.installerSignup() }}
    />
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SentFault status={isRouteErrorResponse(error) ? error.status : undefined} />
}

const isProblem = (asked: string | null): asked is PortalProblem => asked !== null && Object.hasOwn(notOpened, asked)

const notOpened: Record<PortalProblem, string> = {
  'no-shop': 'Your sign-in worked, but no shop has your email. Ask your shop’s owner to add you.',
  unverified: 'Your email is not verified yet. Open the link in the verification email, then sign in again.',
  'verification-unstated': verificationUnstated,
}
