import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { longestImportReason } from '#domain/catalog/catalog-import/catalog-import.ts'

/** The acts that are open to the reader, and who else can go on with the run where they cannot. */
export type ImportActsOpen = {
  publish: boolean
  /** Whether its file can be checked again. */
  checkAgain: boolean
  /** `cancel`: the import is at work. */
  discard: 'discard' | 'cancel' | null
  rollBack: boolean
  note: 'manager' | 'command' | null
}

const notes = {
  manager: 'Only a manager can publish imports with warnings.',
  command: 'This import was started from the command line. Finish it there, or discard it.',
} as const

/** Renders the actions of a run. With `isRisky`, publishing requires a reason. */
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
  const { publish, checkAgain, discard, rollBack, note } = acts
  const buttons = [
    ...(publish ? [button('publish', 'Publish now', 'primary')] : []),
    ...(discard ? [button('discard', discard === 'cancel' ? 'Cancel import' : 'Discard', 'quiet')] : []),
    ...(rollBack ? [button('roll-back', 'Roll back', 'stop')] : []),
  ]
  const again = checkAgain ? <CheckAgainPanel reply={reply} /> : null
  if (buttons.length === 0 && note === null) return again
  return (
    <>
      <FormPanel
        id="acts"
        title={rollBack ? 'Roll back' : discard === 'cancel' ? 'Cancel' : 'Publish'}
        isOpen={publish}
        reply={reply}
        hidden={{ seen }}
        text={note && notes[note]}
        fields={
          buttons.length === 0
            ? {}
            : {
                reason: {
                  label: 'Reason, for the audit log',
                  kind: 'area',
                  rows: 3,
                  max: longestImportReason,
                  isOptional: !(isRisky && publish),
                },
              }
        }
        buttons={buttons}
      />
      {again}
    </>
  )
}

/** Checks the stored file again. */
function CheckAgainPanel({ reply }: { reply: FormReply | undefined }) {
  return (
    <FormPanel
      id="check-again"
      title="Check again"
      reply={reply}
      text="Fix the cause of the refused rows, then check the same file again. We keep the file of a refused import for 7 days."
      buttons={[button('check-again', 'Check again')]}
    />
  )
}
