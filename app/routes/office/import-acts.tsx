import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { longestImportReason } from '#domain/catalog-import/catalog-import.ts'

/** The acts that are open to the reader, and who else can go on with the run where they cannot. */
export type ImportActsOpen = {
  publish: boolean
  /** `cancel`: the import is at work. */
  discard: 'discard' | 'cancel' | null
  rollBack: boolean
  note: 'manager' | 'command' | null
}

const notes = {
  manager: 'A manager publishes imports with warnings.',
  command: 'A command started this import. Finish it there, or discard it.',
} as const

/** What can be done with a run; `isRisky`: publishing needs a reason. */
export function ImportActs({
  acts,
  seen,
  isRisky,
  reply,
}: {
  acts: ImportActsOpen
  seen: string
  isRisky: boolean
  reply: FormReply | undefined
}) {
  const isAny = acts.publish || acts.discard !== null || acts.rollBack
  if (!isAny && acts.note === null && !reply) return null
  return (
    <Panel id="acts" title={titleOf(acts)} isOpen={acts.publish}>
      <PanelBody>
        <ErrorSummary reply={reply} labels={{ reason: 'Reason' }} />
        {acts.note ? <p>{notes[acts.note]}</p> : null}
        {isAny ? (
          <form method="post" className="stack" noValidate>
            <input type="hidden" name="seen" value={seen} />
            <TextAreaField
              name="reason"
              label="Reason, for the audit log"
              reply={reply}
              rows={3}
              maxLength={longestImportReason}
              isRequired={isRisky && acts.publish}
            />
            <Buttons acts={acts} />
          </form>
        ) : null}
      </PanelBody>
    </Panel>
  )
}

function titleOf({ discard, rollBack }: ImportActsOpen): string {
  return rollBack ? 'Roll back' : discard === 'cancel' ? 'Cancel' : 'Publish'
}

function Buttons({ acts }: { acts: ImportActsOpen }) {
  return (
    <p className="row wrap-row">
      {acts.publish ? (
        <button className="btn primary" name="intent" value="publish">
          Publish now
        </button>
      ) : null}
      {acts.discard ? (
        <button className="btn quiet" name="intent" value="discard">
          {acts.discard === 'cancel' ? 'Cancel import' : 'Discard'}
        </button>
      ) : null}
      {acts.rollBack ? (
        <button className="btn stop" name="intent" value="roll-back">
          Roll back
        </button>
      ) : null}
    </p>
  )
}
