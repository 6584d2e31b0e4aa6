import type { FormField } from '#app/office/form-fields.tsx'
import { button, RowForm } from '#app/office/form.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { HistoryPanel, TablePanel } from '#app/office/table.tsx'
import type { readBusinessTerms } from '#app/views/office/terms.server.ts'

type Terms = Awaited<ReturnType<typeof readBusinessTerms>>

/** The field for when a change applies. */
export const startsAtField = {
  label: 'Starts',
  kind: 'moment',
  isOptional: true,
  hint: 'Eastern time. Leave empty to start now.',
} satisfies FormField

/** The result messages of the pages that change terms. */
export const termNews = {
  saved: 'Saved. New orders and every page use it within a second.',
  scheduled: 'Scheduled. Cancel it below any time before it starts.',
  unchanged: 'No changes to save.',
  canceled: 'Scheduled change canceled.',
}

/** Changes that haven't started, each with a button that cancels it. */
export function ScheduledTerms({
  scheduled,
  mayManage,
  reply,
}: Pick<Terms, 'scheduled'> & { mayManage: boolean; reply: FormReply | undefined }) {
  return (
    <TablePanel
      id="scheduled"
      title="Scheduled changes"
      note="Times are Eastern"
      empty="No scheduled changes."
      columns={{ what: 'Setting', value: 'New value', from: 'Starts', cancel: 'Cancel' }}
      rows={scheduled.map(({ id, what, value, from }) => ({
        id: String(id),
        cells: {
          what,
          value,
          from,
          cancel: mayManage ? (
            <RowForm
              about={{ change: id }}
              reply={reply}
              buttons={[button('cancel', 'Cancel', 'quiet', { name: `Cancel the change of ${what}` })]}
            />
          ) : null,
        },
      }))}
    />
  )
}

/** Earlier changes. `restore` returns the page that restores a version. */
export function TermHistory({
  changes,
  older,
  caption,
  restore,
}: Pick<Terms, 'changes' | 'older'> & { caption: string; restore?: (version: string) => string }) {
  return (
    <HistoryPanel
      note="Orders keep the terms that applied when they were placed. Times are Eastern."
      caption={caption}
      empty="No changes yet. Standard values apply."
      columns={{ at: 'When', by: 'Who', what: 'Setting', was: 'Before', became: 'After', from: 'Applies from' }}
      rows={changes.map(({ id, version, cells }, index) => ({
        id,
        cells: {
          ...cells,
          // Rates that were saved together have one version.
          ...(restore && version !== null && version !== changes[index - 1]?.version
            ? {
                from: (
                  <>
                    {cells.from}
                    <small>
                      {' '}
                      <a href={restore(version)} aria-label={`Restore the rates of ${cells.from}`}>
                        Restore
                      </a>
                    </small>
                  </>
                ),
              }
            : {}),
        },
      }))}
      older={older}
    />
  )
}
