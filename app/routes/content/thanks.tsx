import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { answerWithinText } from '#domain/messaging/support/support.ts'
import { NextSteps } from './next-steps.tsx'
import type { Route } from './+types/thanks.ts'

/** Shown after a message or a lead. Contains no submitted data, so it can be reloaded and cached. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: loaderData.title,
        description: 'What you sent has reached us, and what happens next.',
        path: loaderData.path,
        isIndexed: false,
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export function loader({ url }: Route.LoaderArgs) {
  const isLead = url.pathname.toLowerCase().startsWith(paths.tireSales())
  return isLead
    ? {
        title: 'We have your question',
        path: paths.tireSalesThanks(),
        answer: 'with tires that fit and their price out the door',
      }
    : { title: 'We have your message', path: paths.contactThanks(), answer: 'to the address you gave' }
}

export default function Thanks({ loaderData: { title, answer } }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>{title}</h1>
      <p>
        A person reads it and answers within {answerWithinText}, {answer}. An email with its number is on its way to
        you; if it does not arrive in a few minutes, check your spam folder.
      </p>
      <NextSteps />
    </div>
  )
}
