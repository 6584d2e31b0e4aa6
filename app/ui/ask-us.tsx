import { paths } from '#content/paths.ts'
import { answerWithinText } from '#domain/messaging/support/support.ts'
import { useRouteLoaderData } from '#app/router/router.tsx'

/** Shown below content that may not have answered the question. */
export function AskUs() {
  const shell = useRouteLoaderData<{ store: { phone: string }; phoneHours: string }>('root')
  return (
    <section className="ask-us panel" aria-labelledby="ask-us">
      <h2 id="ask-us">Still have a question?</h2>
      <p>
        {shell ? (
          <>
            Call <a href={`tel:${shell.store.phone.replace(/[^\d+]/g, '')}`}>{shell.store.phone}</a>, {shell.phoneHours}
            . Or{' '}
          </>
        ) : null}
        <a href={paths.contact()}>write to us</a>: we answer within {answerWithinText}.
      </p>
    </section>
  )
}
