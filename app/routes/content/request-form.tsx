import type { ReactNode } from 'react'
import { supportMessages } from '#content/messages/support.ts'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { Honeypot } from '#app/ui/honeypot.tsx'
import sendForm from '#app/ui/send-form.js?url'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'

type Props = {
  reply: FormReply | undefined
  /** Labels by field for the error summary. `attachment` is the file's label. */
  labels: Readonly<Record<string, string>> & { readonly attachment: string }
  /** The button label. */
  send: string
  action?: string
  /** Whether the file is needed; optional without it. */
  isFileRequired?: boolean
  children: ReactNode
}

/** Renders a request form with a file upload. A small script preserves input while offline. */
export function RequestForm({ reply, labels, send, action, isFileRequired = false, children }: Props) {
  return (
    <>
      <form
        method="post"
        action={action}
        encType="multipart/form-data"
        className="panel padded stack"
        noValidate
        data-send-form
        data-failed={supportMessages.failed}
      >
        <ErrorSummary reply={reply} labels={labels} />
        {children}
        <Field
          name="attachment"
          label={labels.attachment}
          reply={reply && { values: {}, errors: reply.errors }}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif,application/pdf"
          hint={`Up to ${maxAttachmentBytes / 1024 / 1024}MB. ${reply ? 'Please choose the file again: browsers do not keep it.' : 'Only we see it.'}`}
          data-max-bytes={maxAttachmentBytes}
          data-too-large={supportMessages.tooLarge}
          required={isFileRequired}
        />
        <Honeypot />
        <button className="btn primary large" type="submit">
          {send}
        </button>
        <p className="field-error" role="alert" data-send-status hidden />
      </form>
      <script type="module" src={sendForm} />
    </>
  )
}
