import type { NoSignIn } from '#app/server/sign-in.server.ts'

/** The page that leads to the sign-in provider, for the back office and the portal of shops. */
export function WorkSignIn({
  title,
  words,
  reason,
  problem,
  place,
  back,
  button,
  isAgain = false,
  out,
}: {
  title: string
  words: string
  /** Why the provider could not be reached. */
  reason: NoSignIn | undefined
  /** Why the person who came back was not let in. */
  problem: string | undefined
  /** The area that can't be opened without a sign-in service. */
  place: string
  back: string
  button: string
  isAgain?: boolean
  out: { label: string; path: string }
}) {
  const said = reason === 'not-offered' ? undefined : reason ? notBegun[reason] : problem
  return (
    <div className="wrap narrow-page">
      <h1>{title}</h1>
      {said ? (
        <p className="error-summary" role="alert">
          {said}
        </p>
      ) : null}
      <p className="muted">{words}</p>
      {reason === 'not-offered' ? (
        <p>This store has no sign-in service, so {place} cannot be opened.</p>
      ) : (
        <form method="post" className="stack">
          <input type="hidden" name="back" value={back} />
          {isAgain || problem ? <input type="hidden" name="again" value="yes" /> : null}
          <button className="btn primary large">{problem ? 'Sign in as someone else' : button}</button>
        </form>
      )}
      <p className="small">
        <a href={out.path}>{out.label}</a>
      </p>
    </div>
  )
}

const notBegun: Record<Exclude<NoSignIn, 'not-offered'>, string> = {
  'too-many-attempts':
    'There were too many sign-ins from your network in the last few minutes. Wait ten minutes and try again.',
  'not-accepted': 'The sign-in was not accepted. Try again.',
  unavailable: 'Our sign-in service is not responding right now. Try again in a moment.',
}
