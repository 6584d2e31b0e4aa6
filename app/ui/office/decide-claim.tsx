import type { ComponentProps } from 'react'
import { ErrorSummary } from '#app/ui/field.tsx'
import { KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { ApproveOrRefuse } from './approve-or-refuse.tsx'

/** What was decided about a claim, once it was. */
export function ClaimDecision({ rows }: ComponentProps<typeof KeyValues>) {
  return rows.length > 0 ? (
    <Panel id="decision" title="Decision">
      <PanelBody>
        <KeyValues rows={rows} />
      </PanelBody>
    </Panel>
  ) : null
}

/** What staff may do about a claim: decide one that is open, or try again a refund that did not go through. */
export function decideClaim({
  mayDecide,
  state,
  canRetry,
  ...forms
}: { mayDecide: boolean; state: string; canRetry: boolean } & ComponentProps<typeof ApproveOrRefuse>) {
  if (!mayDecide) return undefined
  if (state === 'open') return <ApproveOrRefuse {...forms} />
  if (!canRetry) return undefined
  return (
    <Panel id="again" title="Refund">
      <PanelBody>
        <ErrorSummary reply={forms.reply} />
        <form method="post">
          <button className="btn" name="intent" value="again">
            Try the refund again
          </button>
        </form>
      </PanelBody>
    </Panel>
  )
}
