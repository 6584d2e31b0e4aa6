/** The page that imports an exported and edited CSV file. */
import type { ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { OfficePage } from '#app/ui/office/office-page.tsx'

type Page = { label: string; path: string }

export function ImportPage({
  title,
  list,
  exported,
  file: { limits, required, optional },
  text,
  note,
  reply,
  children,
}: {
  title: string
  list: Page
  exported: Page
  file: { limits: string; required: readonly string[]; optional: readonly string[] }
  text: string
  note: string
  reply: FormReply | undefined
  /** Other forms of the page. */
  children?: ReactNode
}) {
  return (
    <OfficePage
      title={title}
      crumbs={[list]}
      end={
        <a className="btn" href={exported.path}>
          {exported.label}
        </a>
      }
      reply={reply}
    >
      <FormPanel
        id="import"
        title="Import a file"
        lead={`CSV, ${limits}`}
        reply={reply}
        text={text}
        fields={{
          file: {
            label: 'CSV file',
            kind: 'file',
            accept: '.csv,text/csv',
            hint: `With the columns ${required.join(', ')}.${optional.length > 0 ? ` Optional: ${optional.join(', ')}.` : ''}`,
          },
        }}
        buttons={[button('import', 'Import', 'primary')]}
        note={note}
      />
      {children}
    </OfficePage>
  )
}
