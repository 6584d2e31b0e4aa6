import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { longestDescription } from '#domain/catalog/catalog.ts'
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'

/** The description of a line or brand; without the permission it is only shown. */
export function DescriptionPanel({
  about,
  mark,
  note,
  mayEdit,
  reply,
}: {
  about: string
  mark: string
  note: string
  mayEdit: boolean
  reply: FormReply | undefined
}) {
  const own = reply?.values['intent'] === 'describe' ? reply : undefined
  return (
    <Panel id="own-description" title="Description" note={note}>
      <PanelBody>
        {mayEdit ? (
          <form method="post" className="stack" noValidate>
            <ErrorSummary reply={own} labels={{ about: 'Description' }} />
            <input type="hidden" name="mark" value={own?.values['mark'] ?? mark} />
            <TextAreaField
              name="about"
              label="Shown to shoppers"
              reply={own}
              value={about}
              rows={6}
              maxLength={longestDescription}
              isRequired={false}
            />
            <p>
              <button className="btn primary" name="intent" value="describe">
                Save
              </button>
            </p>
          </form>
        ) : (
          <p>{about || 'None.'}</p>
        )}
      </PanelBody>
    </Panel>
  )
}

/** The field for a picture. */
export function PictureField({ label, reply }: { label: string; reply: FormReply | undefined }) {
  return (
    <Field
      name="file"
      label={label}
      reply={reply && { ...reply, values: {} }}
      type="file"
      accept="image/png,image/jpeg,image/webp"
      required
      hint={`PNG, JPEG or WebP, up to ${UPLOAD_MAX_BYTES / 1024 / 1024} MB.`}
    />
  )
}
