/** A form in sections, all in one panel. Each section has a title, a sentence, and fields in a grid of six columns. */
import type { ComponentProps, ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { FormInputs, labelsOf, OfficeForm, type FormFields } from './form.tsx'

export type FieldSection = {
  id: string
  title: string
  note?: string
  fields: FormFields
  /** Columns per field, by name; 3 by default. Content without a label always takes the full width. */
  spans?: Readonly<Record<string, 2 | 3 | 4 | 6>>
}

/** `labels` are for fields in tables and other content. `after` is more content of the panel, such as a `Section`. */
export function SectionsForm({
  sections,
  labels = {},
  after,
  ...form
}: Omit<ComponentProps<typeof OfficeForm>, 'fields' | 'layout' | 'isPair'> & {
  sections: readonly FieldSection[]
  after?: ReactNode
}) {
  const own = Object.fromEntries(sections.flatMap(({ fields }) => Object.entries(labelsOf(fields))))
  return (
    <div className="office-panel office-sections">
      <OfficeForm
        {...form}
        labels={{ ...own, ...labels }}
        layout={(reply) =>
          sections.map((section) => (
            <Section key={section.id} {...section}>
              <SectionFields {...section} reply={reply} />
            </Section>
          ))
        }
      />
      {after}
    </div>
  )
}

/** A section of a form, or below it in the same panel. */
export function Section({
  id,
  title,
  note,
  children,
}: Pick<FieldSection, 'id' | 'title' | 'note'> & { children: ReactNode }) {
  return (
    <section className="form-section" id={id} aria-labelledby={`${id}-title`}>
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        {note ? <p className="office-note">{note}</p> : null}
      </div>
      <div className="form-section-body">{children}</div>
    </section>
  )
}

function SectionFields({
  fields,
  spans = {},
  reply,
}: Pick<FieldSection, 'fields' | 'spans'> & { reply: FormReply | undefined }) {
  return (
    <div className="section-fields">
      {Object.entries(fields).map(([name, field]) => (
        <div key={name} className={`span-${name in labelsOf({ [name]: field }) ? (spans[name] ?? 3) : 6}`}>
          <FormInputs fields={{ [name]: field }} reply={reply} />
        </div>
      ))}
    </div>
  )
}
