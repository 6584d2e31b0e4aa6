import { Notice } from '#app/ui/office/office-parts.tsx'
import { concessionMessages } from '#content/messages/concessions.ts'
import { officePaths } from '#content/office-paths.ts'

/** A request for a second person's approval: `amount` is formatted dollars, null for a price reduction. */
export type ApprovalView = { requestedBy: string; amount: string | null }

/** Shows that a concession waits for a second person, and what that person does. */
export function ApprovalNotice({ request, what }: { request: ApprovalView | null; what: string }) {
  if (!request) return null
  const { requestedBy, amount } = request
  return (
    <Notice
      tone="signal"
      title={amount === null ? concessionMessages.waiting : `${concessionMessages.waiting}: ${amount}`}
    >
      <p>{concessionMessages.toApprove(requestedBy, what)}</p>
    </Notice>
  )
}

/** Says before a form is filled in that it needs a recent sign-in; nothing for one that is recent. */
export function FreshSignInNotice({ isFresh, title, back }: { isFresh: boolean; title: string; back: string }) {
  return isFresh ? null : (
    <Notice tone="signal" title={title}>
      <p>
        <a href={officePaths.officeSignIn({ back, again: 'yes' })}>Sign in again</a> to continue: your last sign-in was
        more than ten minutes ago.
      </p>
    </Notice>
  )
}
