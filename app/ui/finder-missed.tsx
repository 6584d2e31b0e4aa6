import type { ApiFailure } from '#api/client/client.ts'
import { whyNot } from '#app/ui/store-client.ts'

/** A finder list that failed to load, with the reason and a retry button. */
export function Missed({ what, failure, onAgain }: { what: string; failure: ApiFailure; onAgain: () => void }) {
  return (
    <p className="finder-problem" role="alert">
      {what} did not load: {whyNot(failure)}. What you chose is still here.{' '}
      <button className="link" type="button" onClick={onAgain}>
        Try again
      </button>
    </p>
  )
}
