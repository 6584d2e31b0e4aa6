/**
 * The one way a form of the back office is built: a panel whose fields and buttons are declared. Labels appear at the
 * fields and in the summary of errors; what was typed is kept. After a conflict, each field also shows what another
 * team member saved.
 */
import { Fragment, type ComponentProps, type ReactNode } from 'react'
import type { z } from 'zod'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { ConfirmButton } from '#app/ui/office/confirm-button.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'

type Shown = { label: string; hint?: string; value?: string | null | undefined }

/** A field of a form. `max` is in characters; a field is required unless it `isOptional`. */
export type FormField =
  | (Shown & {
      kind?: 'text' | 'money' | 'number' | 'day' | 'time' | 'moment' | 'email' | 'phone' | 'file'
      max?: number
      isOptional?: boolean
      accept?: string
      min?: string
      placeholder?: string
    })
  | (Shown & { kind: 'area'; max: number; rows?: number; isOptional?: boolean })
  | (Shown & { kind: 'choice'; options: Readonly<Record<string, string>> })
  | (Shown & { kind: 'tick'; ticked?: string; isTicked?: boolean })

/** Fields by name; `FieldsOf` ties the names to the schema that checks them. */
export type FormFields = Readonly<Record<string, FormField | ReactNode | null>>
export type FieldsOf<Form extends z.ZodType> = { readonly [Name in keyof z.input<Form>]?: FormField }

/** A button of a form; its `intent` is one of the page's steps, empty for a page with a single form. */
export type FormButton = {
  intent: string
  label: string
  tone?: 'primary' | 'quiet' | 'stop'
  /** The accessible name where several buttons have the same label. */
  name?: string
  ask?: ComponentProps<typeof ConfirmButton>['ask']
}

export function button(
  intent: string,
  label: string,
  tone?: FormButton['tone'],
  more: Pick<FormButton, 'name' | 'ask'> = {},
): FormButton {
  return { intent, label, ...(tone && { tone }), ...more }
}

type FormProps = {
  fields?: FormFields
  buttons: readonly FormButton[]
  reply: FormReply | undefined
  /** What the form is about, such as a row's number: a reply belongs to the form with the same values. */
  about?: Readonly<Record<string, string | number>>
  /** Hidden values that come back as they were sent, such as a version. */
  hidden?: Readonly<Record<string, string | number>>
  /** A sentence above the fields, and one below the buttons. */
  text?: ReactNode
  note?: ReactNode
}

/** A form in a panel of its own; `isPair` puts its fields next to each other. */
export function FormPanel({
  id,
  title,
  end,
  isOpen = false,
  isPair = false,
  lead,
  after,
  ...form
}: FormProps & {
  id: string
  title: string
  lead?: ReactNode
  end?: ReactNode
  isOpen?: boolean
  isPair?: boolean
  /** What follows the form in the panel. */
  after?: ReactNode
}) {
  return (
    <Panel id={id} title={title} note={lead} end={end} isOpen={isOpen}>
      <PanelBody>
        <OfficeForm isPair={isPair} {...form} />
      </PanelBody>
      {after}
    </Panel>
  )
}

/** The form alone, for a panel that holds more. */
export function OfficeForm({
  fields = {},
  buttons,
  reply: posted,
  about = {},
  hidden = {},
  text,
  note,
  isPair = false,
}: FormProps & { isPair?: boolean }) {
  const reply = posted && isOwn(posted, buttons, about) ? posted : undefined
  const entries = Object.entries(fields)
  const hasFile = entries.some(([, field]) => isField(field) && field.kind === 'file')
  const inputs = entries.map(([name, field]) =>
    isField(field) ? (
      <Input key={name} name={name} field={field} reply={reply} />
    ) : (
      <Fragment key={name}>{field}</Fragment>
    ),
  )
  return (
    <form
      method="post"
      className="stack"
      noValidate
      autoComplete="off"
      encType={hasFile ? 'multipart/form-data' : undefined}
    >
      <ErrorSummary reply={reply} labels={labelsOf(entries)} />
      {Object.entries({ ...about, ...hidden }).map(([name, value]) => (
        <input
          key={name}
          type="hidden"
          name={name}
          value={reply?.isConflict ? value : (reply?.values[name] ?? value)}
        />
      ))}
      {text ? <p className="office-note">{text}</p> : null}
      {isPair ? <div className="office-pair">{inputs}</div> : inputs}
      {buttons.length > 0 ? (
        <p className="row wrap-row">
          {buttons.map((each) => (
            <Button key={each.intent + each.label} {...each} />
          ))}
        </p>
      ) : null}
      {note ? <p className="office-note">{note}</p> : null}
    </form>
  )
}

function isOwn(reply: FormReply, buttons: readonly FormButton[], about: NonNullable<FormProps['about']>): boolean {
  return (
    buttons.some(({ intent }) => intent === (reply.values['intent'] ?? '')) &&
    Object.entries(about).every(([name, value]) => reply.values[name] === String(value))
  )
}

function isField(field: FormFields[string]): field is FormField {
  return typeof field === 'object' && field !== null && 'label' in field
}

function labelsOf(entries: readonly [string, FormFields[string]][]): Record<string, string> {
  return Object.fromEntries(entries.flatMap(([name, field]) => (isField(field) ? [[name, field.label]] : [])))
}

function Button({ intent, label, tone, name, ask }: FormButton) {
  const attributes = {
    className: tone ? `btn ${tone}` : 'btn',
    'aria-label': name,
    ...(intent === '' ? {} : { name: 'intent', value: intent }),
  }
  return ask ? (
    <ConfirmButton ask={ask} {...attributes}>
      {label}
    </ConfirmButton>
  ) : (
    <button {...attributes}>{label}</button>
  )
}

const inputs = {
  text: {},
  money: { inputMode: 'decimal', maxLength: 20 },
  number: { inputMode: 'numeric', maxLength: 9 },
  day: { type: 'date' },
  time: { type: 'time' },
  moment: { type: 'datetime-local' },
  email: { type: 'email', maxLength: 254 },
  phone: { type: 'tel', maxLength: 20 },
  file: { type: 'file' },
} as const satisfies Record<string, ComponentProps<'input'>>

function Input({ name, field, reply }: { name: string; field: FormField; reply: FormReply | undefined }) {
  const { label, value } = field
  const theirs = reply?.isConflict && value && value !== reply.values[name] ? `Saved now: ${value}` : undefined
  const hint = [theirs, field.hint].filter(Boolean).join('. ') || undefined
  const shared = { name, label, reply, value, ...(hint && { hint }) }
  switch (field.kind) {
    case 'area': {
      const { rows = 4, max, isOptional = false } = field
      return <TextAreaField {...shared} rows={rows} maxLength={max} isRequired={!isOptional} />
    }
    case 'choice':
      return (
        <SelectField {...shared}>
          {Object.entries(field.options).map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </SelectField>
      )
    case 'tick':
      return <TickField name={name} field={field} reply={reply} />
    default: {
      const { kind = 'text', max, isOptional = false, accept, min, placeholder } = field
      return (
        <Field
          {...shared}
          {...inputs[kind]}
          {...(max && { maxLength: max })}
          required={!isOptional}
          accept={accept}
          min={min}
          placeholder={placeholder}
        />
      )
    }
  }
}

function TickField({
  name,
  field: { label, hint, ticked = '1', isTicked = false },
  reply,
}: {
  name: string
  field: Extract<FormField, { kind: 'tick' }>
  reply: FormReply | undefined
}) {
  const error = reply?.errors[name]
  const note = error ?? hint
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          id={name}
          name={name}
          value={ticked}
          defaultChecked={reply ? reply.values[name] === ticked : isTicked}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${name}-note` : undefined}
        />
        <span>{label}</span>
      </label>
      {note ? (
        <p className={error ? 'field-error' : 'field-hint'} id={`${name}-note`}>
          {note}
        </p>
      ) : null}
    </div>
  )
}
