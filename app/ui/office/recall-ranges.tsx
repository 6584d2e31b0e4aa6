import type { FormReply } from '#app/forms/form.ts'
import { Field, TextAreaField } from '#app/ui/field.tsx'

/** The ranges of a recall, typed or from a file. */
export function RecallRanges({ reply }: { reply: FormReply | undefined }) {
  const { file: _, ...errors } = reply?.errors ?? {}
  return (
    <>
      <TextAreaField
        name="ranges"
        label="TIN ranges"
        reply={reply && { ...reply, errors }}
        rows={5}
        maxLength={4_000}
        hint="A row each: plant, size or type code (may be empty), week from, week to. 7B3,KXYZ,3425,0226"
      />
      <Field
        name="file"
        label="Or a CSV file of them"
        type="file"
        accept=".csv,text/csv,text/plain"
        reply={reply && { ...reply, values: {} }}
      />
    </>
  )
}
