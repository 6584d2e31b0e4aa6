/** The fields of back office forms, as declared and as rendered. */
import type { ComponentProps, ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { Options, type FieldOptions } from '#app/ui/select-options.tsx'

type Shown = { label: string; hint?: string; value?: string | null | undefined }

/**
 * A form field. `max` is in characters. Fields are required unless `isOptional`. With `in-legend`, “(optional)” is in the
 * legend of their group.
 */
export type FormField =
  | (Shown & {
      kind?: 'text' | 'money' | 'number' | 'day' | 'time' | 'moment' | 'email' | 'phone' | 'password' | 'file'
      max?: number
      isOptional?: boolean | 'in-legend'
      accept?: string
      min?: string
      placeholder?: string
      /** The form that it belongs to, if it is elsewhere on the page. */
      formId?: string
      /** Whether it is shown but can't be changed. */
      isFixed?: boolean
    })
  | (Shown & { kind: 'area'; max: number; rows?: number; isOptional?: boolean })
  | (Shown & { kind: 'choice'; options: FieldOptions })
  | (Shown & { kind: 'tick'; ticked?: string; isTicked?: boolean; more?: ReactNode })
  /**
   * A checkbox that looks like a switch, with its values. Without `off`, it sends no value when it is off. `isBare` hides
   * its label from view.
   */
  | (Shown & { kind: 'switch'; isOn: boolean; on?: string; off?: string; isBare?: boolean })

/** Returns the text about the value that another user saved, after a conflict. `shown` is the value in words. */
export function savedMeanwhile(
  {
    name,
    value,
    shown = value,
  }: { name: string; value?: string | null | undefined; shown?: string | null | undefined },
  reply: FormReply | undefined,
): string | undefined {
  if (!reply?.isConflict || value === undefined) return undefined
  const entered = (reply.values[name] ?? '').replaceAll('\r\n', '\n')
  return (value ?? '') === entered ? undefined : `Saved now: ${shown || 'empty'}`
}

/** The same for a checkbox. */
function switchedMeanwhile(
  { name, isOn, on }: { name: string; isOn: boolean; on: string },
  reply: FormReply | undefined,
): string | undefined {
  return reply?.isConflict && isOn !== (reply.values[name] === on) ? `Saved now: ${isOn ? 'on' : 'off'}` : undefined
}

const hintOf = (...texts: (string | undefined)[]) => texts.filter(Boolean).join('. ') || undefined

const inputs = {
  text: {},
  money: { inputMode: 'decimal', maxLength: 20 },
  number: { inputMode: 'numeric', maxLength: 9 },
  day: { type: 'date' },
  time: { type: 'time' },
  moment: { type: 'datetime-local' },
  email: { type: 'email', maxLength: 254 },
  phone: { type: 'tel', maxLength: 20 },
  password: { type: 'password' },
  file: { type: 'file' },
} as const satisfies Record<string, ComponentProps<'input'>>

/** Renders a declared field. */
export function FieldInput({ name, field, reply }: { name: string; field: FormField; reply: FormReply | undefined }) {
  const { label, value } = field
  const shown = field.kind === 'choice' ? field.options.find(([each]) => each === value)?.[1] : value
  const hint = hintOf(savedMeanwhile({ name, value, shown }, reply), field.hint)
  const shared = { name, label, reply, value, ...(hint && { hint }) }
  switch (field.kind) {
    case 'area': {
      const { rows = 4, max, isOptional = false } = field
      return <TextAreaField {...shared} rows={rows} maxLength={max} isRequired={!isOptional} />
    }
    case 'choice':
      return (
        <SelectField {...shared}>
          <Options of={field.options} />
        </SelectField>
      )
    case 'tick':
      return <TickField name={name} field={field} reply={reply} />
    case 'switch':
      return <SwitchField name={name} field={field} reply={reply} />
    default:
      return <TextInput {...shared} field={field} />
  }
}

type TextField = Exclude<FormField, { kind: 'area' | 'choice' | 'tick' | 'switch' }>

function TextInput({
  field: { kind = 'text', max, isOptional = false, accept, min, placeholder, formId, isFixed },
  ...shared
}: Pick<ComponentProps<typeof Field>, 'name' | 'label' | 'reply' | 'value' | 'hint'> & { field: TextField }) {
  return (
    <Field
      {...shared}
      {...inputs[kind]}
      {...(max && { maxLength: max })}
      required={isOptional === 'in-legend' ? undefined : !isOptional}
      accept={accept}
      min={min}
      placeholder={placeholder}
      form={formId}
      readOnly={isFixed}
    />
  )
}

function TickField({
  name,
  field: { label, hint, ticked = '1', isTicked = false, more },
  reply,
}: {
  name: string
  field: Extract<FormField, { kind: 'tick' }>
  reply: FormReply | undefined
}) {
  const error = reply?.errors[name]
  const note = error ?? hintOf(switchedMeanwhile({ name, isOn: isTicked, on: ticked }, reply), hint)
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
      {more}
    </div>
  )
}

function SwitchField({
  name,
  field: { label, hint, isOn, on = '1', off, isBare = false },
  reply,
}: {
  name: string
  field: Extract<FormField, { kind: 'switch' }>
  reply: FormReply | undefined
}) {
  const error = reply?.errors[name]
  const note = error ?? hintOf(switchedMeanwhile({ name, isOn, on }, reply), hint)
  return (
    <div>
      <label className="switch">
        <input
          type="checkbox"
          id={name}
          name={name}
          value={on}
          defaultChecked={reply ? reply.values[name] === on : isOn}
          aria-label={isBare ? label : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${name}-note` : undefined}
        />
        {isBare ? null : <span>{label}</span>}
      </label>
      {/* Of two values the first one counts, which is the checkbox if it is on. */}
      {off === undefined ? null : <input type="hidden" name={name} value={off} />}
      {note ? (
        <p className={error ? 'field-error' : 'field-hint'} id={`${name}-note`}>
          {note}
        </p>
      ) : null}
    </div>
  )
}

/**
 * An input in a table cell. Its label is its accessible name, and its error is below it. `prefix` is shown in it, such
 * as "$".
 */
export function CellInput({
  name,
  field: { label, value, kind = 'text', max, placeholder },
  prefix,
  reply,
}: {
  name: string
  field: Omit<TextField, 'accept' | 'min' | 'formId'>
  prefix?: string
  reply: FormReply | undefined
}) {
  const error = reply?.errors[name]
  const theirs = savedMeanwhile({ name, value }, reply)
  const notes = [error && `${name}-error`, theirs && `${name}-hint`].filter(Boolean).join(' ')
  const input = (
    <input
      className="input tabular"
      id={name}
      name={name}
      {...inputs[kind]}
      {...(max && { maxLength: max })}
      placeholder={placeholder}
      autoComplete="off"
      aria-label={label}
      defaultValue={reply?.values[name] ?? value ?? ''}
      aria-invalid={error ? true : undefined}
      aria-describedby={notes || undefined}
    />
  )
  return (
    <>
      {prefix ? (
        <span className="rate-input">
          <span aria-hidden="true">{prefix}</span>
          {input}
        </span>
      ) : (
        input
      )}
      <CellNotes name={name} theirs={theirs} error={error} />
    </>
  )
}

/** A choice in a table cell or list, as `CellInput`. */
export function CellSelect({
  name,
  label,
  value,
  options,
  reply,
}: {
  name: string
  label: string
  value: string
  options: FieldOptions
  reply: FormReply | undefined
}) {
  const error = reply?.errors[name]
  const shown = options.find(([each]) => each === value)?.[1]
  const theirs = savedMeanwhile({ name, value, shown }, reply)
  const notes = [error && `${name}-error`, theirs && `${name}-hint`].filter(Boolean).join(' ')
  return (
    <>
      <select
        className="input"
        id={name}
        name={name}
        aria-label={label}
        defaultValue={reply?.values[name] ?? value}
        aria-invalid={error ? true : undefined}
        aria-describedby={notes || undefined}
      >
        <Options of={options} />
      </select>
      <CellNotes name={name} theirs={theirs} error={error} />
    </>
  )
}

function CellNotes({ name, theirs, error }: { name: string; theirs: string | undefined; error: string | undefined }) {
  return (
    <>
      {theirs ? (
        <small className="field-hint" id={`${name}-hint`}>
          {theirs}
        </small>
      ) : null}
      {error ? (
        <span className="field-error" id={`${name}-error`}>
          {error}
        </span>
      ) : null}
    </>
  )
}
