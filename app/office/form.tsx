/**
 * Back office forms, as a panel with declared fields and buttons. Labels appear at the fields and in the error summary;
 * input is retained. After a conflict, each field also shows what another team member saved.
 */
import { Fragment, useId, type ComponentProps, type ReactNode } from 'react'
import type { z } from 'zod'
import type { FormReply } from '#app/forms/form.ts'
import { FieldInput, savedMeanwhile, type FormField } from '#app/office/form-fields.tsx'
import { type FieldOptions, Options } from '#app/ui/select-options.tsx'
import { ErrorSummary } from '#app/ui/field.tsx'
import { ConfirmButton } from '#app/ui/office/confirm-button.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { focusedOnLoad } from '#app/ui/refusal-focus.ts'

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
  /** The only field it sends in addition to its intent, which the form's buttons then share. */
  sends?: Readonly<Record<string, string>>
  ask?: ComponentProps<typeof ConfirmButton>['ask']
  /** Whether Ctrl+Enter in the form presses it, for the form's main button. */
  hasKey?: boolean
}

export function button(
  intent: string,
  label: string,
  tone?: FormButton['tone'],
  more: Pick<FormButton, 'name' | 'sends' | 'ask' | 'hasKey'> = {},
): FormButton {
  return { intent, label, ...(tone && { tone }), ...more }
}

type FormProps = {
  fields?: FormFields
  buttons: readonly FormButton[]
  reply: FormReply | undefined
  /** Other intents with replies for this form, from buttons that are no longer shown. */
  past?: readonly string[]
  /** The form's subject, such as a row's number; a reply belongs to the form with the same values. */
  about?: Readonly<Record<string, string | number>>
  /** Hidden values that are returned unchanged, such as a version. */
  hidden?: Readonly<Record<string, string | number>>
  /** Where it is sent, if not to the page's own address. */
  action?: string
  /** A sentence above the fields, and one below the buttons. */
  text?: ReactNode
  note?: ReactNode
  /** The form's ID, for fields and buttons elsewhere on the page. */
  formId?: string
  /** Whether the buttons are elsewhere, such as in a bar. */
  hidesButtons?: boolean
  /** Fields in the page's layout, instead of `fields`, with their `labels` for the error summary. */
  layout?: (reply: FormReply | undefined) => ReactNode
  labels?: Readonly<Record<string, string>>
}

/** A form in a separate panel; `isPair` arranges its fields side by side. */
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

/**
 * A form in a table row, or of one of several similar things. Its fields have accessible names, and a refusal is shown
 * below, for the field that it concerns.
 */
export function RowForm({
  fields = {},
  buttons,
  reply: posted,
  about = {},
  hidden = {},
}: Pick<FormProps, 'buttons' | 'reply' | 'about' | 'hidden'> & {
  fields?: Readonly<Record<string, RowField>>
}) {
  const id = useId()
  const intents = buttons.map(({ intent }) => intent)
  const reply = posted && isOwn(posted, intents, about) ? posted : undefined
  const [wrong, error] = Object.entries(reply?.errors ?? {})[0] ?? []
  const fault = (name: string) =>
    name === wrong ? { 'aria-invalid': true, 'aria-describedby': id, ...focusedOnLoad } : {}
  return (
    <form method="post" className="office-decide">
      <HiddenFields buttons={buttons} values={{ ...about, ...hidden }} reply={reply} />
      {Object.entries(fields).map(([name, { label, max, options, value = '' }]) =>
        options ? (
          <select
            key={name}
            className="input"
            name={name}
            aria-label={label}
            defaultValue={reply?.values[name] ?? value}
            {...fault(name)}
          >
            <Options of={options} />
          </select>
        ) : (
          <input
            key={name}
            className="input"
            name={name}
            aria-label={label}
            maxLength={max}
            autoComplete="off"
            defaultValue={reply?.values[name] ?? value}
            {...fault(name)}
          />
        ),
      )}
      {buttons.map((each) => (
        <Button key={each.intent + each.label} {...each} />
      ))}
      {error ? (
        <p className="field-error" role="alert" id={id}>
          {error}
        </p>
      ) : null}
      <SavedMeanwhile fields={fields} reply={reply} />
    </form>
  )
}

type RowField = { label: string; max?: number; options?: FieldOptions; value?: string }

/** After a conflict, the values that another user saved. */
function SavedMeanwhile({ fields, reply }: { fields: Readonly<Record<string, RowField>>; reply: FormProps['reply'] }) {
  return Object.entries(fields).map(([name, { value = '' }]) =>
    savedMeanwhile({ name, value }, reply) ? (
      <p key={name} className="field-hint">
        {savedMeanwhile({ name, value }, reply)}
      </p>
    ) : null,
  )
}

/** Only the form, for a panel with other content. */
export function OfficeForm({
  fields = {},
  buttons,
  reply: posted,
  past = [],
  about = {},
  hidden = {},
  action,
  text,
  note,
  formId,
  hidesButtons,
  layout,
  labels,
  isPair = false,
}: FormProps & { isPair?: boolean }) {
  const intents = [...past, ...buttons.map(({ intent }) => intent)]
  const reply = posted && isOwn(posted, intents, about) ? posted : undefined
  const entries = Object.entries(fields)
  const hasFile = entries.some(([, field]) => isField(field) && field.kind === 'file')
  return (
    <form
      id={formId}
      method="post"
      action={action}
      className="stack"
      noValidate
      autoComplete="off"
      encType={hasFile ? 'multipart/form-data' : undefined}
    >
      {reply && Object.keys(reply.errors).length > 0 ? (
        <ErrorSummary reply={reply} labels={{ ...labelsOf(fields), ...labels }} />
      ) : null}
      <HiddenFields buttons={buttons} values={{ ...about, ...hidden }} reply={reply} />
      {text ? <p className="office-note">{text}</p> : null}
      {layout ? layout(reply) : <FieldGrid fields={fields} reply={reply} isPair={isPair} />}
      {hidesButtons ? null : <FormButtons buttons={buttons} />}
      {note ? <p className="office-note">{note}</p> : null}
    </form>
  )
}

function FieldGrid({ isPair, ...inputs }: ComponentProps<typeof FormInputs> & { isPair: boolean }) {
  return isPair ? (
    <div className="office-pair">
      <FormInputs {...inputs} />
    </div>
  ) : (
    <FormInputs {...inputs} />
  )
}

/** The inputs of declared fields, for a form that is written by its page. */
export function FormInputs({ fields, reply }: { fields: FormFields; reply: FormReply | undefined }) {
  return Object.entries(fields).map(([name, field]) =>
    isField(field) ? (
      <FieldInput key={name} name={name} field={field} reply={reply} />
    ) : (
      <Fragment key={name}>{field}</Fragment>
    ),
  )
}

/** The row of buttons below a form. */
export function FormButtons({ buttons }: Pick<FormProps, 'buttons'>) {
  return buttons.length > 0 ? (
    <p className="row wrap-row">
      {buttons.map((each) => (
        <Button key={each.intent + each.label} {...each} />
      ))}
    </p>
  ) : null
}

function HiddenFields({
  buttons,
  values,
  reply,
}: Pick<FormProps, 'buttons'> & { values: NonNullable<FormProps['hidden']>; reply?: FormReply | undefined }) {
  const sent = buttons[0]?.sends ? { ...values, intent: buttons[0].intent } : values
  return Object.entries(sent).map(([name, value]) => (
    <input
      key={name}
      type="hidden"
      name={name}
      value={reply && !reply.isConflict ? (reply.values[name] ?? value) : value}
    />
  ))
}

function isOwn(reply: FormReply, intents: readonly string[], about: NonNullable<FormProps['about']>): boolean {
  return (
    intents.includes(reply.values['intent'] ?? '') &&
    Object.entries(about).every(([name, value]) => reply.values[name] === String(value))
  )
}

function isField(field: FormFields[string]): field is FormField {
  return typeof field === 'object' && field !== null && 'label' in field
}

/** Returns the labels of declared fields by name. */
export function labelsOf(fields: FormFields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (isField(field) ? [[name, field.label]] : [])),
  )
}

function Button({ intent, label, tone, name, ask, hasKey, sends = intent === '' ? {} : { intent } }: FormButton) {
  const [sent] = Object.entries(sends)
  const attributes = {
    className: tone ? `btn ${tone}` : 'btn',
    'aria-label': name,
    'aria-keyshortcuts': hasKey ? 'Control+Enter' : undefined,
    ...(sent && { name: sent[0], value: sent[1] }),
  }
  return ask ? (
    <ConfirmButton ask={ask} {...attributes}>
      {label}
    </ConfirmButton>
  ) : (
    <button {...attributes}>{label}</button>
  )
}
